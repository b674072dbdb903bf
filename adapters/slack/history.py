"""What was said in a thread before: read once from Slack where nothing is remembered of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from pydantic import BaseModel

from adapters.slack import limits
from adapters.slack.calls import SlackCalls, SlackRefused
from adapters.slack.inbound import Text, readable
from adapters.slack.people import People
from adapters.slack.places import Place
from core.domain.answer import Answer
from core.domain.conversation import Exchange

log = structlog.get_logger()

_NOT_ANSWERED = "(Said in the thread before I was asked.)"
_LONGEST = 2_000
_EXCHANGES = 10


class _Said(BaseModel):
    user: Text = ""
    bot_id: Text = ""
    text: Text = ""
    ts: Text = ""


@dataclass(frozen=True, slots=True)
class Past:
    """What a thread held before the message that came now; `ours` says that the bot wrote in it."""

    exchanges: tuple[Exchange, ...]
    ours: bool


@dataclass(frozen=True, slots=True)
class History:
    """Reads threads; `bot_user` is who the bot is in them."""

    calls: SlackCalls
    people: People
    bot_user: str

    async def before(self, place: Place, ts: str) -> Past:
        """Return the exchanges of a thread before the message `ts`; none where Slack gives none."""
        arguments = {"channel": place.channel, "ts": place.thread, "latest": ts}
        try:
            said = await self.calls.once(
                "conversations.replies", {**arguments, "limit": limits.HISTORY_PAGE}
            )
        except SlackRefused as error:
            log.info("slack_history_refused", error=error.error, needed=error.needed)
            return Past((), ours=False)
        messages = [_Said.model_validate(each) for each in said.items("messages")]
        earlier = [each for each in messages if each.ts < ts]
        return await self._past(place, earlier)

    async def _past(self, place: Place, messages: Sequence[_Said]) -> Past:
        exchanges: list[Exchange] = []
        waiting: list[_Said] = []
        for each in messages:
            if each.user != self.bot_user:
                waiting.append(each)
            elif waiting:
                exchanges.append(await self._exchange(place, waiting, each.text))
                waiting = []
        if waiting:
            exchanges.append(await self._exchange(place, waiting, _NOT_ANSWERED))
        ours = any(each.user == self.bot_user for each in messages)
        return Past(tuple(exchanges[-_EXCHANGES:]), ours)

    async def _exchange(self, place: Place, asked: Sequence[_Said], answer: str) -> Exchange:
        names = {each.user: await self.people.name(each.user) for each in asked if each.user}
        lines = [
            f"{names.get(each.user, 'A bot')}: {readable(each.text, self.bot_user)}"
            for each in asked
        ]
        person = next((each.user for each in reversed(asked) if each.user), "")
        return Exchange(
            question="\n".join(lines)[-_LONGEST:],
            asked_by=await self.people.actor(place, person or self.bot_user),
            answer=Answer(text=readable(answer, self.bot_user)[:_LONGEST]),
        )
