"""A plan for a turn: its tasks, what each needs of others, and how far they are."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from core.domain.ids import TaskId

MOST_TASKS = 8


class TaskState(StrEnum):
    """A task ends as done or missing; it is missing where it failed or was never begun."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One node: a question of its own, the families and tools for it, the tasks it builds on."""

    id: TaskId
    title: str
    question: str
    families: tuple[str, ...]
    tools: tuple[str, ...] = ()
    needs: tuple[TaskId, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Tasks without a circle; what they need is in the plan or was done before it."""

    tasks: tuple[Task, ...]


class TaskLine(BaseModel):
    """A task as a line that changes in place; `finding` is what came of it, or why nothing did."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: TaskId
    title: str
    state: TaskState
    finding: str = ""
