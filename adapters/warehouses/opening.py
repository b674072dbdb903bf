"""From what a person writes (a URL or a path) to a warehouse that can be read."""

from __future__ import annotations

import asyncio
from importlib import import_module

from adapters.warehouses.location import FileLocation, ServerLocation, locate
from adapters.warehouses.sql_warehouse import SqlWarehouse
from core.domain.connection import Limits
from core.domain.errors import ConnectionUnusable
from core.domain.query import Dialect

_REQUIRED = ("require", "required", "verify-ca", "verify-full", "verify_ca", "true", "1")


async def open_warehouse(url: str, *, limits: Limits | None = None) -> SqlWarehouse:
    """Open what a URL or a path names; nothing is read yet, `inspect` says whether it can be.

    Raises:
        ConnectionUnusable: it is no address of a warehouse, there is no such file, or the driver
            is not installed.
    """
    location = await asyncio.to_thread(locate, url)
    match location:
        case FileLocation():
            return _open_file(location, limits)
        case ServerLocation(dialect=Dialect.POSTGRES):
            return _open_postgres(location, limits)
        case ServerLocation(dialect=Dialect.MYSQL):
            return _open_mysql(location, limits)
        case ServerLocation():
            return await asyncio.to_thread(_open_service, location, limits or Limits())


def _open_service(location: ServerLocation, limits: Limits) -> SqlWarehouse:
    """Open what a driver reaches that blocks; loading one takes a moment."""
    name = "sqlserver" if location.dialect is Dialect.TSQL else location.dialect.value
    module = import_module(f"adapters.warehouses.{name}.warehouse")
    opened: SqlWarehouse = getattr(module, f"open_{name}")(location, limits)
    return opened


def _open_file(location: FileLocation, limits: Limits | None) -> SqlWarehouse:
    if location.dialect is Dialect.DUCKDB:
        from adapters.warehouses.duckdb.warehouse import DuckDBWarehouse

        return DuckDBWarehouse(location.path, limits)
    from adapters.warehouses.sqlite.warehouse import SqliteWarehouse

    return SqliteWarehouse(location.path, limits)


def _open_postgres(location: ServerLocation, limits: Limits | None) -> SqlWarehouse:
    from adapters.warehouses.postgres.warehouse import PostgresWarehouse

    return PostgresWarehouse(location.dsn, place=str(location), limits=limits)


def _open_mysql(location: ServerLocation, limits: Limits | None) -> SqlWarehouse:
    try:
        from adapters.warehouses.mysql.driver import Login
        from adapters.warehouses.mysql.warehouse import MysqlWarehouse
    except ModuleNotFoundError as error:
        raise ConnectionUnusable(
            "The driver for MySQL and MariaDB is not installed. Run: pip install 'resona[mysql]'"
        ) from error
    asked = location.options.get("ssl-mode", location.options.get("ssl", ""))
    login = Login(
        host=location.host,
        port=location.port,
        user=location.user,
        password=location.password,
        database=location.database,
        encrypted=asked.casefold() in _REQUIRED,
    )
    return MysqlWarehouse(login, place=str(location), limits=limits)
