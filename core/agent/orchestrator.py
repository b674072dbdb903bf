"""A turn's way: understood? then ask back, plan or answer; going on after a person has decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import orjson

from core.agent.conversation_loop import ConversationLoop
from core.agent.guided import ALL_DONE, asks_for_more, is_guided, steps_taken_up
from core.agent.intent import FAMILIES, Ambiguity, Intent
from core.agent.intent_reply import classify
from core.agent.last_resort import with_last_resort
from core.agent.led_turn import LedTurn, after_pause
from core.agent.loops import Loops
from core.agent.pausing import pause
from core.agent.plain_questions import settled
from core.agent.planned_turn import PlannedTurn
from core.agent.prompt import PromptWriter
from core.agent.readings import read, to_ask
from core.agent.reporter import Reporter
from core.agent.resumption import answered_now, go_on_after
from core.agent.run_state import RunState
from core.agent.step_list import is_stepwise
from core.context import ExecutionContext
from core.domain.answer import Steps, Usage
from core.domain.catalog import CatalogTable
from core.domain.chat import AssistantMessage, ToolCall
from core.domain.decisions import Clarification, DecisionAnswer
from core.domain.errors import ModelError
from core.domain.events import End
from core.domain.ids import DecisionId, ToolCallId, fresh_id
from core.domain.paused import PausedRun
from core.memory.recall import TableRecall
from core.planner.graph import in_order
from core.reviewer.correction import tables_named
from core.toolkit.family import Family

_ASKING = "ask_clarification"


@dataclass(frozen=True, slots=True, kw_only=True)
class Orchestrator:
    """Decides what becomes of a turn."""

    loops: Loops
    tables: TableRecall = field(default_factory=TableRecall)

    async def begin(self, ctx: ExecutionContext, reporter: Reporter) -> End:
        """Understand the question, then ask back or answer; with the last resort if need be.

        Raises:
            ModelError: no model answered, and there is no result that could be told.
        """
        started = ctx.clock.monotonic()
        begun: list[RunState] = []
        try:
            return await self._begun(ctx, reporter, started, begun)
        except ModelError as error:
            seconds = ctx.clock.monotonic() - started
            instead = with_last_resort(ctx, error, reporter, seconds=seconds)
        return await self._begun(instead, reporter, ctx.clock.monotonic(), begun)

    async def _begun(
        self, ctx: ExecutionContext, reporter: Reporter, started: float, begun: list[RunState]
    ) -> End:
        """Begin a run, whose state is left in `begun`; it has used what those before it have."""
        open_steps = steps_taken_up(ctx)
        if open_steps.ahead:
            return await self._lead(await self.loops.of(_led(ctx), reporter), open_steps)
        if asks_for_more(ctx):
            return (await self.loops.of(_led(ctx), reporter)).finisher.end_with(ALL_DONE)
        writer = self.loops.writer(ctx)
        likely = await self._likely(ctx)
        intent, usage = await self._understood(ctx, writer, likely)
        if is_guided(ctx):
            intent = replace(intent, one_at_a_time=True)
        state = RunState(
            ctx=_with_model_for(intent.primary, ctx),
            families=intent.families,
            steps_allowed=self._steps(ctx, intent),
            guided=intent.one_at_a_time,
            started=started,
        )
        for before in begun:
            state.count_usage(before.spend.usage)
        begun.append(state)
        state.count_usage(usage)
        relevant = await self._likely(ctx, intent.tables) if intent.tables else likely
        reading = read(intent, ctx, relevant)
        state.assumed.extend(reading.assumed)
        state.messages = writer.opening(reading, relevant)
        if len(intent.steps) > 1:
            loop = await self.loops.of(state, reporter)
            return await self._lead(loop, Steps(ahead=intent.steps))
        question = to_ask(reading, sure=self.loops.config.sure)
        if question is not None:
            return await self._ask_back(state, question)
        loop = await self.loops.of(state, reporter)
        return await self._planned(loop, writer, relevant, intent) or await loop.run()

    async def go_on(
        self, ctx: ExecutionContext, paused: PausedRun, answer: DecisionAnswer, reporter: Reporter
    ) -> End:
        """Feed the answer to the call that asked for it, and go on from there."""
        families = tuple(FAMILIES[name] for name in paused.so_far.families)
        state = RunState(
            ctx=_with_model_for(families[0], ctx) if families else ctx,
            families=families,
            steps_allowed=self._steps_of(ctx, families),
            messages=list(paused.messages),
            before=paused.so_far,
            guided=is_guided(ctx) and not paused.so_far.steps.ahead,
            steps=paused.so_far.steps,
            told=paused.so_far.told,
            answered=(*paused.so_far.answered, *answered_now(paused, answer)),
            assumed=list(paused.so_far.assumed),
        )
        end = await go_on_after(await self.loops.of(state, reporter), paused, answer)
        return after_pause(state, end, reporter)

    async def _understood(
        self, ctx: ExecutionContext, writer: PromptWriter, likely: Sequence[CatalogTable]
    ) -> tuple[Intent, Usage]:
        plain = settled(ctx, likely)
        if plain is not None:
            return plain, Usage()
        return await classify(
            ctx.model,
            writer.intent_request(likely),
            question=ctx.turn.question,
            seconds=min(self.loops.config.intent_seconds, ctx.budget.seconds),
        )

    async def _planned(
        self,
        loop: ConversationLoop,
        writer: PromptWriter,
        tables: Sequence[CatalogTable],
        intent: Intent,
    ) -> End | None:
        """Take the question apart, and carry it out or lead through it; None where it is simple."""
        turn = PlannedTurn(loops=self.loops, loop=loop, writer=writer, likely=self._likely)
        if not intent.one_at_a_time:
            return await turn.run(tables) if intent.is_complex else None
        plan = await turn.planned(tables) if is_stepwise(loop.state.ctx.turn.question) else None
        steps = tuple(task.question for task in in_order(plan.tasks)) if plan is not None else ()
        return await self._lead(loop, Steps(ahead=steps)) if len(steps) > 1 else None

    async def _lead(self, loop: ConversationLoop, steps: Steps) -> End:
        return await LedTurn(loops=self.loops, loop=loop, likely=self._likely).run(steps)

    async def _likely(
        self, ctx: ExecutionContext, hinted: Iterable[str] = ()
    ) -> tuple[CatalogTable, ...]:
        """Return the tables for the prompt: hinted ones, those read last, those that fit."""
        last = ctx.thread.exchanges[-1:]
        read_last = (
            table.qualified_name
            for exchange in last
            for each in exchange.answer.sql
            for table in tables_named(each.sql, ctx.catalog)
        )
        said = [ctx.turn.question, *(exchange.question for exchange in last)]
        return await self.tables.recall(
            ctx.catalog,
            " ".join(said)[: self.loops.config.question_chars],
            certain=(*hinted, *read_last),
            definitions=ctx.definitions,
            at_most=self.loops.config.tables_in_prompt,
        )

    def _steps(self, ctx: ExecutionContext, intent: Intent) -> int:
        if intent.one_at_a_time:
            return min(self.loops.config.guided_steps, ctx.budget.steps)
        return self._steps_of(ctx, intent.families)

    def _steps_of(self, ctx: ExecutionContext, families: Sequence[Family]) -> int:
        extra = self.loops.config.extra_report_steps if Family.REPORT in families[:1] else 0
        return ctx.budget.steps + extra

    async def _ask_back(self, state: RunState, ambiguity: Ambiguity) -> End:
        """Pause as if the model had asked: its answer will be the result of that call."""
        call = ToolCall(
            ToolCallId(fresh_id()),
            _ASKING,
            orjson.dumps({"question": ambiguity.question, "options": ambiguity.options}).decode(),
        )
        state.messages.append(AssistantMessage("", (call,)))
        decision = Clarification(
            id=DecisionId(fresh_id()), question=ambiguity.question, options=ambiguity.options
        )
        return await pause(state, call.id, decision, shown=(), config=self.loops.config)


def _led(ctx: ExecutionContext) -> RunState:
    """Return the state of a turn that goes on with steps: each of them has its own exchanges."""
    return RunState(ctx=ctx, families=(Family.ANALYZE,), steps_allowed=ctx.budget.steps)


def _with_model_for(family: Family, ctx: ExecutionContext) -> ExecutionContext:
    model = ctx.model_for(family)
    return ctx if model is ctx.model else replace(ctx, model=model)
