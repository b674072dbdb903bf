"""A PostgreSQL full of what an attack may want, and the ways to send it one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Protocol, cast

from adapters.warehouses.opening import open_warehouse
from adapters.warehouses.postgres import driver
from core.domain.query import Dialect
from tests.kit.fences.files import listing, places_of
from tests.kit.fences.trial import State
from tests.kit.own_servers import LOCAL, OwnServer
from tests.kit.patience import PATIENCE
from tests.kit.servers import run_in_postgres

CANARIES = ("canary-of-the-vault", "canary-of-a-file", "canary-of-a-mapping", "canary-of-a-query")
READER = "resona_reader"
_SHOP = (
    "CREATE EXTENSION dblink",
    "CREATE EXTENSION tablefunc",
    "CREATE TABLE customers (id SERIAL PRIMARY KEY, name TEXT, email TEXT, country TEXT)",
    "CREATE TABLE orders (id SERIAL PRIMARY KEY, customer_id INT, amount NUMERIC, status TEXT)",
    "CREATE TABLE events (id SERIAL PRIMARY KEY, payload JSONB)",
    "CREATE INDEX events_payload_idx ON events USING gin (payload)",
    "INSERT INTO customers (name, email, country) SELECT 'n' || i, i || '@example.org',"
    " CASE WHEN i % 2 = 0 THEN 'FR' ELSE 'ES' END FROM generate_series(1, 60) AS i",
    "INSERT INTO orders (customer_id, amount, status) SELECT i % 60 + 1, i, 'paid'"
    " FROM generate_series(1, 200) AS i",
    "INSERT INTO events (payload) VALUES ('{\"a\": 1}'), ('{\"a\": 2}')",
    "CREATE FUNCTION log_access(who TEXT) RETURNS INT LANGUAGE sql"
    " AS $$ INSERT INTO events (payload) VALUES (to_jsonb(who)); SELECT 1 $$",
    "CREATE FUNCTION immutable_side_effect() RETURNS INT IMMUTABLE LANGUAGE plpgsql"
    " AS $$ BEGIN PERFORM nextval('orders_id_seq'); RETURN 1; END $$",
    "CREATE FUNCTION purge_old_orders(days INT) RETURNS INT LANGUAGE sql SECURITY DEFINER"
    " AS $$ DELETE FROM orders WHERE id < 10; SELECT days $$",
    "CREATE PROCEDURE do_cleanup() LANGUAGE sql AS $$ DELETE FROM events $$",
    "CREATE TYPE audit_tag AS (tag TEXT)",
    "CREATE FUNCTION to_audit_tag(who TEXT) RETURNS audit_tag LANGUAGE plpgsql AS"
    " $$ BEGIN PERFORM log_access(who); RETURN ROW(who); END $$",
    "CREATE CAST (TEXT AS audit_tag) WITH FUNCTION to_audit_tag(TEXT)",
    "CREATE FUNCTION same_and_told(a TEXT, b TEXT) RETURNS BOOLEAN LANGUAGE plpgsql AS"
    " $$ BEGIN PERFORM log_access(a); RETURN a = b; END $$",
    "CREATE OPERATOR === (LEFTARG = TEXT, RIGHTARG = TEXT, FUNCTION = same_and_told)",
)
# Made after the login, which therefore may not read it.
_VAULT = (
    "CREATE SCHEMA vault",
    "CREATE TABLE vault.secrets AS SELECT 'canary-of-the-vault'::text AS secret",
    "CREATE FOREIGN DATA WRAPPER nowhere",
    "CREATE SERVER elsewhere FOREIGN DATA WRAPPER nowhere",
    "CREATE USER MAPPING FOR postgres SERVER elsewhere OPTIONS (password 'canary-of-a-mapping')",
)
_OWNER = "CREATE ROLE an_owner LOGIN PASSWORD 'secret'"
_KNOWN_ROLES = ("postgres", "an_owner", READER)
_STATE = """
SELECT
  (SELECT string_agg(concat_ws(' ', oid, xmin, relname, relacl), ',' ORDER BY oid) FROM pg_class
    WHERE oid >= 16384 OR relacl IS NOT NULL) AS relations,
  (SELECT string_agg(concat_ws(' ', oid, xmin, proname), ',' ORDER BY oid) FROM pg_proc
    WHERE oid >= 16384) AS functions,
  (SELECT string_agg(part, ',' ORDER BY part) FROM (
    SELECT concat_ws(' ', 'type', oid, xmin) AS part FROM pg_type WHERE oid >= 16384
    UNION ALL SELECT concat_ws(' ', 'schema', oid, xmin) FROM pg_namespace WHERE oid >= 16384
    UNION ALL SELECT concat_ws(' ', 'cast', oid, xmin) FROM pg_cast WHERE oid >= 16384
    UNION ALL SELECT concat_ws(' ', 'trigger', oid, xmin) FROM pg_trigger
    UNION ALL SELECT concat_ws(' ', 'server', oid, xmin) FROM pg_foreign_server
    UNION ALL SELECT concat_ws(' ', 'extension', oid, xmin) FROM pg_extension
    UNION ALL SELECT concat_ws(' ', 'collations', count(*)) FROM pg_collation
    UNION ALL SELECT concat_ws(' ', 'comments', count(*)) FROM pg_description
    UNION ALL SELECT concat_ws(' ', 'subscription', oid) FROM pg_subscription
  ) AS objects) AS objects,
  (SELECT string_agg(concat_ws(' ', schemaname, sequencename, last_value), ','
    ORDER BY schemaname, sequencename) FROM pg_sequences) AS sequences,
  (SELECT string_agg(concat_ws(' ', rolname, rolsuper, rolcreaterole, rolcreatedb, rolpassword), ','
    ORDER BY oid) FROM pg_authid) AS roles,
  (SELECT string_agg(concat_ws(' ', roleid, member), ',' ORDER BY roleid, member)
    FROM pg_auth_members) AS members,
  (SELECT string_agg(s::text, ',' ORDER BY s::text) FROM pg_db_role_setting AS s) AS role_settings,
  (SELECT string_agg(concat_ws(' ', datname, datacl), ',' ORDER BY oid) FROM pg_database)
    AS databases,
  (SELECT string_agg(gid, ',') FROM pg_prepared_xacts) AS prepared_transactions,
  (SELECT string_agg(slot_name, ',') FROM pg_replication_slots) AS slots,
  (SELECT string_agg(oid::text, ',') FROM pg_largeobject_metadata) AS large_objects,
  (SELECT string_agg(concat_ws(' ', locktype, mode, objid), ',') FROM pg_locks
    WHERE pid <> pg_backend_pid()) AS locks,
  (SELECT stats_reset::text FROM pg_stat_database WHERE datname = current_database())
    AS statistics,
  pg_read_file('postgresql.auto.conf') AS settings,
  (SELECT string_agg(f, ',' ORDER BY f) FROM pg_ls_dir('.') AS f) AS data_directory
