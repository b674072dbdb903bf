"""A SQLite file as a warehouse."""

from pathlib import Path

from adapters.warehouses.file import FileFormat, FileWarehouse
from adapters.warehouses.sqlite.catalog import cut, read_tables
from adapters.warehouses.sqlite.plan import estimate_of
from core.domain.connection import Limits
from core.domain.query import Dialect


class SqliteWarehouse(FileWarehouse):
    """Reads one file, which has to be there. Dates are text in it, decimals floats."""

    def __init__(self, path: Path, limits: Limits | None = None) -> None:
        super().__init__(path, SQLITE, limits or Limits())


def advice(words: str) -> str:
    """Say what is wrong with a file, and what to do, given SQLite's words."""
    if "locked" in words:
        return "is locked by another program. Close it there and connect again."
    if "not a database" in words:
        return "is no SQLite database. Check the file name."
    if "unable to open" in words:
        return "cannot be opened. Check that it exists and may be read."
    return f"cannot be read ({words}). Check the file, or restore it from a copy."


SQLITE = FileFormat(
    dialect=Dialect.SQLITE,
    engine="adapters.warehouses.sqlite.engine",
    memory_bytes=2 * 1024**3,
    idle_seconds=300.0,
    read_tables=read_tables,
    cut=cut,
    explain="EXPLAIN QUERY PLAN",
    estimate=estimate_of,
    advice=advice,
)
