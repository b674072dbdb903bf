"""Answers that the place where somebody asked may not see: they go to the asker alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import structlog

from adapters.slack.calls import SlackCalls, SlackRefused
from adapters.slack.doors import SlackDeclined
from adapters.slack.places import Place
from adapters.slack.text import cut, literal
from adapters.slack.wire import Object
from bot.connections import spots_of
from bot.turns import Turns
from core.domain.conversation import InboundMessage
from core.domain.ids import ActorId, ConnectionName, ThreadId

log = structlog.get_logger()

_REMEMBERED = 10_000
_QUESTION = 500
_NO_WAY = (
    "Not everybody here may see the answer, and Slack does not let me write to you alone. "
    "Please ask me in a direct message."
)


Choose = Callable[[str, ConnectionName, ActorId], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A question as it is asked in private; `asked_in` is where everybody could read it."""

    message: InboundMessage
    place: Place
    asked_in: Place
    connection: ConnectionName


@dataclass(slots=True, kw_only=True)
class PrivateAnswers:
    """Moves a question into the direct messages of the asker, where its whole run stays.

    The thread that it was asked in gets one line, which holds nothing of it. What the asker asks
    there next goes on in the same private thread.
    """

    turns: Turns
    calls: SlackCalls
    choose: Choose
    _threads: OrderedDict[tuple[ThreadId, str], Place] = field(
        default_factory=OrderedDict[tuple[ThreadId, str], Place]
    )

    async def aside(self, message: InboundMessage, place: Place, user: str) -> Aside | None:
        """Return the question as asked in private; None where everybody here may hear it.

        Raises:
            SlackDeclined: Slack lets nobody write to the asker alone.
        """
        if place.private:
            return None
        connection = await self.turns.connection_of(message)
        permits = self.turns.permits
        if not permits.only_in_private(message.actor, message.place, connection):
            return None
        try:
            alone = await self._place(message, place, user)
            await self._keep_to(connection, message, alone)
        except SlackRefused as error:
            log.warning("slack_no_private_answer", error=error.error, needed=error.needed)
            raise SlackDeclined(_NO_WAY) from error
        moved = replace(message, thread=alone.thread_id, place=alone.as_said, connection=connection)
        return Aside(message=moved, place=alone, asked_in=place, connection=connection)

    async def tell(self, aside: Aside, user: str) -> None:
        """Say in the thread where to look; the line holds no word of question or answer."""
        place = aside.asked_in
        text = (
            f"<@{user}> I answer you privately, because this channel may not see "
            f"{literal(aside.connection)}."
        )
        arguments: Object = {"channel": place.channel, "thread_ts": place.thread, "text": text}
        try:
            await self.calls.call("chat.postMessage", arguments)
        except SlackRefused as error:
            log.warning("slack_not_told", error=error.error)

    async def _keep_to(
        self, connection: ConnectionName, message: InboundMessage, alone: Place
    ) -> None:
        """Have what is asked in the private thread go on with the same connection."""
        spots = spots_of(alone.workspace, alone.as_said, alone.thread_id)
        await self.choose(spots[0], connection, message.actor.id)

    async def _place(self, message: InboundMessage, place: Place, user: str) -> Place:
        key = (place.thread_id, user)
        if key not in self._threads:
            self._threads[key] = await self._opened(message, place, user)
            while len(self._threads) > _REMEMBERED:
                self._threads.popitem(last=False)
        return self._threads[key]

    async def _opened(self, message: InboundMessage, place: Place, user: str) -> Place:
        said = await self.calls.call("conversations.open", {"users": user})
        channel = str(said.part("channel").get("id") or "")
        question = literal(cut(message.text, _QUESTION))
        text = f"You asked in <#{place.channel}>: {question}"
        root = await self.calls.call("chat.postMessage", {"channel": channel, "text": text})
        return Place(team=place.team, channel=channel, thread=root.text("ts"), private=True)
