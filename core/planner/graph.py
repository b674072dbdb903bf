"""The order of tasks: which can begin, and whether they could all be done."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

from core.domain.ids import TaskId
from core.domain.plan import Task


def circle_in(tasks: Iterable[Task]) -> tuple[TaskId, ...]:
    """Return tasks that wait for each other in a circle; nothing where there is none."""
    sorter = TopologicalSorter({task.id: task.needs for task in tasks})
    try:
        sorter.prepare()
    except CycleError as error:
        circle: list[TaskId] = error.args[1]
        return tuple(circle)
    return ()


def in_order(tasks: Iterable[Task]) -> tuple[Task, ...]:
    """Return tasks without a circle so that each comes after what it needs."""
    waiting, done = list(tasks), dict[TaskId, Task]()
    known = {task.id for task in waiting}
    while waiting:
        task = next(
            each for each in waiting if all(n in done or n not in known for n in each.needs)
        )
        waiting.remove(task)
        done[task.id] = task
    return tuple(done.values())


def ready(waiting: Iterable[Task], *, done: Collection[TaskId]) -> Iterator[Task]:
    """Give the tasks whose needs are all done."""
    return (task for task in waiting if all(need in done for need in task.needs))
