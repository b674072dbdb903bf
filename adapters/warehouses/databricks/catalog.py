"""What Databricks says of one catalog's tables: Unity Catalog's information_schema."""

from __future__ import annotations

from adapters.warehouses.sql_warehouse import Fetch, Found
from adapters.warehouses.threads.catalog import CatalogSql, cut_by, read_tables

_SECONDS = 60.0
_SQL = CatalogSql(
    relations="""
SELECT table_schema, table_name, table_type LIKE '%VIEW', NULL, NULL, coalesce(comment, '')
FROM information_schema.tables WHERE table_schema <> 'information_schema'
ORDER BY table_schema, table_name
""",
    columns="""
SELECT table_schema, table_name, column_name, full_data_type, is_nullable, coalesce(comment, '')
FROM information_schema.columns WHERE table_schema <> 'information_schema'
ORDER BY table_schema, table_name, ordinal_position
""",
    keys="""
SELECT c.table_schema, c.table_name, c.constraint_name,
  CASE c.constraint_type WHEN 'PRIMARY KEY' THEN 'p' ELSE 'f' END, k.column_name,
  there.table_schema, there.table_name, there.column_name
FROM information_schema.table_constraints AS c
JOIN information_schema.key_column_usage AS k
  ON k.constraint_schema = c.constraint_schema AND k.constraint_name = c.constraint_name
LEFT JOIN information_schema.referential_constraints AS r
  ON r.constraint_schema = c.constraint_schema AND r.constraint_name = c.constraint_name
LEFT JOIN information_schema.key_column_usage AS there
  ON there.constraint_schema = r.unique_constraint_schema
  AND there.constraint_name = r.unique_constraint_name
  AND there.ordinal_position = k.position_in_unique_constraint
WHERE c.constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
ORDER BY 1, 2, 3, k.ordinal_position
""",
)

cut = cut_by(
    text=("string", "varchar", "char"),
    plain=(
        *("tinyint", "smallint", "int", "bigint", "decimal", "float", "double", "boolean"),
        *("date", "timestamp"),
    ),
)


async def tables_of(fetch: Fetch) -> Found:
    """Return what the login may read, the tables of the session's schema without its name."""
    [(schema,)] = await fetch("SELECT current_schema()", _SECONDS)
    return await read_tables(fetch, _SQL, default_schema=str(schema))
