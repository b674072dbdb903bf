"""What ClickHouse says of its tables: its system tables list what the login may see."""

from __future__ import annotations

from adapters.warehouses.sql_warehouse import Fetch, Found
from adapters.warehouses.threads.catalog import CatalogSql, cut_by, read_tables

_SECONDS = 30.0
# Its primary key sorts, and does not tell one row from another: it is none here.
_SQL = CatalogSql(
    relations="""
SELECT database, name, engine IN ('View', 'MaterializedView', 'LiveView', 'WindowView'),
  total_rows, total_bytes, comment
FROM system.tables
WHERE database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema')
  AND NOT is_temporary AND NOT startsWith(name, '.inner')
ORDER BY database, name
""",
    columns="""
SELECT database, table, name, type, position(type, 'Nullable(') IN (1, 16), comment
FROM system.columns
WHERE database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema')
ORDER BY database, table, position
""",
)

cut = cut_by(
    text=("string", "fixedstring", "enum"),
    plain=("int", "uint", "float", "decimal", "bool", "date", "uuid", "ipv"),
    function="substring",
)


async def tables_of(fetch: Fetch) -> Found:
    """Return what the login may read, the tables of its database without a schema's name."""
    [(database,)] = await fetch("SELECT currentDatabase()", _SECONDS)
    return await read_tables(fetch, _SQL, default_schema=str(database))
