"""What DuckDB's plan says about the rows that a query will touch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from adapters.warehouses.sql_warehouse import Sizes
from core.domain.query import CostEstimate
from core.domain.table import Row


class _Extra(BaseModel):
    model_config = ConfigDict(extra="ignore")

    table: str = Field(default="", alias="Table")
    cardinality: float | None = Field(default=None, alias="Estimated Cardinality")


class _Node(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    children: list[_Node]
    extra_info: _Extra

    @property
    def rows(self) -> float:
        """Rows that this step gives; a cross product without a figure multiplies its parts."""
        if self.extra_info.cardinality is not None:
            return self.extra_info.cardinality
        return self.pairs or max((child.rows for child in self.children), default=0.0)

    @property
    def pairs(self) -> float:
        """Rows that this step compares with each other, where it looks at every pair."""
        loops = "PRODUCT" in self.name or "_NL_" in self.name or "NESTED_LOOP" in self.name
        return prod(child.rows for child in self.children) if loops else 0.0

    def walk(self) -> Iterator[_Node]:
        yield self
        for child in self.children:
            yield from child.walk()


_PLAN = TypeAdapter(list[_Node])
_ENDLESS = ("REC_CTE", "RECURSIVE_CTE")


def estimate_of(plan: Sequence[Row], _sql: str, sizes: Sizes) -> CostEstimate:
    """Read `EXPLAIN (FORMAT json)`: a scan reads its whole table, whatever it gives.

    A plan that recurses, or that is none, has an unknown cost.
    """
    try:
        [(_, text)] = plan
        nodes = [node for root in _PLAN.validate_json(str(text)) for node in root.walk()]
    except ValueError:
        return CostEstimate()
    if not nodes or any(node.name.strip().startswith(_ENDLESS) for node in nodes):
        return CostEstimate()
    scans = [node for node in nodes if not node.children]
    return CostEstimate(
        rows=sum(_read_by(scan, sizes) for scan in scans),
        intermediate_rows=max(max(node.rows, node.pairs) for node in nodes),
        confidence="estimate",
    )


def _read_by(scan: _Node, sizes: Sizes) -> float:
    _, _, name = scan.extra_info.table.partition(".")
    return float(sizes.rows.get(name.removeprefix("main."), scan.rows))
