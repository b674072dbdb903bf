"""What SQL Server says of its tables: its own catalog views show what the login may see."""

from __future__ import annotations

from adapters.warehouses.sql_warehouse import Fetch, Found
from adapters.warehouses.threads.catalog import CatalogSql, cut_by, read_tables

_SECONDS = 30.0
_SQL = CatalogSql(
    relations="""
SELECT s.name, o.name, CASE o.type WHEN 'V' THEN 1 ELSE 0 END,
  (SELECT SUM(p.rows) FROM sys.partitions AS p
   WHERE p.object_id = o.object_id AND p.index_id IN (0, 1)),
  (SELECT SUM(a.used_pages) * 8192 FROM sys.partitions AS p
   JOIN sys.allocation_units AS a ON a.container_id = p.partition_id
   WHERE p.object_id = o.object_id AND p.index_id IN (0, 1)),
  CAST(e.value AS nvarchar(4000))
FROM sys.objects AS o JOIN sys.schemas AS s ON s.schema_id = o.schema_id
LEFT JOIN sys.extended_properties AS e
  ON e.major_id = o.object_id AND e.minor_id = 0 AND e.class = 1 AND e.name = 'MS_Description'
WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
  AND HAS_PERMS_BY_NAME(QUOTENAME(s.name) + '.' + QUOTENAME(o.name), 'OBJECT', 'SELECT') = 1
ORDER BY s.name, o.name
""",
    columns="""
SELECT s.name, o.name, c.name,
  t.name + CASE WHEN t.name LIKE '%char' AND c.max_length > 0
    THEN '(' + CAST(c.max_length AS varchar(10)) + ')' ELSE '' END,
  c.is_nullable, CAST(e.value AS nvarchar(4000))
FROM sys.columns AS c
JOIN sys.objects AS o ON o.object_id = c.object_id
JOIN sys.schemas AS s ON s.schema_id = o.schema_id
JOIN sys.types AS t ON t.user_type_id = c.user_type_id
LEFT JOIN sys.extended_properties AS e ON e.major_id = c.object_id AND e.minor_id = c.column_id
  AND e.class = 1 AND e.name = 'MS_Description'
WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
ORDER BY s.name, o.name, c.column_id
""",
    keys="""
SELECT s.name, o.name, i.name, 'p', c.name, NULL, NULL, NULL
FROM sys.indexes AS i
JOIN sys.index_columns AS ic ON ic.object_id = i.object_id AND ic.index_id = i.index_id
JOIN sys.columns AS c ON c.object_id = ic.object_id AND c.column_id = ic.column_id
JOIN sys.objects AS o ON o.object_id = i.object_id
JOIN sys.schemas AS s ON s.schema_id = o.schema_id
WHERE i.is_primary_key = 1
UNION ALL
SELECT s.name, o.name, k.name, 'f', c.name, rs.name, ro.name, rc.name
FROM sys.foreign_keys AS k
JOIN sys.foreign_key_columns AS kc ON kc.constraint_object_id = k.object_id
JOIN sys.objects AS o ON o.object_id = k.parent_object_id
JOIN sys.schemas AS s ON s.schema_id = o.schema_id
JOIN sys.columns AS c ON c.object_id = o.object_id AND c.column_id = kc.parent_column_id
JOIN sys.objects AS ro ON ro.object_id = k.referenced_object_id
JOIN sys.schemas AS rs ON rs.schema_id = ro.schema_id
JOIN sys.columns AS rc ON rc.object_id = ro.object_id AND rc.column_id = kc.referenced_column_id
ORDER BY 1, 2, 3
""",
)

cut = cut_by(
    text=("char", "varchar", "nchar", "nvarchar"),
    plain=(
        *("tinyint", "smallint", "int", "bigint", "decimal", "numeric", "money", "smallmoney"),
        *("float", "real", "bit", "date", "time", "smalldatetime", "uniqueidentifier"),
    ),
    function="substring",
)


async def tables_of(fetch: Fetch) -> Found:
    """Return what the login may read, the tables of its default schema without its name."""
    [(schema,)] = await fetch("SELECT SCHEMA_NAME()", _SECONDS)
    return await read_tables(fetch, _SQL, default_schema=str(schema))
