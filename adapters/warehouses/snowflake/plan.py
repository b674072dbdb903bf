"""What Snowflake says about the bytes that a query will read."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from adapters.warehouses.sql_warehouse import Sizes
from adapters.warehouses.threads.shape import rows_multiplied
from core.domain.query import CostEstimate, Dialect
from core.domain.table import Row


class _Totals(BaseModel):
    model_config = ConfigDict(extra="ignore")

    bytes: float = Field(alias="bytesAssigned")


class _Operation(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str = Field(alias="operation")
    objects: list[str] = Field(default_factory=list[str])
    partitions: float | None = Field(default=None, alias="partitionsAssigned")
    partitions_in_all: float | None = Field(default=None, alias="partitionsTotal")


class _Plan(BaseModel):
    model_config = ConfigDict(extra="ignore")

    totals: _Totals = Field(alias="GlobalStats")
    operations: list[list[_Operation]] = Field(alias="Operations")


_SCAN = "TableScan"
_WITHOUT_FIGURES = ("ExternalScan", "ExternalFunction", "RecursiveUnion", "UnionAll Recursive")


def estimate_of(plan: Sequence[Row], sql: str, sizes: Sizes) -> CostEstimate:
    """Read `EXPLAIN USING JSON`: an upper bound of the bytes, since pruning goes on in the run.

    Rows are those of each table, in the share of its partitions that are assigned. External data
    and recursion leave the cost unknown.
    """
    try:
        [(text,)] = plan
        read = _Plan.model_validate_json(str(text))
    except ValueError:
        return CostEstimate()
    operations = [each for step in read.operations for each in step]
    if any(each.name.startswith(_WITHOUT_FIGURES) for each in operations):
        return CostEstimate()
    scans = [each for each in operations if each.name.startswith(_SCAN)]
    rows = [_rows(each, sizes) for each in scans]
    known = [each for each in rows if each is not None]
    total = sum(known) if len(known) == len(rows) else None
    return CostEstimate(
        rows=total,
        intermediate_rows=None if total is None else _largest(sql, scans, known),
        bytes=read.totals.bytes,
        confidence="upper_bound",
    )


def _rows(scan: _Operation, sizes: Sizes) -> float | None:
    rows = next((sizes.rows[name] for name in _names(scan) if name in sizes.rows), None)
    if rows is None or not scan.partitions_in_all:
        return rows
    return rows * (scan.partitions or 0) / scan.partitions_in_all


def _names(scan: _Operation) -> list[str]:
    """Return how the catalog may call the table: with its schema, else without."""
    parts = scan.objects[0].split(".") if scan.objects else []
    return [".".join(parts[-2:]), *parts[-1:]]


def _largest(sql: str, scans: Sequence[_Operation], rows: Sequence[float]) -> float:
    # Each scan by a name of its own: a table that is joined with itself is scanned twice.
    read = {f"{at} {scan.name}": rows[at] for at, scan in enumerate(scans)}
    return max([rows_multiplied(sql, Dialect.SNOWFLAKE, read), *rows], default=0.0)
