"""The order of events, as a check that any test can lay over a run."""

from collections.abc import Sequence
from typing import get_args

from core.domain.events import (
    End,
    Event,
    PlanChanged,
    ToolCallFinished,
    ToolCallStarted,
    TurnStarted,
)
from core.domain.plan import TaskLine, TaskState


def assert_well_formed(events: Sequence[Event]) -> None:
    """Hold a whole run against the grammar at the top of core/domain/events.py."""
    assert events, "a run without events"
    first, *middle, last = events
    assert isinstance(first, TurnStarted)
    assert isinstance(last, get_args(End)), f"ends with {last.kind}"
    assert len({event.turn_id for event in events}) == 1

    open_calls = dict[str, str]()
    plan: tuple[TaskLine, ...] = ()
    for event in middle:
        assert not isinstance(event, (TurnStarted, *get_args(End))), f"{event.kind} in the middle"
        if isinstance(event, ToolCallStarted):
            assert event.call_id not in open_calls
            open_calls[event.call_id] = event.tool
        elif isinstance(event, ToolCallFinished):
            assert open_calls.pop(event.call_id) == event.tool
        elif isinstance(event, PlanChanged):
            assert_goes_on(plan, event.tasks)
            plan = event.tasks
    assert not open_calls, f"never finished: {open_calls}"


def assert_goes_on(before: Sequence[TaskLine], now: Sequence[TaskLine]) -> None:
    """Hold a plan against the one before: nothing vanishes, and what has ended stays as it is."""
    by_id = {task.id: task for task in now}
    assert len(by_id) == len(now), "two tasks of one name"
    for task in before:
        assert task.id in by_id, f"{task.id} vanished"
        ended = task.state in {TaskState.DONE, TaskState.MISSING}
        assert not ended or by_id[task.id] == task, f"{task.id} changed after its end"
