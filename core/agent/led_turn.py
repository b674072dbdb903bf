"""A turn that leads a person: two steps, each a question of its own, and the offer to go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.agent.answer_text import MOST_ASSUMPTIONS, AnswerText
from core.agent.conversation_loop import ConversationLoop
from core.agent.guided import GO_ON, STEPS_AT_ONCE, head, offered, section, told
from core.agent.intent_keywords import by_keywords
from core.agent.loops import Loops
from core.agent.outcome import Asks
from core.agent.reporter import Reporter
from core.agent.run_state import RunState
from core.agent.task_run import Likely, TaskReport, TaskRun
from core.domain.answer import Answer, Steps
from core.domain.conversation import Exchange
from core.domain.events import End, TurnFinished
from core.domain.ids import TaskId
from core.domain.plan import Task, TaskLine, TaskState


@dataclass(slots=True, kw_only=True)
class LedTurn:
    """Takes the next steps, whatever the model would rather do; `loop` is the turn's own.

    Each step knows the thread and the steps before it. One that failed is not counted as done:
    going on tries it again.
    """

    loops: Loops
    loop: ConversationLoop
    likely: Likely
    _reports: list[TaskReport] = field(default_factory=list[TaskReport], init=False)
    _lines: dict[TaskId, TaskLine] = field(default_factory=dict[TaskId, TaskLine], init=False)

    async def run(self, steps: Steps) -> End:
        """Take up to two steps of those ahead, and end the turn with what they gave."""
        self.loop.state.steps = steps
        tasks = tuple(_tasks(steps))
        for task in tasks:
            self._lines[task.id] = TaskLine(id=task.id, title=task.title, state=TaskState.WAITING)
        async with self.loop.emitter:
            for task in tasks:
                report = await self._taken(task)
                if report.asking is not None:
                    return await self._pause(report, report.asking)
                if not self._counts(report):
                    break
            return await self._end()

    async def _taken(self, task: Task) -> TaskReport:
        self._mark(task, TaskState.RUNNING)
        state = self.loop.state
        run = TaskRun(
            loops=self.loops,
            whole=self.loop,
            likely=self.likely,
            steps=self.loops.config.guided_steps,
            exchanges=(*state.ctx.thread.exchanges, *self._exchanges()),
        )
        report = await run.work(task, ())
        self._reports.append(report)
        if not report.stops:
            ended = TaskState.DONE if report.ok else TaskState.MISSING
            self._mark(task, ended, report.finding)
        return report

    def _counts(self, report: TaskReport) -> bool:
        """Count a step that was answered, if only by a no; say whether it was."""
        answered = report.ok or report.answer.refused
        if answered:
            state = self.loop.state
            steps, step = state.steps, report.task.question
            state.steps = Steps(done=(*steps.done, step), ahead=steps.ahead[1:])
            state.told = (*state.told, section(len(state.steps.done), step, report.finding))
            state.warnings.extend(report.answer.warnings)
        return answered

    def _exchanges(self) -> Iterator[Exchange]:
        """Return the steps of this turn as the next one remembers them."""
        for report in self._reports:
            executed = tuple(each for done in report.results for each in done.executed)
            answer = Answer(text=report.finding, sql=executed)
            actor = self.loop.state.ctx.turn.actor
            yield Exchange(question=report.task.question, asked_by=actor, answer=answer)

    async def _pause(self, report: TaskReport, asking: Asks) -> End:
        """Stop in the conversation of the step, which goes on alone once the reader has decided."""
        self.loop.state.messages = list(report.messages)
        return await self.loop.finisher.pause(asking)

    async def _end(self) -> End:
        state, finisher = self.loop.state, self.loop.finisher
        if not state.told:
            return finisher.fail(self._reports[-1].finding)
        last = self._reports[-1]
        if last.asking is None and not (last.ok or last.answer.refused):
            state.warnings.append(f"Step {len(state.steps.done) + 1} failed: {last.finding}")
        text = told(state.told, state.steps)
        if not any(each.ok for each in self._reports):
            return finisher.end_with(text)
        self.loop.reporter.write(text)
        return await finisher.accept(
            AnswerText(
                text=text,
                assumptions=tuple(_assumptions(self._reports)),
                suggestions=last.answer.suggestions,
            ),
            [done for each in self._reports if each.ok for done in each.results],
        )

    def _mark(self, task: Task, state: TaskState, finding: str = "") -> None:
        line = self._lines[task.id]
        self._lines[task.id] = line.model_copy(update={"state": state, "finding": finding})
        self.loop.reporter.planned(tuple(self._lines.values()))


def after_pause(state: RunState, end: End, reporter: Reporter) -> End:
    """Tell what a step has given that had stopped, behind the steps that were done before it."""
    if not state.steps.ahead or not isinstance(end, TurnFinished):
        return end
    step, *ahead = state.steps.ahead
    steps = Steps(done=(*state.steps.done, step), ahead=tuple(ahead))
    text = told((*state.told, section(len(steps.done), step, end.answer.text)), steps)
    reporter.withdraw()
    reporter.write(text)
    others = tuple(each for each in end.answer.suggestions if each != GO_ON)
    changed = {
        "text": text,
        "refused": end.answer.refused and not state.told,
        "suggestions": offered(others) if ahead else others,
        "steps": steps,
    }
    return end.model_copy(update={"answer": end.answer.model_copy(update=changed)})


def _tasks(steps: Steps) -> Iterator[Task]:
    first = len(steps.done) + 1
    for number, step in enumerate(steps.ahead[:STEPS_AT_ONCE], start=first):
        yield Task(
            id=TaskId(f"step_{number}"),
            title=f"{number}. {head(step)}",
            question=step,
            families=tuple(each.value for each in by_keywords(step).families),
        )


def _assumptions(reports: Sequence[TaskReport]) -> Sequence[str]:
    said = (each for report in reports for each in report.answer.assumptions)
    return tuple(dict.fromkeys(said))[:MOST_ASSUMPTIONS]
