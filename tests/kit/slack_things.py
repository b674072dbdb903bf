"""What there is in a workspace of the strict Slack, and how its calls fail."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from adapters.slack import limits

Json = dict[str, Any]

_IDS = re.compile(r"\b[0-9a-f]{32}\b")


class Refused(Exception):
    """What Slack answers instead of ok."""

    def __init__(self, error: str, status: int = 200, **more: Any) -> None:
        super().__init__(error)
        self.body: Json = {"ok": False, "error": error, **more}
        self.status = status


@dataclass(frozen=True, slots=True)
class Failure:
    """What a call meets instead of being served: an error of Slack's, slowness, or no answer."""

    error: str = ""
    retry_after: float | None = None
    seconds: float = 0.0
    drops: bool = False
    after: bool = False  # the call is served, and then answered with the failure


@dataclass(slots=True)
class Message:
    channel: str
    ts: str
    thread_ts: str
    user: str
    text: str
    blocks: list[Json] = field(default_factory=list[Json])
    chunks: list[Json] = field(default_factory=list[Json])
    streaming: bool = False
    stream_bytes: int = 0
    started_at: float = 0.0
    only_for: str = ""
    versions: list[str] = field(default_factory=list[str])
    metadata: Json = field(default_factory=dict[str, Any])

    @property
    def words(self) -> str:
        """Return everything that a reader can read in it.

        An id is none of it, and may hold any figure.
        """
        whole = self.text + json.dumps([self.blocks, self.chunks], ensure_ascii=False)
        return _IDS.sub("id", whole)

    def buttons(self) -> list[Json]:
        return [e for b in self.blocks for e in b.get("elements", []) if e["type"] == "button"]


@dataclass(slots=True)
class File:
    id: str
    name: str
    length: int
    content: bytes = b""
    title: str = ""
    shared: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    looked_at: int = 0


@dataclass(slots=True)
class ResponseUrl:
    """Leave to answer somebody, some times and for some time; `message` is what was pressed in."""

    user: str
    channel: str
    until: float
    message: Message | None = None
    used: int = 0


@dataclass(slots=True)
class ResponseUrls:
    """`spent` lets none of them be of use any more."""

    spent: bool = False
    _given: dict[str, ResponseUrl] = field(default_factory=dict[str, ResponseUrl])

    def give(self, user: str, channel: str, message: Message | None, now: float) -> str:
        id = f"hush{len(self._given)}"
        self._given[id] = ResponseUrl(user, channel, now + limits.RESPONSE_SECONDS, message)
        return id

    def take(self, id: str, now: float) -> ResponseUrl:
        url = self._given.get(id)
        if self.spent or url is None or url.used == limits.RESPONSES or now > url.until:
            raise Refused("expired_url", 404)
        url.used += 1
        return url
