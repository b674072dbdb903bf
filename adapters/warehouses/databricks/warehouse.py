"""Databricks as a warehouse: one catalog, read through a SQL warehouse."""

from __future__ import annotations

import math
from functools import partial

from adapters.warehouses.databricks.catalog import cut, tables_of
from adapters.warehouses.databricks.engine import DatabricksEngine
from adapters.warehouses.databricks.plan import estimate_of
from adapters.warehouses.databricks.role import check_role
from adapters.warehouses.location import ServerLocation
from adapters.warehouses.sql_warehouse import Ways
from adapters.warehouses.threads.driver import load
from adapters.warehouses.threads.warehouse import ThreadWarehouse
from core.domain.connection import Limits
from core.domain.errors import ConnectionUnusable
from core.domain.query import Dialect


def open_databricks(location: ServerLocation, limits: Limits) -> ThreadWarehouse:
    """Open a catalog; the URL's password is the access token.

    Raises:
        ConnectionUnusable: the URL names no SQL warehouse.
    """
    driver = load("databricks.sql", extra="databricks", engine="Databricks")
    errors = load("databricks.sql.exc", extra="databricks", engine="Databricks")
    path = location.options.get("http_path", "")
    if not path:
        raise ConnectionUnusable(
            "The URL names no SQL warehouse: add ?http_path=/sql/1.0/warehouses/ID, as the"
            " warehouse's connection details show it."
        )
    catalog, schema = location.path
    connect = partial(
        driver.connect,
        server_hostname=location.host,
        http_path=path,
        access_token=location.password,
        catalog=catalog or location.options.get("catalog", "main"),
        schema=schema or location.options.get("schema", "default"),
        session_configuration={
            "STATEMENT_TIMEOUT": str(max(1, math.ceil(limits.seconds))),
            "TIMEZONE": "UTC",
            "ANSI_MODE": "true",
        },
        user_agent_entry="resona",
        enable_telemetry=False,
        # By itself it would try for a quarter of an hour, and hold a thread as long.
        _retry_stop_after_attempts_count=10,
        _retry_stop_after_attempts_duration=60.0,
        _socket_timeout=int(limits.seconds) + 15,
    )
    engine = DatabricksEngine(connect, (errors.Error,))
    ways = Ways(
        dialect=Dialect.DATABRICKS,
        read_tables=tables_of,
        cut=cut,
        estimate=estimate_of,
        advice=engine.advice,
        check_role=check_role,
        at_once=2,
    )
    return ThreadWarehouse(str(location), ways, engine, limits)
