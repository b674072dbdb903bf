"""A DuckDB file as a warehouse."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from adapters.warehouses.duckdb.catalog import cut, read_tables
from adapters.warehouses.duckdb.plan import estimate_of
from adapters.warehouses.file import FileFormat, FileWarehouse
from core.domain.connection import Limits
from core.domain.query import CostEstimate, Dialect
from core.domain.table import Row


class DuckDBWarehouse(FileWarehouse):
    """Reads one file, which has to be there.

    Moments come in UTC, and a month of an interval counts 30 days.
    """

    def __init__(self, path: Path, limits: Limits | None = None) -> None:
        super().__init__(path, DUCKDB, limits or Limits())


def estimate(plan: Sequence[Row], _sql: str, row_counts: Mapping[str, int]) -> CostEstimate:
    """Judge what `EXPLAIN (FORMAT json)` gave: one row, whose second cell is the plan."""
    return estimate_of(str(plan[0][1]), row_counts) if plan else CostEstimate()


def advice(words: str) -> str:
    """Say what is wrong with a file, and what to do, given DuckDB's words."""
    if "lock" in words:
        return "is open for writing in another program. Close it there and connect again."
    if "not a valid DuckDB" in words:
        return "is no DuckDB database. Check the file name."
    if "Cannot open file" in words:
        return "cannot be opened. Check that it exists and may be read."
    first_line, *_ = words.splitlines() or [""]
    return f"cannot be read ({first_line}). Check the file, or restore it from a copy."


DUCKDB = FileFormat(
    dialect=Dialect.DUCKDB,
    engine="adapters.warehouses.duckdb.engine",
    memory_bytes=1024**3,
    # An open file keeps everybody else from writing to it, so it is let go soon.
    idle_seconds=20.0,
    read_tables=read_tables,
    cut=cut,
    explain="EXPLAIN (FORMAT json)",
    estimate=estimate,
    advice=advice,
)
