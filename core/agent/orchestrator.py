"""A turn's way: understood? then ask back, or answer; and going on after a person has decided."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import orjson

from core.agent.artifact_emitter import ArtifactEmitter
from core.agent.config import AgentConfig
from core.agent.conversation_loop import ConversationLoop
from core.agent.execution import Contain, ToolRunner
from core.agent.finishing import Finisher
from core.agent.guards import Guards
from core.agent.intent import FAMILIES, Ambiguity, Intent
from core.agent.intent_reply import classify
from core.agent.llm_conversation import LlmConversation
from core.agent.offer import Offer, ToolSchemas
from core.agent.pausing import pause
from core.agent.prompt import PromptWriter
from core.agent.readings import read, to_ask
from core.agent.reporter import Reporter
from core.agent.resumption import go_on_after
from core.agent.run_state import RunState
from core.agent.workplace import Workplace
from core.context import ExecutionContext
from core.domain.answer import ShownTable
from core.domain.catalog import CatalogTable
from core.domain.chat import AssistantMessage, SystemMessage, ToolCall
from core.domain.conversation import Exchange
from core.domain.decisions import Clarification, DecisionAnswer
from core.domain.events import End
from core.domain.ids import DecisionId, ToolCallId, fresh_id
from core.domain.paused import PausedRun
from core.memory.recall import TableRecall
from core.prompt_library import PromptLibrary
from core.reviewer.correction import tables_named
from core.toolkit.family import Family

_ASKING = "ask_clarification"
_FENCED = re.compile(r"<data>\n(.*?)\n</data>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Orchestrator:
    """Knows what every run shares; each run gets its own parts."""

    schemas: ToolSchemas
    prompts: PromptLibrary
    config: AgentConfig
    contain: Contain
    tables: TableRecall = field(default_factory=TableRecall)
    guards: Guards = field(default_factory=Guards)

    async def begin(self, ctx: ExecutionContext, reporter: Reporter) -> End:
        """Understand the question, then ask back or answer."""
        writer = PromptWriter(prompts=self.prompts, ctx=ctx, config=self.config)
        likely = await self._likely(ctx)
        intent, usage = await classify(
            ctx.model,
            writer.intent_request(likely),
            question=ctx.turn.question,
            seconds=self.config.intent_seconds,
        )
        state = RunState(ctx=ctx, families=intent.families, steps_allowed=self._steps(ctx, intent))
        state.count_usage(usage)
        reading = read(intent, ctx)
        relevant = await self._likely(ctx, intent.tables) if intent.tables else likely
        state.messages = writer.opening(reading, relevant)
        question = to_ask(reading, sure=self.config.sure)
        if question is not None:
            return await self._ask_back(state, question)
        loop = await self._loop(state, reporter)
        return await loop.run()

    async def go_on(
        self, ctx: ExecutionContext, paused: PausedRun, answer: DecisionAnswer, reporter: Reporter
    ) -> End:
        """Feed the answer to the call that asked for it, and go on from there."""
        families = tuple(FAMILIES[name] for name in paused.so_far.families)
        state = RunState(
            ctx=ctx,
            families=families,
            steps_allowed=self._steps_of(ctx, families),
            messages=list(paused.messages),
            before=paused.so_far,
        )
        return await go_on_after(await self._loop(state, reporter), paused, answer)

    async def _loop(self, state: RunState, reporter: Reporter) -> ConversationLoop:
        ctx = state.ctx
        workplace = Workplace(state, self.prompts, await self.guards.of(ctx.catalog))
        emitter = ArtifactEmitter(
            charts=ctx.charts,
            files=ctx.files,
            reporter=reporter,
            export=workplace.export,
            question=ctx.turn.question,
        )
        return ConversationLoop(
            state=state,
            model=LlmConversation(
                model=ctx.model, clock=ctx.clock, config=self.config, reporter=reporter
            ),
            tools=ToolRunner(
                catalogue=self.schemas.catalogue,
                context=workplace.tool_context,
                review=workplace.review,
                correct=workplace.correct,
                contain=self.contain,
                clock=ctx.clock,
                config=self.config,
                reporter=reporter,
            ),
            offer=Offer(self.schemas, state.families, workplace.tool_context()),
            emitter=emitter,
            finisher=Finisher(
                state=state, emitter=emitter, reporter=reporter, given=tuple(_given(state))
            ),
            reporter=reporter,
            prompts=self.prompts,
            config=self.config,
        )

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
            " ".join(said)[: self.config.question_chars],
            certain=(*hinted, *read_last),
            at_most=self.config.tables_in_prompt,
        )

    def _steps(self, ctx: ExecutionContext, intent: Intent) -> int:
        if intent.one_at_a_time:
            return min(self.config.guided_steps, ctx.budget.steps)
        return self._steps_of(ctx, intent.families)

    def _steps_of(self, ctx: ExecutionContext, families: Sequence[Family]) -> int:
        extra = self.config.extra_report_steps if Family.REPORT in families[:1] else 0
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
        return await pause(state, call.id, decision, shown=(), config=self.config)


def _given(state: RunState) -> Iterator[str]:
    """Return the texts whose figures need no proof: what the thread, memory and schema say."""
    ctx = state.ctx
    yield ctx.memory
    yield f"{len(ctx.catalog.tables)}"
    for message in state.messages[:1]:
        if isinstance(message, SystemMessage):
            yield from _FENCED.findall(message.text)
    for exchange in ctx.thread.exchanges:
        yield from _said(exchange)


def _said(exchange: Exchange) -> Iterator[str]:
    yield exchange.question
    yield exchange.answer.text
    for shown in exchange.answer.shown:
        if shown.table is not None:
            yield _cells(shown.table)


def _cells(table: ShownTable) -> str:
    return " ; ".join(str(cell) for row in table.rows for cell in row if cell is not None)
