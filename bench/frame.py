"""How a goal is measured: reference and product by turns in one run, compared by their medians.

Absolute times move with the machine; ratios of runs that lie side by side do not move much.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run of something took, in seconds."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One measured figure beside its goal; `reference` is what it is compared with, if anything.

    `at_least` says that bigger is better. `absent` says why it could not be measured here: such a
    line neither holds nor misses.
    """

    goal: str
    what: str
    value: float
    bound: float
    unit: str
    at_least: bool = False
    reference: float | None = None
    product: float | None = None
    note: str = ""
    absent: str = ""

    @classmethod
    def without(cls, goal: str, what: str, *, absent: str) -> Line:
        """Return the line of something that could not be measured."""
        return cls(goal=goal, what=what, value=0, bound=0, unit="", absent=absent)

    @property
    def verdict(self) -> str:
        if self.absent:
            return "NOT MEASURED"
        return "HOLDS" if self.holds else "MISSED"

    @property
    def holds(self) -> bool:
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def as_record(self) -> dict[str, object]:
        return {**asdict(self), "holds": None if self.absent else self.holds}


async def cost_of(work: Callable[[], Awaitable[object]]) -> Cost:
    """Run once and return what it took in wall and in CPU of this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    await work()
    return Cost(time.perf_counter() - wall, time.process_time() - cpu)


async def interleaved(
    works: Sequence[Callable[[], Awaitable[object]]], *, rounds: int, warm_up: int = 2
) -> tuple[Cost, ...]:
    """Run the works by turns and return each one's median cost, in their order."""
    for _ in range(warm_up):
        for work in works:
            await work()
    gc.collect()
    taken: list[list[Cost]] = [[] for _ in works]
    for _ in range(rounds):
        for index, work in enumerate(works):
            taken[index].append(await cost_of(work))
    return tuple(_median(costs) for costs in taken)


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(cost.wall for cost in costs), statistics.median(c.cpu for c in costs)
    )


def as_table(lines: Sequence[Line]) -> str:
    """Return the lines as text for people, a goal a line."""
    rows = [("goal", "what", "measured", "bound", "", "note")]
    for line in lines:
        sign = ">=" if line.at_least else "<="
        rows.append(
            (
                line.goal,
                line.what,
                "" if line.absent else f"{line.value:,.3g} {line.unit}".strip(),
                "" if line.absent else f"{sign} {line.bound:,.4g}",
                line.verdict,
                line.absent or line.note,
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
