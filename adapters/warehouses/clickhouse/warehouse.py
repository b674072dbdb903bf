"""ClickHouse as a warehouse."""

from __future__ import annotations

from functools import partial

from adapters.warehouses.clickhouse.catalog import cut, tables_of
from adapters.warehouses.clickhouse.engine import ClickHouseEngine
from adapters.warehouses.clickhouse.plan import estimate_of
from adapters.warehouses.clickhouse.role import check_role
from adapters.warehouses.location import ServerLocation
from adapters.warehouses.sql_warehouse import Ways
from adapters.warehouses.threads.driver import load
from adapters.warehouses.threads.warehouse import ThreadWarehouse
from core.domain.connection import Limits
from core.domain.query import Dialect

_HTTPS = (443, 8443)


def open_clickhouse(location: ServerLocation, limits: Limits) -> ThreadWarehouse:
    """Open one database of a server, over HTTPS unless the URL says `secure=false`."""
    driver = load("clickhouse_connect", extra="clickhouse", engine="ClickHouse")
    errors = load("clickhouse_connect.driver.exceptions", extra="clickhouse", engine="ClickHouse")
    secure = location.options.get("secure", "").casefold()
    connect = partial(
        driver.get_client,
        host=location.host,
        port=location.port,
        username=location.user or "default",
        password=location.password,
        database=location.database,
        secure=location.port in _HTTPS if not secure else secure in ("true", "1"),
        client_name="resona",
        connect_timeout=10,
        send_receive_timeout=int(limits.seconds) + 15,
        query_retries=0,
        autogenerate_session_id=False,
        dedicated_pool=True,
    )
    engine = ClickHouseEngine(connect, errors.ClickHouseError)
    return ThreadWarehouse(str(location), ways(engine), engine, limits)


def ways(engine: ClickHouseEngine) -> Ways:
    """Return what is ClickHouse's own."""
    return Ways(
        dialect=Dialect.CLICKHOUSE,
        read_tables=tables_of,
        cut=cut,
        estimate=estimate_of,
        advice=engine.advice,
        check_role=check_role,
        at_once=3,
    )
