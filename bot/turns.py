"""One message: gate, context, run, log, save; and going on with a turn that paused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace

import structlog

from bot.connections import Connections
from bot.turn_gate import Declined, TurnGate
from core.agent.agent import SingleLLMAgent
from core.context import ExecutionContext
from core.domain.budget import Budget
from core.domain.conversation import Exchange, InboundMessage, Turn
from core.domain.decisions import DecisionAnswer
from core.domain.errors import ConnectionUnusable, ToolError
from core.domain.events import Event, TurnFailed, TurnFinished, TurnStarted
from core.domain.ids import ConnectionName, RunId, TurnId, fresh_id
from core.domain.names import unknown_name
from core.domain.paused import PausedRun
from core.ports.chart_renderer import ChartRenderer
from core.ports.chat_model import ChatModel
from core.ports.clock import Clock
from core.ports.file_store import FileStore
from core.ports.paused_runs import PausedRuns
from core.ports.run_log import RunLog
from core.ports.thread_store import ThreadStore
from core.ports.web_search import WebSearch

log = structlog.get_logger()

Start = Callable[[ExecutionContext, asyncio.Event], AsyncGenerator[Event]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What every run of this process shares."""

    model: ChatModel
    charts: ChartRenderer
    files: FileStore
    threads: ThreadStore
    paused: PausedRuns
    run_log: RunLog
    web: WebSearch
    clock: Clock
    connections: Connections
    model_by_name: Mapping[str, ChatModel] = field(default_factory=dict[str, ChatModel])
    model_by_family: Mapping[str, ChatModel] = field(default_factory=dict[str, ChatModel])


@dataclass(frozen=True, slots=True)
class _Running:
    task: asyncio.Task[None]
    stop: asyncio.Event


@dataclass(slots=True, kw_only=True)
class Turns:
    """Starts runs in tasks that the application owns; whoever wants to see one follows its log."""

    agent: SingleLLMAgent
    gate: TurnGate
    outside: Outside
    budget: Budget
    tasks: asyncio.TaskGroup
    _running: dict[RunId, _Running] = field(default_factory=dict[RunId, _Running])

    async def start(self, message: InboundMessage) -> Turn:
        """Start a turn, or return the one that this message has started before.

        Raises:
            Limited: too many questions in a short time.
            Declined: the question is empty or too long, or there is no model of that name.
        """
        known = self.gate.known(message)
        if known is not None:
            return known
        if message.model and message.model not in self.outside.model_by_name:
            raise Declined(unknown_name("model", message.model, self.outside.model_by_name))
        await self.gate.admit(message)
        turn = Turn(
            id=TurnId(fresh_id()),
            run=RunId(fresh_id()),
            thread=message.thread,
            actor=message.actor,
            question=message.text.strip(),
            asked_at=message.sent_at,
            model=message.model,
        )
        self.gate.opened(message, turn)
        await self._launch(
            turn, message.connection, lambda ctx, stop: self.agent.run(ctx, stop=stop)
        )
        return turn

    async def decide(self, answer: DecisionAnswer) -> Turn:
        """Go on with the run that waits for this answer, in a new run of its turn.

        Raises:
            Declined: nothing waits for it any more, or it is not this person's to decide.
        """
        paused = await self._taken(answer)
        turn = _next_run(paused.turn)
        await self._launch(
            turn,
            paused.connection,
            lambda ctx, stop: self.agent.resume(ctx, paused, answer, stop=stop),
        )
        return turn

    async def stop(self, run: RunId) -> bool:
        """Stop a run and its query; False when it is not running."""
        running = self._running.get(run)
        if running is not None:
            running.stop.set()
        return running is not None

    async def drain(self, seconds: float) -> None:
        """Let what runs end within these seconds, then stop it; each still gets its end."""
        running = tuple(self._running.values())
        if not running:
            return
        await asyncio.wait([each.task for each in running], timeout=seconds)
        for each in running:
            each.stop.set()
        await asyncio.wait([each.task for each in running])

    async def _taken(self, answer: DecisionAnswer) -> PausedRun:
        waiting = await self.outside.paused.look(answer.decision)
        if waiting is not None and waiting.turn.actor.id != answer.actor:
            raise Declined(f"Only {waiting.turn.actor.name}, who asked, can answer this.")
        paused = await self.outside.paused.take(answer.decision)
        if paused is None:
            raise Declined("This was answered already or has expired. Please ask again.")
        return paused

    async def _launch(self, turn: Turn, connection: ConnectionName | None, start: Start) -> None:
        await self.outside.run_log.begin(turn.run)
        stop = asyncio.Event()
        task = self.tasks.create_task(self._answer(turn, connection, start, stop), name=turn.run)
        self._running[turn.run] = _Running(task, stop)
        task.add_done_callback(lambda _: self._running.pop(turn.run, None))

    async def _answer(
        self, turn: Turn, connection: ConnectionName | None, start: Start, stop: asyncio.Event
    ) -> None:
        with structlog.contextvars.bound_contextvars(turn=turn.id, run=turn.run):
            async with self.gate.in_order(turn):
                try:
                    ctx = await self._context(turn, connection)
                except (ConnectionUnusable, ToolError) as error:
                    await self._failed(turn, str(error))
                else:
                    await self._recorded(turn, start(ctx, stop))

    async def _failed(self, turn: Turn, reason: str) -> None:
        error_id = fresh_id()[:12]
        log.warning("connection_unusable", reason=reason, error_id=error_id)
        started = TurnStarted(
            turn_id=turn.id, run_id=turn.run, thread_id=turn.thread, question=turn.question
        )
        failed = TurnFailed(turn_id=turn.id, reason=reason, error_id=error_id)
        for event in (started, failed):
            await self.outside.run_log.append(turn.run, event)

    async def _context(self, turn: Turn, connection: ConnectionName | None) -> ExecutionContext:
        thread = await self.outside.threads.load(turn.thread)
        found = await self.outside.connections.get(connection)
        chosen = self.outside.model_by_name.get(turn.model)
        return ExecutionContext(
            turn=turn,
            thread=thread,
            connection=found.connection,
            catalog=found.catalog,
            warehouse=found.warehouse,
            model=chosen or self.outside.model,
            model_by_family={} if chosen else self.outside.model_by_family,
            charts=self.outside.charts,
            files=self.outside.files,
            paused=self.outside.paused,
            web=self.outside.web,
            clock=self.outside.clock,
            budget=self.budget,
            memory="",
        )

    async def _recorded(self, turn: Turn, events: AsyncGenerator[Event]) -> None:
        async with aclosing(events):
            async for event in events:
                if isinstance(event, TurnFinished):
                    await self._remember(turn, event)
                await self.outside.run_log.append(turn.run, event)

    async def _remember(self, turn: Turn, finished: TurnFinished) -> None:
        exchange = Exchange(question=turn.question, asked_by=turn.actor, answer=finished.answer)
        await self.outside.threads.append(turn.thread, exchange)


def _next_run(turn: Turn) -> Turn:
    return replace(turn, run=RunId(fresh_id()))
