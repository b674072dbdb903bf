"""What is kept of a turn once it has its end: the log, the thread, what it cost."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from core.context import ExecutionContext
from core.domain.answer import Answer, Usage
from core.domain.conversation import Exchange, Turn
from core.domain.errors import StateUnusable
from core.domain.events import Event, TurnFailed, TurnFinished
from core.domain.usage import TurnUsage
from core.ports.clock import Clock
from core.ports.run_log import RunLog
from core.ports.thread_store import ThreadStore
from core.ports.usage_log import UsageLog

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """Keeps the ends of turns."""

    run_log: RunLog
    threads: ThreadStore
    usage: UsageLog
    clock: Clock

    async def keep_end(self, ctx: ExecutionContext, end: TurnFinished | TurnFailed) -> None:
        """Keep all that lasts of a turn with one commit: none of it is begun before the rest."""
        answer = end.answer if isinstance(end, TurnFinished) else None
        async with asyncio.TaskGroup() as keeping:
            if answer is not None:
                keeping.create_task(self._remember(ctx.turn, answer))
            keeping.create_task(self._count(ctx, answer.usage if answer else Usage()))
            keeping.create_task(self._told(ctx.turn, end))

    async def _told(self, turn: Turn, event: Event) -> None:
        await self.run_log.append(turn.run, event)

    async def _remember(self, turn: Turn, answer: Answer) -> None:
        exchange = Exchange(
            question=turn.question,
            asked_by=turn.actor,
            answer=answer,
            attachments=turn.attachments,
        )
        try:
            await self.threads.append(turn.thread, exchange)
        except StateUnusable:
            # The answer is there; that the next question will not know of it must not cost it.
            log.exception("exchange_not_remembered", thread=turn.thread)

    async def _count(self, ctx: ExecutionContext, usage: Usage) -> None:
        entry = TurnUsage(
            at=self.clock.now(),
            turn=ctx.turn.id,
            actor=ctx.turn.actor.id,
            actor_name=ctx.turn.actor.name,
            workspace=ctx.turn.actor.workspace,
            place=ctx.turn.place,
            connection=ctx.connection.name,
            tokens=usage.input_tokens + usage.output_tokens,
            usd=usage.usd,
            unpriced=usage.unpriced,
        )
        try:
            await self.usage.record(entry)
        except StateUnusable:
            log.exception("usage_not_counted", turn=ctx.turn.id)
