"""What Snowflake says of one database's tables: its information_schema, which tells no keys."""

from __future__ import annotations

from adapters.warehouses.sql_warehouse import Fetch, Found
from adapters.warehouses.threads.catalog import CatalogSql, cut_by, read_tables

_SECONDS = 60.0
_SQL = CatalogSql(
    relations="""
SELECT table_schema, table_name, table_type LIKE '%VIEW', row_count, bytes, comment
FROM information_schema.tables WHERE table_schema <> 'INFORMATION_SCHEMA'
ORDER BY table_schema, table_name
""",
    columns="""
SELECT table_schema, table_name, column_name,
  CASE WHEN data_type = 'TEXT' AND character_maximum_length < 16777216
    THEN 'TEXT(' || character_maximum_length || ')' ELSE data_type END,
  is_nullable, comment
FROM information_schema.columns WHERE table_schema <> 'INFORMATION_SCHEMA'
ORDER BY table_schema, table_name, ordinal_position
""",
)

cut = cut_by(
    text=("text", "varchar", "char", "string"),
    plain=("number", "decimal", "int", "float", "double", "real", "boolean", "date", "time"),
)


async def tables_of(fetch: Fetch) -> Found:
    """Return what the login may read, the tables of the session's schema without its name."""
    [(schema,)] = await fetch("SELECT current_schema()", _SECONDS)
    return await read_tables(fetch, _SQL, default_schema=str(schema or ""))
