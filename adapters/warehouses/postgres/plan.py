"""What PostgreSQL's plan says about the rows that a query will touch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from adapters.warehouses.sql_warehouse import Sizes
from core.domain.query import CostEstimate
from core.domain.table import Row


class _Node(BaseModel):
    model_config = ConfigDict(extra="ignore")

    kind: str = Field(alias="Node Type")
    rows: float = Field(default=0.0, alias="Plan Rows")
    width: float = Field(default=0.0, alias="Plan Width")
    cost: float = Field(default=0.0, alias="Total Cost")
    table: str = Field(default="", alias="Relation Name")
    table_schema: str = Field(default="", alias="Schema")
    place: str = Field(default="", alias="Parent Relationship")
    subplan: str = Field(default="", alias="Subplan Name")
    condition: str = Field(default="", alias="Filter")
    output: list[str] = Field(default_factory=list[str], alias="Output")
    children: list[_Node] = Field(default_factory=list["_Node"], alias="Plans")

    def child(self, place: str) -> _Node | None:
        return next((child for child in self.children if child.place == place), None)

    def repeats(self, child: _Node, rows_read: float) -> float:
        """Say how often a child runs for one run of this step."""
        if self.kind == "Nested Loop" and child.place == "Inner":
            # What was put aside is not made again.
            outer = self.child("Outer")
            kept = child.kind in ("Materialize", "Memoize")
            return 1.0 if kept or outer is None else max(outer.rows, 1.0)
        hashed = f"hashed {child.subplan}" in " ".join([self.condition, *self.output])
        if child.place == "SubPlan" and not hashed:
            return max(self.rows, rows_read, 1.0)
        return 1.0


class _Plan(BaseModel):
    model_config = ConfigDict(extra="ignore")

    plan: _Node = Field(alias="Plan")


_PLANS = TypeAdapter(list[_Plan])
_WHOLE_TABLE = ("Seq Scan", "Sample Scan")
# The first is said to cost little however long it runs; of the others nobody knows the statistics.
_WITHOUT_FIGURES = ("Recursive Union", "Foreign Scan", "Custom Scan")


def estimate_of(plan: Sequence[Row], _sql: str, sizes: Sizes) -> CostEstimate:
    """Read `EXPLAIN (FORMAT JSON, VERBOSE)`: a scan reads its whole table, whatever it gives.

    The inner side of a nested loop is counted as often as the outer has rows. A plan with a part
    that has no honest figures has an unknown cost.
    """
    try:
        [(content,)] = plan
        [only] = _PLANS.validate_python(content)
    except ValueError:
        return CostEstimate()
    steps = [*_steps(only.plan, sizes, times=1.0)]
    if any(step.kind in _WITHOUT_FIGURES for step, _ in steps):
        return CostEstimate()
    return CostEstimate(
        rows=sum(_rows_read(step, sizes) * times for step, times in steps),
        intermediate_rows=max(_rows_made(step) * times for step, times in steps),
        bytes=sum(_bytes_read(step, sizes) for step, _ in steps),
        units=only.plan.cost,
        confidence="estimate",
    )


def _steps(node: _Node, sizes: Sizes, *, times: float) -> Iterator[tuple[_Node, float]]:
    yield node, times
    for child in node.children:
        again = node.repeats(child, _rows_read(node, sizes))
        yield from _steps(child, sizes, times=times * again)


def _rows_made(node: _Node) -> float:
    outer, inner = node.child("Outer"), node.child("Inner")
    if node.kind == "Nested Loop" and outer and inner:
        return max(node.rows, outer.rows * inner.rows)
    return node.rows


def _rows_read(node: _Node, sizes: Sizes) -> float:
    if not node.table:
        return 0.0
    return float(sizes.rows.get(_name(node, sizes), node.rows)) if _is_whole(node) else node.rows


def _bytes_read(node: _Node, sizes: Sizes) -> float:
    if not node.table:
        return 0.0
    name = _name(node, sizes)
    if _is_whole(node) and name in sizes.bytes:
        return float(sizes.bytes[name])
    return node.rows * node.width


def _is_whole(node: _Node) -> bool:
    return node.kind in _WHOLE_TABLE


def _name(node: _Node, sizes: Sizes) -> str:
    qualified = f"{node.table_schema}.{node.table}"
    return qualified if qualified in sizes.rows or qualified in sizes.bytes else node.table
