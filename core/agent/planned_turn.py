"""A question that is taken apart: a plan, its tasks, and one answer made of what they found."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.agent.context_limiter import note
from core.agent.conversation_loop import ConversationLoop
from core.agent.loops import Loops
from core.agent.loose_json import read_object
from core.agent.outcome import Asks
from core.agent.prompt import PromptWriter
from core.agent.task_run import Likely, TaskReport, TaskRun, shortened
from core.domain.catalog import CatalogTable
from core.domain.chat import AssistantMessage, ChatMessage, ChatRequest, ToolMessage
from core.domain.errors import ModelError
from core.domain.events import End
from core.domain.ids import TaskId
from core.domain.plan import Plan, Task, TaskLine
from core.planner.planner import PlanInvalid, Planner
from core.planner.scheduler import Scheduler
from core.toolkit.family import Family

log = logging.getLogger(__name__)

_FEWEST_TASKS = 2
_ALL_WORKED_ON = "every part of the question has been worked on"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTurn:
    """Plans and carries out one turn; `loop` is its conversation, opened as for a plain answer."""

    loops: Loops
    loop: ConversationLoop
    writer: PromptWriter
    likely: Likely

    async def run(self, tables: Sequence[CatalogTable]) -> End | None:
        """Return the end of the turn; None where a plain conversation has to answer it.

        That is so where no plan came that can be carried out, or none of its tasks gave anything.

        Raises:
            ModelError: the model gave no answer, and there is no result that could be told.
        """
        plan = await self.planned(tables)
        if plan is None or len(plan.tasks) < _FEWEST_TASKS:
            return None
        async with self.loop.emitter:
            return await self._carried_out(plan, tables)

    async def _carried_out(self, plan: Plan, tables: Sequence[CatalogTable]) -> End | None:
        async def replan(failed: Task, reports: Mapping[TaskId, TaskReport]) -> Plan | None:
            return await self._planned_anew(failed, reports, scheduler.waiting, tables)

        scheduler = Scheduler[TaskReport](
            work=TaskRun(
                loops=self.loops,
                whole=self.loop,
                likely=self.likely,
                steps=self.loops.config.task_steps,
            ).work,
            replan=replan,
            tell=self.loop.reporter.planned,
            at_once=self.loops.config.tasks_at_once,
        )
        reports = tuple((await scheduler.run(plan)).values())
        asking = next((each.asking for each in reports if each.asking), None)
        if asking is None and not any(each.ok for each in reports):
            return None
        self._tell_model(reports, scheduler)
        if asking is not None:
            return await self._pause(asking)
        self.loop.state.warnings.extend(_missing(scheduler.missing))
        self.loop.reporter.progress("Putting the findings together")
        return await self.loop.compose(_ALL_WORKED_ON)

    def _tell_model(self, reports: Sequence[TaskReport], scheduler: Scheduler[TaskReport]) -> None:
        """Write into the turn's conversation what the tasks have called and found."""
        messages = self.loop.state.messages
        most = self.loops.config.task_result_chars
        for report in reports:
            messages.extend(_as_step(report, most))
        findings = [each.told() for each in reports if not each.stops]
        findings += [
            f"- {task.title} (NOT YET DONE): {task.question}" for task in scheduler.waiting
        ]
        text = self.loops.prompts.fill("planner_answer", findings="\n".join(findings))
        messages.append(note(text))

    async def _pause(self, asking: Asks) -> End:
        """Stop as one conversation, which goes on without the plan once the reader has decided."""
        state = self.loop.state
        state.messages.append(AssistantMessage("", (asking.call,)))
        return await self.loop.finisher.pause(asking)

    async def planned(self, tables: Sequence[CatalogTable]) -> Plan | None:
        """Ask the model once for a plan; None where none came that can be carried out."""
        self.loop.reporter.progress("Planning")
        return await self._asked(self.writer.plan_request(tables, tools=self._tools()))

    async def _planned_anew(
        self,
        failed: Task,
        reports: Mapping[TaskId, TaskReport],
        waiting: Sequence[Task],
        tables: Sequence[CatalogTable],
    ) -> Plan | None:
        if self.loop.state.exhausted():
            return None
        done = {name: report for name, report in reports.items() if report.ok}
        so_far = self.loops.prompts.fill(
            "planner_again",
            failed=failed.id,
            reason=reports[failed.id].finding,
            done="\n".join(f"{name}: {each.told()}" for name, each in done.items()) or "nothing",
            waiting="\n".join(f"{task.id}: {task.question}" for task in waiting) or "nothing",
        )
        request = self.writer.plan_request(tables, tools=self._tools(), so_far=so_far)
        return await self._asked(request, done=tuple(done), taken=tuple(reports))

    async def _asked(
        self, request: ChatRequest, *, done: Sequence[TaskId] = (), taken: Sequence[TaskId] = ()
    ) -> Plan | None:
        state = self.loop.state
        try:
            async with asyncio.timeout(
                max(min(self.loops.config.plan_seconds, state.seconds_left), 0.0)
            ):
                reply = await state.ctx.model.complete(request)
        except (ModelError, TimeoutError) as error:
            log.info("no plan: %s", error)
            return None
        state.count_usage(reply.usage)
        try:
            written = read_object(reply.text) or {}
            planner = Planner.of(self.loops.schemas.catalogue)
            return planner.read(written, done=done, taken=taken)
        except PlanInvalid as error:
            log.info("no plan: %s", error)
            return None

    def _tools(self) -> str:
        offered = {tool.name: tool for tool in self.loops.schemas.catalogue}
        names = {
            family: [name for name, tool in offered.items() if tool.family is family]
            for family in Family
        }
        return "\n".join(f"- {family}: {', '.join(has)}" for family, has in names.items() if has)


def _as_step(report: TaskReport, most_chars: int) -> Iterator[ChatMessage]:
    """Give the calls whose results a task rests on, as if they had been made here."""
    if report.results:
        yield AssistantMessage("", tuple(each.call for each in report.results))
        for each in report.results:
            yield ToolMessage(each.call.id, shortened(each, most_chars))


def _missing(lines: Sequence[TaskLine]) -> Iterator[str]:
    for line in lines:
        yield f"Missing: {line.title}. {line.finding}"
