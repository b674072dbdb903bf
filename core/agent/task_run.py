"""One task of a plan, through the same loop as any question."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from core.agent.answering import choose_results
from core.agent.context_limiter import note
from core.agent.conversation_loop import ConversationLoop
from core.agent.intent import FAMILIES, Intent
from core.agent.loops import Loops
from core.agent.outcome import Asks, Done
from core.agent.prompt import Reading
from core.agent.run_state import RunState
from core.agent.task_finishing import TaskFinisher
from core.agent.tool_format import result_text
from core.context import ExecutionContext
from core.domain.answer import Answer
from core.domain.catalog import CatalogTable
from core.domain.chat import ChatMessage
from core.domain.conversation import Exchange, Thread
from core.domain.errors import ModelError
from core.domain.events import End, TurnFailed, TurnFinished
from core.domain.plan import Task
from core.memory.cards import within_fence

Likely = Callable[[ExecutionContext], Awaitable[tuple[CatalogTable, ...]]]
_STOPPED = "It waits for the reader."
_NO_ANSWER = Answer(text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskReport:
    """What came of a task: its finding, or why it is missing, and the results it rests on.

    `answer` is what it ended with, if it has; `asking` is where it has stopped, with the
    conversation until there.
    """

    task: Task
    ok: bool
    finding: str
    results: tuple[Done, ...] = ()
    answer: Answer = _NO_ANSWER
    asking: Asks | None = None
    messages: tuple[ChatMessage, ...] = ()

    @property
    def stops(self) -> bool:
        return self.asking is not None

    def told(self) -> str:
        """Return one part of what the model is told of the plan."""
        head = self.task.title if self.ok else f"{self.task.title} (MISSING)"
        lines = [f"- {head}: {within_fence(self.finding)}"]
        said = (*self.answer.assumptions, *self.answer.warnings)
        lines += [f"  Assumption: {within_fence(each)}" for each in said]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRun:
    """Does the tasks of one turn; `whole` is the loop of the turn itself.

    A task knows of the thread only `exchanges`, and takes at most `steps` exchanges with the model.
    """

    loops: Loops
    whole: ConversationLoop
    likely: Likely
    steps: int
    exchanges: tuple[Exchange, ...] = ()

    async def work(self, task: Task, needed: Sequence[TaskReport]) -> TaskReport:
        """Do one task with what the tasks before it have found."""
        state = await self._state(task)
        inputs = self._inputs(needed)
        if inputs:
            state.messages.append(note(self.loops.prompts.fill("planner_inputs", inputs=inputs)))
        loop = await self.loops.of_task(state, self.whole, title=task.title, given=(inputs,))
        try:
            end = await loop.steps()
        except ModelError as error:
            return self._ended(task, loop, ok=False, finding=str(error))
        return self._report(task, loop, end)

    async def _state(self, task: Task) -> RunState:
        ctx = self.whole.state.ctx
        families = tuple(FAMILIES[name] for name in task.families)
        own = replace(
            ctx,
            turn=replace(ctx.turn, question=task.question),
            thread=Thread(id=ctx.thread.id, exchanges=self.exchanges),
            model=ctx.model_for(families[0]),
        )
        writer = self.loops.writer(own)
        intent = Intent(primary=families[0], secondary=families[1:], confidence=1.0)
        return RunState(
            ctx=own,
            families=families,
            tools=task.tools,
            steps_allowed=min(self.steps, ctx.budget.steps),
            messages=writer.opening(Reading(intent=intent), await self.likely(own)),
            whole=self.whole.state,
        )

    def _inputs(self, needed: Sequence[TaskReport]) -> str:
        most = self.loops.config.task_result_chars
        parts = (
            "\n".join((each.told(), *(within_fence(shortened(r, most)) for r in each.results)))
            for each in needed
        )
        return "\n".join(parts)

    def _report(self, task: Task, loop: ConversationLoop, end: End) -> TaskReport:
        match end:
            case TurnFinished(answer=answer):
                report = self._ended(task, loop, ok=not answer.refused, finding=answer.text)
                return replace(report, answer=answer)
            case TurnFailed(reason=reason):
                return self._ended(task, loop, ok=False, finding=reason)
            case _:
                finisher = loop.finisher
                asking = finisher.asking if isinstance(finisher, TaskFinisher) else None
                report = self._ended(task, loop, ok=False, finding=_STOPPED)
                return replace(report, asking=asking, messages=tuple(loop.state.messages))

    def _ended(self, task: Task, loop: ConversationLoop, *, ok: bool, finding: str) -> TaskReport:
        """Report, and hand over to the run what the task has read: it may be spoken of."""
        whole, own = self.whole.state, loop.state
        whole.done.extend(own.done)
        whole.notes.extend(own.notes)
        whole.model = own.model or whole.model
        results = choose_results(finding, own.done)
        return TaskReport(task=task, ok=ok, finding=finding, results=results)


def shortened(done: Done, most_chars: int) -> str:
    """Return a result as a later part of the plan reads it."""
    if len(done.text) <= most_chars:
        return done.text
    return result_text(done.result, most_chars=most_chars)
