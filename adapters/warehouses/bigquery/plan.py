"""What BigQuery's dry run says about the bytes that a query will read."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.warehouses.sql_warehouse import Sizes
from adapters.warehouses.threads.shape import rows_multiplied, tables_named
from core.domain.query import CostEstimate, Dialect
from core.domain.table import Row

# How far the service trusts its own figure; of a table elsewhere it knows too little.
_CONFIDENCE = {"PRECISE": "exact", "UPPER_BOUND": "upper_bound", "": "upper_bound"}


def estimate_of(plan: Sequence[Row], sql: str, sizes: Sizes) -> CostEstimate:
    """Read a dry run: statement type, bytes, and how exact they are.

    Only a SELECT has a known cost. Rows are all those of the tables named, since a dry run tells
    none; a table of unknown size leaves them unknown.
    """
    try:
        [(kind, size, accuracy)] = plan
    except ValueError:
        return CostEstimate()
    confidence = _CONFIDENCE.get(str(accuracy))
    if kind != "SELECT" or not isinstance(size, int) or confidence is None:
        return CostEstimate()
    read = _rows(sql, sizes)
    return CostEstimate(
        rows=None if read is None else sum(read.values()),
        intermediate_rows=None if read is None else _largest(sql, read),
        bytes=size,
        confidence="exact" if confidence == "exact" else "upper_bound",
    )


def _rows(sql: str, sizes: Sizes) -> dict[str, float] | None:
    read: dict[str, float] = {}
    for name in tables_named(sql, Dialect.BIGQUERY) or ():
        if name not in sizes.rows:
            return None
        read[name] = read.get(name, 0.0) + sizes.rows[name]
    return read


def _largest(sql: str, read: dict[str, float]) -> float:
    return max([rows_multiplied(sql, Dialect.BIGQUERY, read), *read.values()], default=0.0)
