"""From what a model wrote to a plan that can be carried out, or the reason why it cannot."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.domain.ids import TaskId
from core.domain.plan import MOST_TASKS, Plan, Task
from core.planner.graph import circle_in
from core.toolkit.catalogue import Catalogue
from core.toolkit.family import Family

_LONGEST_TITLE = 80
_SHORT, _LONG = 60, 2_000


class PlanInvalid(Exception):
    """What was written cannot be carried out; the message says why."""


@dataclass(frozen=True, slots=True)
class Planner:
    """Knows what a task may ask for."""

    tools: frozenset[str]

    @classmethod
    def of(cls, catalogue: Catalogue) -> Self:
        return cls(frozenset(catalogue.names))

    def read(
        self,
        written: Mapping[str, object],
        *,
        done: Collection[TaskId] = (),
        taken: Collection[TaskId] = (),
    ) -> Plan:
        """Return the plan that was written.

        `done` may be needed by its tasks, and no task may bear a name in `taken`.

        Raises:
            PlanInvalid: too many tasks or none, a circle, an unknown tool, family or need.
        """
        try:
            tasks = tuple(each.task() for each in _Written.model_validate(written).tasks)
        except ValidationError as error:
            first = error.errors()[0]
            raise PlanInvalid(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
        problem = next(self._problems(tasks, frozenset(done), frozenset(taken)), None)
        if problem is not None:
            raise PlanInvalid(problem)
        return Plan(tasks)

    def _problems(
        self, tasks: Sequence[Task], done: frozenset[TaskId], taken: frozenset[TaskId]
    ) -> Iterator[str]:
        names = frozenset(task.id for task in tasks)
        if len(names) < len(tasks) or names & (taken | done):
            yield "two tasks bear one name"
        for task in tasks:
            unknown = [*(frozenset(task.tools) - self.tools), *_not_families(task.families)]
            strangers = frozenset(task.needs) - names - done
            if unknown:
                yield f"{task.id} wants {unknown[0]!r}, which there is not"
            if strangers:
                yield f"{task.id} needs {next(iter(strangers))!r}, which there is not"
        circle = circle_in(tasks)
        if circle:
            yield f"these wait for each other: {', '.join(circle)}"


def _not_families(names: Sequence[str]) -> list[str]:
    return [name for name in names if name not in frozenset(Family)]


class _WrittenTask(BaseModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    id: str = Field(min_length=1, max_length=_SHORT)
    title: str = ""
    question: str = Field(min_length=1, max_length=_LONG)
    families: list[str] = Field(min_length=1, max_length=3)
    tools: list[str] = Field(default_factory=list[str], max_length=12)
    needs: list[str] = Field(default_factory=list[str])

    def task(self) -> Task:
        title = " ".join((self.title or self.question).split())
        cut = title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1].rstrip() + "…"
        return Task(
            id=TaskId(self.id),
            title=cut,
            question=self.question,
            families=tuple(dict.fromkeys(each.casefold() for each in self.families)),
            tools=tuple(dict.fromkeys(self.tools)),
            needs=tuple(TaskId(each) for each in dict.fromkeys(self.needs)),
        )


class _Written(BaseModel):
    model_config = ConfigDict(extra="ignore")

    tasks: list[_WrittenTask] = Field(min_length=1, max_length=MOST_TASKS)
