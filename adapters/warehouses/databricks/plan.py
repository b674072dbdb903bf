"""What Databricks' plan, which is text, says about the bytes and rows that a query will read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from adapters.warehouses.sql_warehouse import Sizes
from adapters.warehouses.threads.nesting import nested
from core.domain.query import CostEstimate
from core.domain.table import Row

_SECTION = re.compile(r"== Optimized Logical Plan ==\n(.*?)(?:\n\s*\n|\n== |\Z)", re.DOTALL)
_LINE = re.compile(
    r"^(?P<indent>[\s:|+-]*)(?P<step>\w.*?), Statistics"
    r"\(sizeInBytes=(?P<size>[\d.E+]+) (?P<unit>\w+)"
    r"(?:, rowCount=(?P<rows>[\d.E+]+))?"
)
_UNITS = {
    unit: 1024.0**power
    for power, unit in enumerate(("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"))
}
# What stands where the engine knows nothing: the largest number that it has.
_UNKNOWN = 2.0**62
_LEAVES_WITHOUT_DATA = ("LocalRelation", "OneRowRelation", "Range")


@dataclass(slots=True)
class _Step:
    indent: int
    name: str
    size: float
    rows: float | None
    children: list[_Step] = field(default_factory=list["_Step"])

    @property
    def reads(self) -> bool:
        return not self.children and not self.name.startswith(_LEAVES_WITHOUT_DATA)

    @property
    def made(self) -> float | None:
        """Rows that this step makes; a join without a condition makes every pair."""
        below = [child.made for child in self.children]
        known = [each for each in below if each is not None]
        if self.name.startswith(("Join Cross", "Join Inner")) and "(" not in self.name:
            return prod(known) if len(known) == len(below) else None
        return self.rows if self.rows is not None else max(known, default=None)


def estimate_of(plan: Sequence[Row], _sql: str, _sizes: Sizes) -> CostEstimate:
    """Read `EXPLAIN COST`: the leaves of the optimized plan are what is read.

    A leaf of which the engine has no size leaves the cost unknown.
    """
    found = _SECTION.search("\n".join(str(row[0]) for row in plan))
    steps = nested(found[1].splitlines(), _step) if found else []
    leaves = [step for step in steps if step.reads]
    if not steps or any(leaf.size >= _UNKNOWN for leaf in leaves):
        return CostEstimate()
    rows = [leaf.rows for leaf in leaves]
    known = [each for each in rows if each is not None]
    made = [each for step in steps if (each := step.made) is not None]
    return CostEstimate(
        rows=sum(known) if len(known) == len(rows) else None,
        intermediate_rows=max(made, default=None),
        bytes=sum(leaf.size for leaf in leaves),
        confidence="estimate",
    )


def _step(line: str) -> _Step | None:
    matched = _LINE.match(line)
    if matched is None:
        return None
    return _Step(
        indent=len(matched["indent"]),
        name=matched["step"],
        size=float(matched["size"]) * _UNITS[matched["unit"]],
        rows=float(matched["rows"]) if matched["rows"] else None,
    )
