from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.ids import TaskId
from core.domain.plan import Plan, Task, TaskLine, TaskState
from core.planner.scheduler import Scheduler
from tests.kit.grammar import assert_goes_on


@dataclass(frozen=True, slots=True)
class Said:
    finding: str = "found"
    ok: bool = True
    stops: bool = False


def task(name: str, *needs: str) -> Task:
    return Task(
        id=TaskId(name),
        title=name,
        question=name,
        families=("analyze",),
        needs=tuple(TaskId(each) for each in needs),
    )


@dataclass(slots=True)
class Stage:
    """Plays what each task says; `held` wait for their event."""

    says: dict[str, Said] = field(default_factory=dict[str, Said])
    held: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])
    next_plan: Plan | None = None
    begun: list[str] = field(default_factory=list[str])
    read: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    told: list[tuple[TaskLine, ...]] = field(default_factory=list[tuple[TaskLine, ...]])
    planned_anew: list[str] = field(default_factory=list[str])
    at_once: int = 3
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    running: int = 0
    most: int = 0

    async def until(self, holds: Callable[[], bool]) -> None:
        async with self.changed:
            await self.changed.wait_for(holds)

    async def work(self, task: Task, needed: Sequence[Said]) -> Said:
        self.begun.append(task.id)
        self.read[task.id] = [each.finding for each in needed]
        async with self.changed:
            self.changed.notify_all()
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            if task.id in self.held:
                await self.held[task.id].wait()
            await asyncio.sleep(0)
        finally:
            self.running -= 1
        return self.says.get(task.id, Said(f"{task.id} found"))

    async def replan(self, failed: Task, reports: Mapping[TaskId, Said]) -> Plan | None:
        assert not self.running
        self.planned_anew.append(failed.id)
        return self.next_plan

    def tell(self, lines: tuple[TaskLine, ...]) -> None:
        assert_goes_on(self.told[-1] if self.told else (), lines)
        self.told.append(lines)

    async def run(self, *tasks: Task) -> Scheduler[Said]:
        scheduler = Scheduler[Said](
            work=self.work, replan=self.replan, tell=self.tell, at_once=self.at_once
        )
        await scheduler.run(Plan(tasks))
        return scheduler

    @property
    def states(self) -> dict[str, TaskState]:
        return {line.id: line.state for line in self.told[-1]}


async def test_tasks_without_needs_run_together_and_others_get_what_they_need():
    stage = Stage()

    await stage.run(task("c", "a", "b"), task("a"), task("b"))

    assert sorted(stage.begun[:2]) == ["a", "b"]
    assert stage.most == 2
    assert stage.read["c"] == ["a found", "b found"]
    assert set(stage.states.values()) == {TaskState.DONE}


async def test_only_so_many_run_at_once():
    stage = Stage(at_once=2)

    await stage.run(*(task(f"t{n}") for n in range(6)))

    assert stage.most == 2
    assert len(stage.begun) == 6


async def test_a_task_begins_as_soon_as_its_own_needs_are_done():
    slow = asyncio.Event()
    stage = Stage(held={"slow": slow})
    running = asyncio.create_task(stage.run(task("slow"), task("a"), task("b", "a")))
    await stage.until(lambda: "b" in stage.begun)

    assert stage.states["slow"] is TaskState.RUNNING
    slow.set()
    await running


async def test_the_first_failure_is_planned_anew_once():
    stage = Stage(
        says={"a": Said("no rows", ok=False), "a2": Said("none either", ok=False)},
        next_plan=Plan((task("a2", "b"), task("c", "b"))),
    )

    scheduler = await stage.run(task("a"), task("b"), task("c", "a"), task("d", "a"))

    assert stage.planned_anew == ["a"]
    assert stage.states == {
        "a": TaskState.MISSING,
        "b": TaskState.DONE,
        "c": TaskState.DONE,
        "d": TaskState.MISSING,
        "a2": TaskState.MISSING,
    }
    assert [line.id for line in scheduler.missing] == ["a2"]


async def test_without_another_plan_a_failure_and_what_builds_on_it_are_missing():
    stage = Stage(says={"a": Said("no rows", ok=False)})

    scheduler = await stage.run(task("a"), task("b", "a"), task("c"))

    assert [line.id for line in scheduler.missing] == ["a", "b"]
    assert "c" in stage.begun


async def test_a_task_that_stops_lets_the_running_ones_end_and_begins_none():
    other = asyncio.Event()
    stage = Stage(says={"a": Said("asks", ok=False, stops=True)}, held={"b": other})
    running = asyncio.create_task(stage.run(task("a"), task("b"), task("c", "b")))
    await stage.until(lambda: stage.begun == ["a", "b"])
    other.set()
    scheduler = await running

    assert stage.states == {
        "a": TaskState.WAITING,
        "b": TaskState.DONE,
        "c": TaskState.WAITING,
    }
    assert [each.id for each in scheduler.waiting] == ["c"]
    assert not stage.planned_anew


async def test_stopping_stops_every_task():
    stage = Stage(held={"a": asyncio.Event(), "b": asyncio.Event()})
    running = asyncio.create_task(stage.run(task("a"), task("b")))
    await stage.until(lambda: len(stage.begun) == 2)

    running.cancel()
    await asyncio.wait([running])

    assert stage.running == 0
