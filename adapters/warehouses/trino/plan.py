"""What Trino says about the tables that a query reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

from pydantic import BaseModel, ConfigDict, Field

from adapters.warehouses.sql_warehouse import Sizes
from adapters.warehouses.threads.shape import rows_multiplied
from core.domain.query import CostEstimate, Dialect
from core.domain.table import Row


class _Estimate(BaseModel):
    model_config = ConfigDict(extra="ignore")

    rows: float = Field(default=float("nan"), alias="outputRowCount")
    bytes: float = Field(default=float("nan"), alias="outputSizeInBytes")
    cpu: float = Field(default=float("nan"), alias="cpuCost")


class _SchemaTable(BaseModel):
    model_config = ConfigDict(extra="ignore")

    table_schema: str = Field(alias="schema")
    table: str


class _Table(BaseModel):
    model_config = ConfigDict(extra="ignore")

    place: _SchemaTable = Field(alias="schemaTable")


class _Input(BaseModel):
    model_config = ConfigDict(extra="ignore")

    table: _Table
    estimate: _Estimate = Field(default_factory=_Estimate)


class _Plan(BaseModel):
    model_config = ConfigDict(extra="ignore")

    inputs: list[_Input] = Field(alias="inputTableColumnInfos")
    estimate: _Estimate = Field(default_factory=_Estimate)


def estimate_of(plan: Sequence[Row], sql: str, _sizes: Sizes) -> CostEstimate:
    """Read `EXPLAIN (TYPE IO, FORMAT JSON)`; "NaN" stands where a connector has no statistics.

    One table without them leaves the cost unknown, since it may be the large one.
    """
    try:
        [(text,)] = plan
        read = _Plan.model_validate_json(str(text))
    except ValueError:
        return CostEstimate()
    figures = [each.estimate for each in read.inputs]
    rows, size = _sum(each.rows for each in figures), _sum(each.bytes for each in figures)
    if rows is None and size is None:
        return CostEstimate()
    by_table = {each.table.place.table: each.estimate.rows for each in read.inputs}
    pairs = rows_multiplied(sql, Dialect.TRINO, by_table) if rows is not None else 0.0
    steps = [*by_table.values(), pairs, read.estimate.rows]
    return CostEstimate(
        rows=rows,
        intermediate_rows=max((each for each in steps if isfinite(each)), default=None),
        bytes=size,
        units=read.estimate.cpu,
        confidence="estimate",
    )


def _sum(figures: Iterable[float]) -> float | None:
    listed = [*figures]
    return sum(listed) if all(map(isfinite, listed)) else None
