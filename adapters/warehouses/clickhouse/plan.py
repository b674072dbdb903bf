"""What ClickHouse says about the rows that a query will read."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.warehouses.sql_warehouse import Sizes
from adapters.warehouses.threads.shape import rows_multiplied, tables_named
from core.domain.query import CostEstimate, Dialect
from core.domain.table import Row


def estimate_of(plan: Sequence[Row], sql: str, sizes: Sizes) -> CostEstimate:
    """Read `EXPLAIN ESTIMATE`: database, table, parts, rows, marks of each MergeTree table.

    It is silent about tables of other engines, which are read as a whole, and about what a join
    makes: without a condition, all rows of its tables multiply. What is neither there nor of a
    known size leaves the cost unknown.
    """
    named = tables_named(sql, Dialect.CLICKHOUSE)
    if named is None:
        return CostEstimate()
    read = {_shown(row, sizes): _figure(row[3]) for row in plan}
    for name in named:
        if name not in read and name in sizes.rows:
            read[name] = float(sizes.rows[name])
    if named and not read:
        return CostEstimate()
    pairs = rows_multiplied(sql, Dialect.CLICKHOUSE, read)
    return CostEstimate(
        rows=sum(read.values()),
        intermediate_rows=max([pairs, *read.values()]),
        bytes=_bytes(read, sizes),
        confidence="estimate",
    )


def _shown(row: Row, sizes: Sizes) -> str:
    database, table, *_ = row
    qualified = f"{database}.{table}"
    return qualified if qualified in sizes.rows else str(table)


def _bytes(read: dict[str, float], sizes: Sizes) -> float | None:
    touched = {name: rows for name, rows in read.items() if rows}
    if not all(name in sizes.bytes and sizes.rows.get(name) for name in touched):
        return None
    return sum(sizes.bytes[name] * rows / sizes.rows[name] for name, rows in touched.items())


def _figure(cell: object) -> float:
    return float(cell) if isinstance(cell, int | float) else 0.0
