"""What Redshift says of its tables: its views show what the login may read, Spectrum included."""

from __future__ import annotations

from adapters.warehouses.sql_warehouse import Fetch, Found
from adapters.warehouses.threads.catalog import CatalogSql, cut_by, read_tables

_SECONDS = 30.0
_SQL = CatalogSql(
    relations="""
SELECT t.table_schema, t.table_name, t.table_type = 'VIEW', i.tbl_rows,
  i.size * 1048576, coalesce(t.remarks, '')
FROM svv_tables AS t
LEFT JOIN svv_table_info AS i ON i.schema = t.table_schema AND i."table" = t.table_name
WHERE t.table_schema NOT IN ('information_schema', 'pg_catalog', 'pg_internal')
  AND t.table_catalog = current_database()
ORDER BY 1, 2
""",
    columns="""
SELECT table_schema, table_name, column_name, data_type, is_nullable, coalesce(remarks, '')
FROM svv_columns
WHERE table_schema NOT IN ('information_schema', 'pg_catalog', 'pg_internal')
  AND table_catalog = current_database()
ORDER BY table_schema, table_name, ordinal_position
""",
    keys="""
SELECT c.table_schema, c.table_name, c.constraint_name,
  CASE c.constraint_type WHEN 'PRIMARY KEY' THEN 'p' ELSE 'f' END, k.column_name,
  there.table_schema, there.table_name, there.column_name
FROM information_schema.table_constraints AS c
JOIN information_schema.key_column_usage AS k
  ON k.constraint_schema = c.constraint_schema AND k.constraint_name = c.constraint_name
  AND k.table_name = c.table_name
LEFT JOIN information_schema.referential_constraints AS r
  ON r.constraint_schema = c.constraint_schema AND r.constraint_name = c.constraint_name
LEFT JOIN information_schema.key_column_usage AS there
  ON there.constraint_schema = r.unique_constraint_schema
  AND there.constraint_name = r.unique_constraint_name
  AND there.ordinal_position = k.ordinal_position
WHERE c.constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
ORDER BY 1, 2, 3, k.ordinal_position
""",
)

cut = cut_by(
    text=("char", "character", "varchar", "text", "bpchar", "nvarchar"),
    plain=(
        "smallint",
        "integer",
        "bigint",
        "numeric",
        "decimal",
        "real",
        "double",
        "bool",
        "date",
        "time",
    ),
)


async def tables_of(fetch: Fetch) -> Found:
    """Return what the login may read, the tables of the current schema without a schema's name."""
    [(schema,)] = await fetch("SELECT current_schema()", _SECONDS)
    return await read_tables(fetch, _SQL, default_schema=str(schema))
