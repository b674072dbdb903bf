"""Where in Slack something is said, and the ids that the core knows it by."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import orjson

from core.domain.ids import ActorId, MessageId, ThreadId, WorkspaceId
from core.domain.people import Place as CorePlace

PLATFORM = "slack"
REPLIES = "slack:"  # how every `reply_to` of Slack begins


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A thread of a channel of a workspace; `private` where only one person and the bot read."""

    team: str
    channel: str
    thread: str
    private: bool = False

    @property
    def thread_id(self) -> ThreadId:
        return ThreadId(f"slack:{self.team}:{self.channel}:{self.thread}")

    @property
    def workspace(self) -> WorkspaceId:
        return WorkspaceId(f"slack:{self.team}")

    @property
    def as_said(self) -> CorePlace:
        """Return the place as the rights of connections name it."""
        return CorePlace(
            platform=PLATFORM,
            channel=self.channel,
            workspace=self.team,
            shared=not self.private,
        )

    def reply_to(self, user: str) -> str:
        """Return the place and the person who asked as one text; `replied_to` reads it."""
        written = orjson.dumps({"place": asdict(self), "user": user}).decode()
        return replies_in(self.team) + written

    def actor_id(self, user: str) -> ActorId:
        return ActorId(f"slack:{self.team}:{user}")

    def message_id(self, ts: str) -> MessageId:
        return MessageId(f"slack:{self.team}:{self.channel}:{ts}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A message, written as one word."""

    channel: str
    ts: str

    def __str__(self) -> str:
        return f"{self.channel}/{self.ts}"

    @classmethod
    def read(cls, word: str) -> Card | None:
        """Return the message that a word names; None where it names none."""
        channel, mark, ts = word.partition("/")
        return cls(channel=channel, ts=ts) if mark else None


def user_of(actor: ActorId) -> str:
    """Return Slack's own id of a person."""
    return actor.rpartition(":")[2]


def replies_in(team: str) -> str:
    """Return how every `reply_to` of a workspace begins."""
    return f"{REPLIES}{team}:"


def replied_to(text: str) -> tuple[Place, str]:
    """Return the place and the person of a `reply_to`."""
    read = orjson.loads(text.split(":", 2)[2])
    return Place(**read["place"]), read["user"]


def place_of(thread: ThreadId) -> Place | None:
    """Return the place of a thread of Slack; None for a thread of something else."""
    parts = thread.split(":")
    if len(parts) != 4 or parts[0] != "slack":
        return None
    _, team, channel, ts = parts
    return Place(team=team, channel=channel, thread=ts, private=channel.startswith("D"))
