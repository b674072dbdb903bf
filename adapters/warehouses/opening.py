"""From what a person writes (a URL or a path) to a warehouse that can be read."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from adapters.warehouses.duckdb.warehouse import DuckDBWarehouse
from adapters.warehouses.postgres.warehouse import PostgresWarehouse
from adapters.warehouses.sql_warehouse import SqlWarehouse
from adapters.warehouses.sqlite.warehouse import SqliteWarehouse
from core.domain.connection import Limits
from core.domain.errors import ConnectionUnusable


async def open_warehouse(url: str, *, limits: Limits | None = None) -> SqlWarehouse:
    """Open what a URL or a path names; nothing is read yet, `inspect` says whether it can be.

    Raises:
        ConnectionUnusable: it is no address of a warehouse, or there is no such file.
    """
    if url.startswith("postgresql://"):
        return PostgresWarehouse(url, place=url, limits=limits)
    path = _file(url)
    if not path.is_file():
        raise ConnectionUnusable(f"There is no file {path}. Check the path.")
    if path.suffix == ".duckdb" or url.startswith("duckdb:"):
        return DuckDBWarehouse(path, limits)
    return SqliteWarehouse(path, limits)


def _file(url: str) -> Path:
    path = url.removeprefix("sqlite:///").removeprefix("duckdb:///")
    return Path(unquote(path)).expanduser()
