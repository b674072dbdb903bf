"""Approvers who cannot read a thread: they are asked about a costly query in messages of their own.

What they see is the cost and the statement; the question, and what comes of it, stays where it is.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import structlog

from adapters.slack.blocks import progress as shapes
from adapters.slack.calls import SlackCalls, SlackRefused
from adapters.slack.places import Card, Place, user_of
from bot.turns import Turns
from core.domain.conversation import Turn
from core.domain.decisions import Approval
from core.domain.errors import StateUnusable
from core.domain.ids import RunId

log = structlog.get_logger()

_MOST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Approvers:
    """Keeps where it asked beside what stands for the run, so that any process finds it again."""

    turns: Turns
    calls: SlackCalls

    async def ask(self, turn: Turn, asked: Approval, place: Place) -> None:
        """Ask the approvers of a connection, where they do not read along."""
        waiting = await self.turns.outside.paused.look(asked.id)
        if waiting is None or not place.private:
            return
        approvers = self.turns.permits.approvers(waiting.connection, turn.actor)[:_MOST]
        shown = shapes.approval_aside(asked, user_of(turn.actor.id), waiting.connection)
        said = {"text": shown.text, "blocks": list(shown.blocks), "unfurl_links": False}
        cards: list[Card] = []
        for each in approvers:
            with suppress(SlackRefused):
                opened = await self.calls.call("conversations.open", {"users": user_of(each)})
                channel = str(opened.part("channel").get("id") or "")
                posted = await self.calls.call("chat.postMessage", {"channel": channel, **said})
                cards.append(Card(channel=channel, ts=posted.text("ts")))
        if len(cards) < len(approvers):
            log.warning("slack_approvers_not_asked", left=len(approvers) - len(cards))
        await self._note(turn.run, cards)

    async def elsewhere(self, run: RunId, place: Place) -> tuple[Card, ...]:
        """Return every message in which the question of a run stands."""
        try:
            due = await self.turns.outside.due.find(run)
        except StateUnusable:
            return ()
        words = due.standing.split() if due else []
        own = (Card(channel=place.channel, ts=words[0]),) if words else ()
        return (*own, *(card for each in words[1:] if (card := Card.read(each)) is not None))

    async def _note(self, run: RunId, cards: list[Card]) -> None:
        if not cards:
            return
        with suppress(StateUnusable):
            due = await self.turns.outside.due.find(run)
            if due is not None:
                standing = " ".join((due.standing, *map(str, cards)))
                await self.turns.outside.due.note(run, standing)
