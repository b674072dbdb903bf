"""Redshift as a warehouse."""

from __future__ import annotations

from functools import partial

from adapters.warehouses.location import ServerLocation
from adapters.warehouses.redshift.catalog import cut, tables_of
from adapters.warehouses.redshift.engine import RedshiftEngine
from adapters.warehouses.redshift.plan import estimate_of
from adapters.warehouses.redshift.role import check_role
from adapters.warehouses.sql_warehouse import Ways
from adapters.warehouses.threads.driver import load
from adapters.warehouses.threads.warehouse import ThreadWarehouse
from core.domain.connection import Limits
from core.domain.query import Dialect

_SSL_MODES = ("verify-ca", "verify-full")


def open_redshift(location: ServerLocation, limits: Limits) -> ThreadWarehouse:
    """Open one database of a cluster or workgroup; encrypted unless the URL says `ssl=false`."""
    driver = load("redshift_connector", extra="redshift", engine="Redshift")
    mode = location.options.get("sslmode", "")
    connect = partial(
        driver.connect,
        host=location.host,
        port=location.port,
        user=location.user,
        password=location.password,
        database=location.database,
        ssl=location.options.get("ssl", "true").casefold() not in ("false", "0"),
        sslmode=mode if mode in _SSL_MODES else "verify-ca",
        timeout=int(limits.seconds) + 15,
        application_name="resona",
        max_prepared_statements=0,
    )
    engine = RedshiftEngine(connect, driver.Error)
    ways = Ways(
        dialect=Dialect.REDSHIFT,
        read_tables=tables_of,
        cut=cut,
        estimate=estimate_of,
        advice=engine.advice,
        check_role=check_role,
        at_once=3,
    )
    return ThreadWarehouse(str(location), ways, engine, limits)
