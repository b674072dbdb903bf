"""The steps of a plan that is text: a step that stands further in belongs to the one above it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, Self, TypeVar


class Nested(Protocol):
    """`indent` is how far in a step stands, in characters."""

    indent: int

    @property
    def children(self) -> list[Self]: ...


_Step = TypeVar("_Step", bound=Nested)


def nested(lines: Iterable[str], read: Callable[[str], _Step | None]) -> list[_Step]:
    """Return all steps in the order of their lines, each with its children.

    `read` makes a step without children of a line, and None of a line that is none.
    """
    found: list[_Step] = []
    above: list[_Step] = []
    for step in filter(None, map(read, lines)):
        while above and above[-1].indent >= step.indent:
            above.pop()
        if above:
            above[-1].children.append(step)
        above.append(step)
        found.append(step)
    return found
