"""Answers that a process which is gone still owed, in whichever workspace: this one shows them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

import structlog

from adapters.slack.doors import Spawn
from adapters.slack.places import replied_to
from bot.slack_runs import SlackRuns
from core.domain.conversation import AnswerDue
from core.domain.errors import StateUnusable
from core.ports.answers_due import AnswersDue

log = structlog.get_logger()

LOOK_SECONDS = 10.0

RunsOf = Callable[[str], Awaitable[SlackRuns | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakingOver:
    """`replies` is how the answers that are ours to show begin; `runs_of` finds a team's runs."""

    due: AnswersDue
    replies: str
    runs_of: RunsOf
    spawn: Spawn
    look_seconds: float = LOOK_SECONDS

    async def until(self, closing: asyncio.Event) -> None:
        """Show the ends of what processes that are gone had begun, until it is time to close."""
        while not closing.is_set():
            try:
                left = await self.due.left(self.replies)
            except StateUnusable as error:
                log.warning("nothing_taken_over", reason=str(error))
                left = ()
            for due in left:
                self.spawn(self._taken_over(due), "slack_taken_over")
            with suppress(TimeoutError):
                await asyncio.wait_for(closing.wait(), timeout=self.look_seconds)

    async def _taken_over(self, due: AnswerDue) -> None:
        place, _ = replied_to(due.reply_to)
        runs = await self.runs_of(place.team)
        if runs is None:
            log.warning("slack_workspace_gone", team=place.team, run=due.turn.run)
            await self.due.shown(due.turn.run)
            return
        await runs.take_over(due)
