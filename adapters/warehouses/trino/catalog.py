"""What Trino says of one catalog's tables: its information_schema, and nothing about sizes."""

from __future__ import annotations

from adapters.warehouses.sql_warehouse import Fetch, Found
from adapters.warehouses.threads.catalog import CatalogSql, cut_by, read_tables

_SECONDS = 30.0
_SQL = CatalogSql(
    relations="""
SELECT table_schema, table_name, table_type = 'VIEW', NULL, NULL, ''
FROM information_schema.tables WHERE table_schema <> 'information_schema'
ORDER BY table_schema, table_name
""",
    columns="""
SELECT table_schema, table_name, column_name, data_type, is_nullable, ''
FROM information_schema.columns WHERE table_schema <> 'information_schema'
ORDER BY table_schema, table_name, ordinal_position
""",
)

cut = cut_by(
    text=("varchar", "char"),
    plain=(
        *("tinyint", "smallint", "integer", "bigint", "decimal", "real", "double", "boolean"),
        *("date", "time", "uuid"),
    ),
)


async def tables_of(fetch: Fetch) -> Found:
    """Return what the login may read, the tables of the session's schema without its name."""
    [(schema,)] = await fetch("SELECT current_schema", _SECONDS)
    return await read_tables(fetch, _SQL, default_schema=str(schema or ""))
