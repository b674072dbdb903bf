"""A DuckDB file as a warehouse."""

from pathlib import Path

from adapters.warehouses.child.messages import Open
from adapters.warehouses.child.pool import ChildPool
from adapters.warehouses.duckdb.catalog import cut, read_tables
from adapters.warehouses.duckdb.plan import estimate_of
from adapters.warehouses.sql_warehouse import SqlWarehouse, Ways
from core.domain.connection import Limits
from core.domain.errors import ToolError
from core.domain.query import Dialect

_ENGINE = "adapters.warehouses.duckdb.engine"
_MEMORY = 1024**3
# An open file keeps everybody else from writing to it, so it is let go soon.
_IDLE_SECONDS = 20.0


class DuckDBWarehouse(SqlWarehouse):
    """Reads one file, which has to be there.

    Moments come in UTC, and a month of an interval counts 30 days.
    """

    def __init__(self, path: Path, limits: Limits | None = None) -> None:
        place = str(path.absolute())
        opening = Open(path=place, memory_bytes=_MEMORY)
        door = ChildPool(_ENGINE, opening, idle_seconds=_IDLE_SECONDS)
        super().__init__(place, WAYS, door, limits or Limits())


def advice(error: ToolError) -> str:
    """Say what is wrong with a file, and what to do, given DuckDB's words."""
    first_line, *_ = error.advice.splitlines() or [""]
    if "lock" in first_line:
        return "is open for writing in another program. Close it there and connect again."
    if "not a valid DuckDB" in first_line:
        return "is no DuckDB database. Check the file name."
    if "Cannot open file" in first_line:
        return "cannot be opened. Check that it exists and may be read."
    return f"cannot be read ({first_line}). Check the file, or restore it from a copy."


WAYS = Ways(
    dialect=Dialect.DUCKDB,
    read_tables=read_tables,
    cut=cut,
    explain="EXPLAIN (FORMAT json)",
    estimate=estimate_of,
    advice=advice,
)
