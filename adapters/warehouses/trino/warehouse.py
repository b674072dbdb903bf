"""Trino as a warehouse: one catalog of it."""

from __future__ import annotations

from functools import partial
from types import ModuleType

from adapters.warehouses.location import ServerLocation
from adapters.warehouses.sql_warehouse import Fetch, Ways
from adapters.warehouses.threads.driver import load
from adapters.warehouses.threads.warehouse import ThreadWarehouse
from adapters.warehouses.trino.catalog import cut, tables_of
from adapters.warehouses.trino.engine import TrinoEngine
from adapters.warehouses.trino.plan import estimate_of
from core.domain.connection import Limits
from core.domain.login import RoleWarnings
from core.domain.query import Dialect

_HTTPS = (443, 8443)


def open_trino(location: ServerLocation, limits: Limits) -> ThreadWarehouse:
    """Open a catalog, over HTTPS where there is a password; with `auth=jwt` that is a token."""
    driver = load("trino.dbapi", extra="trino", engine="Trino")
    errors = load("trino.exceptions", extra="trino", engine="Trino")
    transport = load("requests.exceptions", extra="trino", engine="Trino")
    catalog, schema = location.path
    encrypted = bool(location.password) or location.port in _HTTPS
    connect = partial(
        driver.connect,
        host=location.host,
        port=location.port or (443 if encrypted else 8080),
        user=location.user or "resona",
        source="resona",
        catalog=catalog,
        schema=schema or None,
        http_scheme="https" if encrypted else "http",
        auth=_auth(location),
        timezone="UTC",
        request_timeout=min(30.0, limits.seconds + 5),
        max_attempts=2,
    )
    engine = TrinoEngine(connect, (errors.Error, errors.HttpError, transport.RequestException))
    ways = Ways(
        dialect=Dialect.TRINO,
        read_tables=tables_of,
        cut=cut,
        estimate=estimate_of,
        advice=engine.advice,
        check_role=_check_role,
        at_once=2,
    )
    return ThreadWarehouse(str(location), ways, engine, limits)


def _auth(location: ServerLocation) -> object:
    if not location.password:
        return None
    auth: ModuleType = load("trino.auth", extra="trino", engine="Trino")
    if location.options.get("auth", "").casefold() == "jwt":
        return auth.JWTAuthentication(location.password)
    return auth.BasicAuthentication(location.user, location.password)


async def _check_role(fetch: Fetch) -> RoleWarnings:
    """Say which tables the login may change, as far as the catalog's connector knows of rights."""
    rows = await fetch(_RIGHTS, 30.0)
    if not rows:
        return RoleWarnings()
    named = ", ".join(f"{right} on {schema}.{table}" for schema, table, right in rows[:3])
    return RoleWarnings(
        sentences=(f"The login may do more than read in {len(rows)} cases, {named} among them.",),
        remedy="\n".join(f"REVOKE {right} ON {_quoted(s, t)} FROM resona;" for s, t, right in rows),
    )


def _quoted(*names: object) -> str:
    return ".".join('"' + str(name).replace('"', '""') + '"' for name in names)


_RIGHTS = """
SELECT table_schema, table_name, privilege_type FROM information_schema.table_privileges
WHERE privilege_type <> 'SELECT' AND grantee = current_user
ORDER BY 1, 2, 3
"""
