"""Puts the parts of one conversation together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from core.agent.artifact_emitter import ArtifactEmitter
from core.agent.config import AgentConfig
from core.agent.conversation_loop import ConversationLoop
from core.agent.execution import Contain, ToolRunner
from core.agent.finishing import Finisher
from core.agent.guards import Guards
from core.agent.llm_conversation import LlmConversation
from core.agent.offer import Offer, ToolSchemas
from core.agent.prompt import PromptWriter, fenced
from core.agent.reporter import Reporter
from core.agent.run_state import RunState
from core.agent.task_finishing import TaskFinisher
from core.agent.workplace import Workplace
from core.context import ExecutionContext
from core.domain.answer import ShownTable
from core.domain.chat import SystemMessage
from core.domain.conversation import Exchange
from core.prompt_library import PromptLibrary


@dataclass(frozen=True, slots=True, kw_only=True)
class Loops:
    """Knows what every run shares; each loop gets its own parts."""

    schemas: ToolSchemas
    prompts: PromptLibrary
    config: AgentConfig
    contain: Contain
    guards: Guards = field(default_factory=Guards)

    def writer(self, ctx: ExecutionContext) -> PromptWriter:
        """Return who writes the requests of a run."""
        return PromptWriter(prompts=self.prompts, schemas=self.schemas, ctx=ctx, config=self.config)

    async def of(self, state: RunState, reporter: Reporter) -> ConversationLoop:
        """Return the loop of a run."""
        workplace = await self._workplace(state)
        emitter = ArtifactEmitter(
            charts=state.ctx.charts,
            files=state.ctx.files,
            reporter=reporter,
            export=workplace.export,
            question=state.ctx.turn.question,
            adapts=state.ctx.turn.place.adapts,
        )
        finisher = Finisher(
            state=state,
            emitter=emitter,
            reporter=reporter,
            given=tuple(_given(state)),
            config=self.config,
        )
        return self._joined(workplace, finisher)

    async def of_task(
        self, state: RunState, whole: ConversationLoop, *, title: str, given: tuple[str, ...]
    ) -> ConversationLoop:
        """Return the loop of a task: it shows its calls and results as its run does, no text."""
        workplace = await self._workplace(state)
        reporter = whole.reporter.without_text()
        finisher = TaskFinisher(
            state=state,
            emitter=whole.emitter.about(title, reporter, workplace.export),
            reporter=reporter,
            given=(*_given(state), *given),
            config=self.config,
        )
        return self._joined(workplace, finisher, call_ids=whole.call_ids)

    async def _workplace(self, state: RunState) -> Workplace:
        return Workplace(state, self.prompts, await self.guards.of(state.ctx.catalog))

    def _joined(
        self, workplace: Workplace, finisher: Finisher, *, call_ids: set[str] | None = None
    ) -> ConversationLoop:
        state, reporter = finisher.state, finisher.reporter
        ctx = state.ctx
        return ConversationLoop(
            state=state,
            model=LlmConversation(
                model=ctx.model, clock=ctx.clock, config=self.config, reporter=reporter
            ),
            tools=ToolRunner(
                schemas=self.schemas,
                context=workplace.tool_context,
                review=workplace.review,
                correct=workplace.correct,
                seconds_left=lambda: state.seconds_for_tools,
                contain=self.contain,
                clock=ctx.clock,
                config=self.config,
                reporter=reporter,
            ),
            offer=Offer(self.schemas, state.families, workplace.tool_context(), also=state.tools),
            emitter=finisher.emitter,
            finisher=finisher,
            reporter=reporter,
            prompts=self.prompts,
            config=self.config,
            call_ids=set() if call_ids is None else call_ids,
        )


def _given(state: RunState) -> Iterator[str]:
    """Return the texts whose figures need no proof: what the thread, memory and schema say."""
    ctx = state.ctx
    yield ctx.memory
    yield f"{len(ctx.catalog.tables)}"
    for message in state.messages[:1]:
        if isinstance(message, SystemMessage):
            yield from fenced(message.text)
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
