"""What Redshift's plan, which is text, says about the rows that a query will touch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from adapters.warehouses.sql_warehouse import Sizes
from adapters.warehouses.threads.nesting import nested
from core.domain.query import CostEstimate
from core.domain.table import Row

_STEP = re.compile(
    r"^(?P<indent>\s*)(?:->\s+)?(?:XN )?(?P<step>[A-Z][^(]*?)\s+"
    r"\(cost=[\d.]+\.\.(?P<cost>[\d.]+) rows=(?P<rows>\d+) width=(?P<width>\d+)\)"
)
# Of these nobody knows the statistics, or they are guessed.
_WITHOUT_FIGURES = ("S3 ", "Recursive", "Tables missing statistics", "Partition Loop")


@dataclass(slots=True)
class _Step:
    indent: int
    name: str
    rows: float
    width: float
    cost: float
    children: list[_Step] = field(default_factory=list["_Step"])

    @property
    def made(self) -> float:
        """Rows that this step makes; a nested loop compares every pair."""
        if "Nested Loop" in self.name and len(self.children) > 1:
            return max(self.rows, prod(max(1.0, child.rows) for child in self.children))
        return self.rows


def estimate_of(plan: Sequence[Row], _sql: str, sizes: Sizes) -> CostEstimate:
    """Read `EXPLAIN`: a scan reads its whole table, whatever it gives.

    A plan over tables without statistics, or over files in S3, has an unknown cost.
    """
    lines = [str(row[0]) for row in plan]
    if any(word in line for line in lines for word in _WITHOUT_FIGURES):
        return CostEstimate()
    steps = nested(lines, _step)
    if not steps:
        return CostEstimate()
    scans = [(step, _table(step)) for step in steps if _table(step)]
    return CostEstimate(
        rows=sum(sizes.rows.get(table, step.rows) for step, table in scans),
        intermediate_rows=max(step.made for step in steps),
        bytes=sum(sizes.bytes.get(table, step.rows * step.width) for step, table in scans),
        units=steps[0].cost,
        confidence="estimate",
    )


def _step(line: str) -> _Step | None:
    matched = _STEP.match(line)
    if matched is None:
        return None
    return _Step(
        indent=len(matched["indent"]),
        name=matched["step"],
        rows=float(matched["rows"]),
        width=float(matched["width"]),
        cost=float(matched["cost"]),
    )


def _table(step: _Step) -> str:
    matched = re.search(r"Scan (?:using \S+ )?on (\S+)", step.name)
    return matched[1] if matched else ""
