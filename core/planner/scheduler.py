"""Carries a plan out: what can begin begins, one failure is planned anew, the rest is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from core.domain.ids import TaskId
from core.domain.plan import Plan, Task, TaskLine, TaskState
from core.planner.graph import ready


class Report(Protocol):
    """What came of a task: whether it is done, its finding, and whether all has to stop for it."""

    @property
    def ok(self) -> bool: ...

    @property
    def finding(self) -> str: ...

    @property
    def stops(self) -> bool: ...


R = TypeVar("R", bound=Report)


@dataclass(slots=True, kw_only=True)
class Scheduler(Generic[R]):
    """Runs one plan once.

    `work` does a task with the reports of what it needs. `replan` gives other tasks for the one
    that failed and those that wait; it is asked once, at the first failure, when nothing runs.
    `tell` hears of every change. After a report that stops, what runs may end, nothing begins.
    """

    work: Callable[[Task, Sequence[R]], Awaitable[R]]
    replan: Callable[[Task, Mapping[TaskId, R]], Awaitable[Plan | None]]
    tell: Callable[[tuple[TaskLine, ...]], None]
    at_once: int
    _lines: dict[TaskId, TaskLine] = field(default_factory=dict[TaskId, TaskLine], init=False)
    _waiting: list[Task] = field(default_factory=list[Task], init=False)
    _running: dict[asyncio.Future[R], Task] = field(init=False)
    _reports: dict[TaskId, R] = field(init=False)
    _failed: Task | None = field(default=None, init=False)
    _has_planned_anew: bool = field(default=False, init=False)
    _stops: bool = field(default=False, init=False)
    _replaced: set[TaskId] = field(default_factory=set[TaskId], init=False)

    def __post_init__(self) -> None:
        self._running = {}
        self._reports = {}

    async def run(self, plan: Plan) -> Mapping[TaskId, R]:
        """Return the reports of all tasks that were begun, in the order in which they ended."""
        self._add(plan)
        try:
            while self._begin():
                await self._some_end()
                if self._failed is not None and not self._running and not self._stops:
                    await self._plan_anew(self._failed)
        finally:
            for each in self._running:
                each.cancel()
            if self._running:
                await asyncio.wait(self._running)
        if not self._stops:
            self._leave_out(self._waiting, "Not begun: what it builds on is missing.")
        return self._reports

    @property
    def missing(self) -> tuple[TaskLine, ...]:
        """Return the tasks that nothing came of and that no others were planned for."""
        lines = (line for line in self.lines if line.id not in self._replaced)
        return tuple(line for line in lines if line.state is TaskState.MISSING)

    @property
    def waiting(self) -> tuple[Task, ...]:
        """Return the tasks that were never begun."""
        return tuple(self._waiting)

    @property
    def lines(self) -> tuple[TaskLine, ...]:
        return tuple(self._lines.values())

    def _add(self, plan: Plan) -> None:
        self._waiting = list(plan.tasks)
        for task in plan.tasks:
            self._lines[task.id] = TaskLine(id=task.id, title=task.title, state=TaskState.WAITING)
        self.tell(self.lines)

    def _begin(self) -> bool:
        """Begin what can begin now; say whether anything runs."""
        if self._failed is None and not self._stops:
            done = {name for name, report in self._reports.items() if report.ok}
            places = self.at_once - len(self._running)
            for task in list(ready(self._waiting, done=done))[:places]:
                self._waiting.remove(task)
                needed = [self._reports[need] for need in task.needs]
                self._running[asyncio.ensure_future(self.work(task, needed))] = task
                self._mark(task, TaskState.RUNNING)
        return bool(self._running)

    async def _some_end(self) -> None:
        ended, _ = await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
        for each in ended:
            task = self._running.pop(each)
            self._take(task, each.result())

    def _take(self, task: Task, report: R) -> None:
        self._reports[task.id] = report
        if report.stops:
            self._stops = True
            self._mark(task, TaskState.WAITING)
        elif report.ok:
            self._mark(task, TaskState.DONE, report.finding)
        else:
            self._mark(task, TaskState.MISSING, report.finding)
            if not self._has_planned_anew:
                self._failed = self._failed or task

    async def _plan_anew(self, failed: Task) -> None:
        self._has_planned_anew, self._failed = True, None
        plan = await self.replan(failed, self._reports)
        if plan is not None:
            names = {task.id for task in plan.tasks}
            dropped = [task for task in self._waiting if task.id not in names]
            self._replaced.update((failed.id, *(task.id for task in dropped)))
            self._leave_out(dropped, "Replaced by other tasks.")
            self._add(plan)

    def _leave_out(self, tasks: Sequence[Task], why: str) -> None:
        for task in tasks:
            self._mark(task, TaskState.MISSING, why)

    def _mark(self, task: Task, state: TaskState, finding: str = "") -> None:
        line = self._lines[task.id]
        self._lines[task.id] = line.model_copy(update={"state": state, "finding": finding})
        self.tell(self.lines)
