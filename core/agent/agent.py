"""One run, from the question to its one end: the face of the agent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TypeVar

from core.agent.config import AgentConfig
from core.agent.loops import Loops
from core.agent.offer import ToolSchemas
from core.agent.orchestrator import Orchestrator
from core.agent.reporter import Reporter
from core.context import ExecutionContext
from core.domain.decisions import DecisionAnswer
from core.domain.errors import ModelError, OperatorNeeded
from core.domain.events import STOPPED, End, Event, TurnFailed, TurnStarted
from core.domain.ids import fresh_id
from core.domain.paused import PausedRun
from core.prompt_library import PromptLibrary
from core.toolkit.catalogue import Catalogue
from core.toolkit.family import Family

log = logging.getLogger(__name__)

_UNEXPECTED = (
    "Something went wrong that should not have. It is logged; please try again, and tell whoever"
    " runs this bot the number {error_id} if it happens again."
)

T = TypeVar("T")
Work = Callable[[Reporter], Awaitable[End]]


class SingleLLMAgent:
    """Answers turns with one model and the tools of a catalogue; serves any number at once.

    `run` and `resume` give the events of one run in the grammar of core/domain/events.py. They
    never raise: what nobody expected ends the run with TurnFailed and a log record. Setting
    `stop` cancels the run and its queries and ends it with TurnFailed(stopped=True); closing the
    generator early cancels all the same.
    """

    def __init__(
        self, catalogue: Catalogue, prompts: PromptLibrary, config: AgentConfig | None = None
    ) -> None:
        for family in Family:
            prompts.family(family)
        self._orchestrator = Orchestrator(
            loops=Loops(
                schemas=ToolSchemas.of(catalogue),
                prompts=prompts,
                config=config or AgentConfig(),
                contain=contain,
            )
        )

    def run(
        self, ctx: ExecutionContext, *, stop: asyncio.Event | None = None
    ) -> AsyncGenerator[Event, None]:
        """Answer the turn of the context."""

        def work(reporter: Reporter) -> Awaitable[End]:
            return self._orchestrator.begin(ctx, reporter)

        return _told(ctx, work, stop or asyncio.Event())

    def resume(
        self,
        ctx: ExecutionContext,
        paused: PausedRun,
        answer: DecisionAnswer,
        *,
        stop: asyncio.Event | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Go on with a run that was taken from PausedRuns; `ctx.turn` is its turn in a new run."""

        def work(reporter: Reporter) -> Awaitable[End]:
            return self._orchestrator.go_on(ctx, paused, answer, reporter)

        return _told(ctx, work, stop or asyncio.Event())


async def _told(
    ctx: ExecutionContext, work: Work, stop: asyncio.Event
) -> AsyncGenerator[Event, None]:
    """Do the work in a task of its own, and tell what it says as it says it."""
    turn = ctx.turn
    yield TurnStarted(
        turn_id=turn.id, run_id=turn.run, thread_id=turn.thread, question=turn.question
    )
    events = asyncio.Queue[Event | None]()
    working = asyncio.create_task(_ended(ctx, work(Reporter(turn.id, events.put_nowait))))
    working.add_done_callback(lambda _: events.put_nowait(None))
    stopping = asyncio.create_task(_cancel(working, when=stop))
    try:
        while (event := await events.get()) is not None:
            yield event
        yield _end_of(ctx, working, stopped=stop.is_set())
    finally:
        # Both tasks end whatever the reader of the events does; who waits for a stop holds nothing.
        stopping.cancel()
        if working.cancel():
            await asyncio.wait((working,))


async def _cancel(working: asyncio.Task[End], *, when: asyncio.Event) -> None:
    await when.wait()
    working.cancel()


def _end_of(ctx: ExecutionContext, working: asyncio.Task[End], *, stopped: bool) -> End:
    if not working.cancelled():
        return working.result()
    error_id = fresh_id()[:12]
    if not stopped:
        log.error("a run was cancelled from within", extra={"error_id": error_id})
    reason = STOPPED if stopped else _UNEXPECTED.format(error_id=error_id)
    return TurnFailed(turn_id=ctx.turn.id, reason=reason, error_id=error_id, stopped=stopped)


async def _ended(ctx: ExecutionContext, work: Awaitable[End]) -> End:
    """Return how the work ended, whatever happened."""

    def failed(reason: str, error_id: str) -> End:
        return TurnFailed(turn_id=ctx.turn.id, reason=reason, error_id=error_id)

    async def known_failures() -> End:
        try:
            return await work
        except (ModelError, OperatorNeeded) as error:
            error_id = fresh_id()[:12]
            log.warning("a run failed: %s", error, extra={"error_id": error_id})
            return failed(str(error), error_id)

    return await contain(
        known_failures(), lambda error_id: failed(_UNEXPECTED.format(error_id=error_id), error_id)
    )


async def contain(work: Awaitable[T], on_failure: Callable[[str], T]) -> T:
    """Await the work; log what nobody expected, and go on with what `on_failure` makes of it."""
    try:
        return await work
    except Exception as error:
        error_id = fresh_id()[:12]
        log.exception("unexpected %s", type(error).__name__, extra={"error_id": error_id})
        return on_failure(error_id)
