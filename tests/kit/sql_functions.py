"""Writes the function lists that the SQL guard takes from the engines' own catalogues.

    python -m tests.kit.sql_functions postgresql://postgres@127.0.0.1/postgres mysql://root@127.0.0.1

SQLite and DuckDB are read through Python; PostgreSQL and MariaDB from the servers that are named.
What comes out is what the engine itself calls pure. What people decided stands beside it in
core/sql/dialects/<dialect>.txt and is never written by a machine.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

import aiomysql
import asyncpg
import duckdb

LISTS = Path(__file__).parents[2] / "core" / "sql" / "dialects"

# Immutable in every form, callable by name, and no part of an operator, an index or a type.
POSTGRES = """
WITH machinery AS (
    SELECT oprcode::oid AS oid FROM pg_operator
    UNION SELECT amproc::oid FROM pg_amproc
    UNION SELECT unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn,
                              aggmtransfn, aggminvtransfn, aggmfinalfn]::oid[]) FROM pg_aggregate
    UNION SELECT unnest(ARRAY[typinput, typoutput, typreceive, typsend, typmodin, typmodout,
                              typanalyze]::oid[]) FROM pg_type
    UNION SELECT unnest(ARRAY[rngcanonical, rngsubdiff]::oid[]) FROM pg_range
)
SELECT proname AS name
FROM pg_proc
WHERE pronamespace = 'pg_catalog'::regnamespace
GROUP BY proname
HAVING bool_and(provolatile = 'i')
   AND bool_and(prokind <> 'p')
   AND bool_and(prorettype::regtype::text NOT IN ('internal', 'cstring', 'trigger', 'xml'))
   AND NOT bool_or('internal'::regtype = ANY (proargtypes) OR 'cstring'::regtype = ANY (proargtypes)
                   OR 'xml'::regtype = ANY (proargtypes) OR 'aclitem'::regtype = ANY (proargtypes))
   AND bool_or(oid NOT IN (SELECT oid FROM machinery))
   AND proname !~ '^(pg_|xml|acl|txid_|hash_|query|satisfies_|postgresql_|regex(eq|ne)|range_i)'
"""

INNOCUOUS = 0x200000
SQLITE = f"SELECT name FROM pragma_function_list WHERE (flags & {INNOCUOUS}) <> 0"

DUCKDB = """
SELECT DISTINCT function_name AS name
FROM duckdb_functions()
WHERE function_type IN ('scalar', 'aggregate')
  AND NOT has_side_effects
  AND NOT regexp_matches(function_name, '^(__|collate_|icu_collate_)')
"""

MARIADB = "SELECT lower(function) AS name FROM information_schema.sql_functions"

NAME = re.compile(r"[a-z][a-z0-9_]*")


async def main(postgres_url: str, mysql_url: str) -> None:
    write("postgres", await from_postgres(postgres_url))
    write("mysql", await from_mariadb(mysql_url))
    write("sqlite", (row[0] for row in sqlite3.connect(":memory:").execute(SQLITE)))
    write("duckdb", (row[0] for row in duckdb.connect().execute(DUCKDB).fetchall()))


async def from_postgres(url: str) -> list[str]:
    connection = await asyncpg.connect(url)
    try:
        return [row["name"] for row in await connection.fetch(POSTGRES)]
    finally:
        await connection.close()


async def from_mariadb(url: str) -> list[str]:
    parts = urlsplit(url)
    connection = await aiomysql.connect(
        host=parts.hostname or "127.0.0.1",
        port=parts.port or 3306,
        user=parts.username or "root",
        password=parts.password or "",
    )
    try:
        async with connection.cursor() as cursor:
            await cursor.execute(MARIADB)
            return [row[0] for row in await cursor.fetchall()]
    finally:
        connection.close()


def write(dialect: str, names: Iterable[str]) -> None:
    clean = sorted({name.lower() for name in names if NAME.fullmatch(name.lower())})
    head = "# Written by tests/kit/sql_functions.py from the engine's own catalogue; do not edit.\n"
    body = textwrap.fill(" ".join(clean), width=98, break_long_words=False, break_on_hyphens=False)
    (LISTS / f"{dialect}.generated.txt").write_text(f"{head}[functions]\n{body}\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
