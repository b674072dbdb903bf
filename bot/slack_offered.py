"""What Slack offers by commands: the commands of every platform, and connecting a database."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.slack.board import SlackBoard
from adapters.slack.calls import SlackCalls
from adapters.slack.doors import CommandDoors, SlackDeclined
from bot.commanding import Commands, Given, NotDone
from bot.connecting import Attempt, Connecting
from core.domain.connection_draft import ConnectionDraft
from core.domain.errors import OperatorNeeded
from core.domain.ids import ActorId
from core.domain.people import Actor, Place
from core.domain.replies import Reply


@dataclass(frozen=True, slots=True)
class Offered:
    """The same for every workspace: each command says where it comes from."""

    commands: Commands
    connecting: Connecting

    @property
    def doors(self) -> CommandDoors:
        return CommandDoors(
            run=self.run,
            problems=self.connecting.problems,
            begin=self.begin,
            draft=self.draft,
        )

    async def run(self, text: str, actor: Actor, place: Place) -> Reply:
        return await self.commands.run(Given(text=text, actor=actor, place=place))

    async def begin(self, draft: ConnectionDraft, actor: Actor, place: Place) -> str:
        try:
            return await self.connecting.begin(draft, actor, place)
        except (NotDone, OperatorNeeded) as error:
            raise SlackDeclined(str(error)) from error

    async def draft(self, attempt: str, actor: ActorId) -> ConnectionDraft | None:
        try:
            return await self.connecting.draft_of(attempt, actor)
        except OperatorNeeded:
            return None


def board_of(calls: SlackCalls, attempt: Attempt) -> SlackBoard:
    """Return where the one who connects sees how far it is."""
    user = attempt.actor.id.rpartition(":")[2]
    return SlackBoard(calls=calls, user=user, channel=attempt.place.channel)
