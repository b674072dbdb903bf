"""A SQLite file as a warehouse."""

from pathlib import Path

from adapters.warehouses.child.messages import Open
from adapters.warehouses.child.pool import ChildPool
from adapters.warehouses.sql_warehouse import SqlWarehouse, Ways
from adapters.warehouses.sqlite.catalog import cut, read_tables
from adapters.warehouses.sqlite.plan import estimate_of
from core.domain.connection import Limits
from core.domain.errors import ToolError
from core.domain.query import Dialect

_ENGINE = "adapters.warehouses.sqlite.engine"
_MEMORY = 2 * 1024**3


class SqliteWarehouse(SqlWarehouse):
    """Reads one file, which has to be there. Dates are text in it, decimals floats."""

    def __init__(self, path: Path, limits: Limits | None = None) -> None:
        place = str(path.absolute())
        door = ChildPool(_ENGINE, Open(path=place, memory_bytes=_MEMORY))
        super().__init__(place, WAYS, door, limits or Limits())


def advice(error: ToolError) -> str:
    """Say what is wrong with a file, and what to do, given SQLite's words."""
    words = error.advice
    if "locked" in words:
        return "is locked by another program. Close it there and connect again."
    if "not a database" in words:
        return "is no SQLite database. Check the file name."
    if "unable to open" in words:
        return "cannot be opened. Check that it exists and may be read."
    return f"cannot be read ({words}). Check the file, or restore it from a copy."


WAYS = Ways(
    dialect=Dialect.SQLITE,
    read_tables=read_tables,
    cut=cut,
    explain="EXPLAIN QUERY PLAN",
    estimate=estimate_of,
    advice=advice,
)
