"""SQL Server and Azure SQL as a warehouse."""

from __future__ import annotations

from functools import partial

from adapters.warehouses.location import ServerLocation
from adapters.warehouses.sql_warehouse import Ways
from adapters.warehouses.sqlserver.catalog import cut, tables_of
from adapters.warehouses.sqlserver.engine import SqlServerEngine
from adapters.warehouses.sqlserver.plan import estimate_of
from adapters.warehouses.sqlserver.role import check_role
from adapters.warehouses.threads.driver import load
from adapters.warehouses.threads.warehouse import ThreadWarehouse
from core.domain.connection import Limits
from core.domain.query import Dialect

_ODBC_DRIVER = "ODBC Driver 18 for SQL Server"


def open_sqlserver(location: ServerLocation, limits: Limits) -> ThreadWarehouse:
    """Open one database, encrypted, on a replica for reading where there is one."""
    driver = load("pyodbc", extra="sqlserver", engine="SQL Server")
    connect = partial(driver.connect, connection_string(location), autocommit=False, timeout=10)
    engine = SqlServerEngine(connect, driver.Error)
    ways = Ways(
        dialect=Dialect.TSQL,
        read_tables=tables_of,
        cut=cut,
        estimate=estimate_of,
        advice=engine.advice,
        check_role=check_role,
        at_once=2,
    )
    return ThreadWarehouse(str(location), ways, engine, limits)


def connection_string(location: ServerLocation) -> str:
    """Return what ODBC reads, each value in braces so that none can end early."""
    options = location.options
    parts = {
        "DRIVER": options.get("driver", _ODBC_DRIVER),
        "SERVER": f"tcp:{location.host},{location.port}",
        "DATABASE": location.database,
        "UID": location.user,
        "PWD": location.password,
        "Encrypt": options.get("encrypt", "yes"),
        "TrustServerCertificate": options.get("trust_server_certificate", "no"),
        "Authentication": options.get("authentication", ""),
        "ApplicationIntent": "ReadOnly",
        "APP": "resona",
    }
    return ";".join(f"{name}={_braced(value)}" for name, value in parts.items() if value)


def _braced(value: str) -> str:
    return "{" + value.replace("}", "}}") + "}"