"""
_ROWS = """
SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
"""
_CONTENT = """
SELECT '{0}', md5(string_agg(t.xmin::text || t::text, '|' ORDER BY t::text)) FROM {0} AS t
"""
_RUNNING = """
SELECT query FROM pg_stat_activity
WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()
"""
# The server's own way of waiting for an end looks every tenth of a second only.
_THERE = "SELECT pg_sleep(0.002) FROM pg_stat_activity WHERE pid = {0}"


class _Reading(Protocol):
    async def fetch(self, query: str) -> Sequence[Sequence[str]]: ...

    async def fetchrow(self, query: str) -> dict[str, str | None]: ...


class PostgresWorld:
    """One database on a server of its own.

    `url` is its administrator's, `reader_url` that of the login that our own statements have made.
    """

    dialect = Dialect.POSTGRES
    canaries = CANARIES
    failures = (driver.ServerError, driver.DriverError, driver.InternalError, OSError)

    def __init__(self, server: OwnServer) -> None:
        self._server = f"postgresql://postgres@{LOCAL}:{server.port}"
        self.url = f"{self._server}/shop"
        self.reader_url = f"postgresql://{READER}@{LOCAL}:{server.port}/shop"
        self._places = places_of(server)
        self._remedy: list[str] = []
        self._own: driver.Connection | None = None
        self._other: driver.Connection | None = None

    async def make(self) -> None:
        await run_in_postgres(f"{self._server}/postgres", "CREATE DATABASE shop", _OWNER)
        await run_in_postgres(self.url, *_SHOP)
        self._remedy = await self._applied_remedy()
        await run_in_postgres(self.url, *_VAULT)
        await run_in_postgres(
            f"{self._server}/postgres", "ALTER DATABASE shop RENAME TO shop_template"
        )
        self._other = await driver.connect(f"{self._server}/postgres", seconds=PATIENCE)
        await self._other.execute("SELECT 'canary-of-a-query'")
        await self.restore()

    async def close(self) -> None:
        for each in (self._own, self._other):
            if each is not None:
                each.terminate()
        self._own = self._other = None

    async def state(self) -> State:
        see = await self._administrator()
        row = dict(await see.fetchrow(_STATE))
        contents = " UNION ALL ".join(_CONTENT.format(name) for (name,) in await see.fetch(_ROWS))
        rows = {name: str(digest) for name, digest in await see.fetch(contents)}
        files = {"files": listing(self._places.written)}
        return {key: value or "" for key, value in row.items()} | rows | files

    async def running(self) -> Sequence[str]:
        return [text for (text,) in await (await self._administrator()).fetch(_RUNNING)]

    async def end(self, process: int) -> None:
        """End a connection, and wait until it has gone."""
        see = await self._administrator()
        await see.fetch(f"SELECT pg_terminate_backend({process})")
        while await see.fetch(_THERE.format(process)):
            continue

    async def restore(self) -> None:
        if self._own is not None:
            self._own.terminate()
            self._own = None
        async with self._connected("postgres") as see:
            roles = [name for (name,) in await see.fetch("SELECT rolname FROM pg_roles")]
            names = await see.fetch("SELECT slot_name FROM pg_replication_slots")
            prepared = await see.fetch("SELECT gid FROM pg_prepared_xacts")
        added = [each for each in roles if each not in _KNOWN_ROLES and not each.startswith("pg_")]
        await self._let_go([gid for (gid,) in prepared])
        await run_in_postgres(
            f"{self._server}/postgres",
            *(f"SELECT pg_drop_replication_slot('{name}')" for (name,) in names),
            "DROP DATABASE IF EXISTS shop WITH (FORCE)",
            *(f"DROP ROLE {name}" for name in added),
            "ALTER SYSTEM RESET ALL",
            "SELECT pg_reload_conf()",
            "CREATE DATABASE shop TEMPLATE shop_template",
            # The rights of a database are not copied with it.
            *(each for each in self._remedy if " ON DATABASE " in each),
        )
        self._places.clear()

    def fitted(self, sql: str) -> str:
        return self._places.fitted(sql)

    async def _applied_remedy(self) -> list[str]:
        warehouse = await open_warehouse(self.url)
        try:
            remedy = (await warehouse.role_warnings()).remedy.splitlines()
        finally:
            await warehouse.close()
        await run_in_postgres(self.url, *remedy)
        return remedy

    async def _let_go(self, prepared: Sequence[str]) -> None:
        """Let go of what keeps a database from being dropped."""
        async with self._connected("postgres") as see:
            exists = await see.fetch("SELECT 1 FROM pg_database WHERE datname = 'shop'")
        if not exists:
            return
        async with self._connected("shop") as see:
            names = [name for (name,) in await see.fetch("SELECT subname FROM pg_subscription")]
        await run_in_postgres(
            self.url,
            *(f"ROLLBACK PREPARED '{gid}'" for gid in prepared),
            *(
                f"ALTER SUBSCRIPTION {name} {part}"
                for name in names
                for part in ("DISABLE", "SET (slot_name = NONE)")
            ),
            *(f"DROP SUBSCRIPTION {name}" for name in names),
        )

    async def _administrator(self) -> _Reading:
        if self._own is None:
            self._own = await driver.connect(self.url, seconds=PATIENCE)
        return cast("_Reading", self._own)

    @asynccontextmanager
    async def _connected(self, database: str) -> AsyncGenerator[_Reading]:
        connection = await driver.connect(f"{self._server}/{database}", seconds=PATIENCE)
        try:
            yield cast("_Reading", connection)
        finally:
            connection.terminate()
