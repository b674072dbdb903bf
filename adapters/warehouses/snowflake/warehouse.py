"""Snowflake as a warehouse: one database of an account."""

from __future__ import annotations

import math
from functools import partial

from adapters.warehouses.location import ServerLocation
from adapters.warehouses.snowflake.catalog import cut, tables_of
from adapters.warehouses.snowflake.engine import SnowflakeEngine
from adapters.warehouses.snowflake.plan import estimate_of
from adapters.warehouses.snowflake.role import check_role
from adapters.warehouses.sql_warehouse import Ways
from adapters.warehouses.threads.driver import load
from adapters.warehouses.threads.warehouse import ThreadWarehouse
from core.domain.connection import Limits
from core.domain.query import Dialect

# With these the URL's password is a token.
_TOKENS = ("oauth", "programmatic_access_token")


def open_snowflake(location: ServerLocation, limits: Limits) -> ThreadWarehouse:
    """Open one database.

    The URL's password is a password; with `private_key_file` it is that of the key, with
    `authenticator=programmatic_access_token` or `oauth` it is the token.
    """
    driver = load("snowflake.connector", extra="snowflake", engine="Snowflake")
    database, schema = location.path
    seconds = max(1, math.ceil(limits.seconds))
    connect = partial(
        driver.connect,
        account=location.host,
        user=location.user,
        database=database,
        schema=schema or "PUBLIC",
        **_secret(location),
        **{name: location.options[name] for name in _NAMED if name in location.options},
        application="Resona",
        enable_server_session_keep_alive_auto_detection=False,
        login_timeout=30,
        platform_detection_timeout_seconds=0,
        query_timeout=seconds + 15,
        request_timeout=30,
        session_parameters={
            "STATEMENT_TIMEOUT_IN_SECONDS": seconds,
            "STATEMENT_QUEUED_TIMEOUT_IN_SECONDS": seconds,
            "MULTI_STATEMENT_COUNT": 1,
            "ABORT_DETACHED_QUERY": True,
            "TIMEZONE": "UTC",
            "WEEK_START": 1,
            "QUERY_TAG": "resona",
            "CLIENT_TELEMETRY_ENABLED": False,
        },
    )
    engine = SnowflakeEngine(connect, driver.errors.Error)
    ways = Ways(
        dialect=Dialect.SNOWFLAKE,
        read_tables=tables_of,
        cut=cut,
        estimate=estimate_of,
        advice=engine.advice,
        check_role=check_role,
        at_once=2,
    )
    return ThreadWarehouse(str(location), ways, engine, limits)


# The last three name another way to the service, such as a proxy.
_NAMED = ("warehouse", "role", "authenticator", "host", "port", "protocol")


def _secret(location: ServerLocation) -> dict[str, str]:
    key = location.options.get("private_key_file", "")
    if key:
        phrase = {"private_key_file_pwd": location.password} if location.password else {}
        return {"private_key_file": key, "authenticator": "SNOWFLAKE_JWT", **phrase}
    if location.options.get("authenticator", "").casefold() in _TOKENS:
        return {"token": location.password}
    return {"password": location.password}
