"""What BigQuery says of a project's tables: the INFORMATION_SCHEMA of each dataset."""

from __future__ import annotations

import re
from contextlib import suppress

from sqlglot import exp

from adapters.warehouses.enrichment import named
from adapters.warehouses.sql_warehouse import Fetch, Found
from adapters.warehouses.threads.catalog import CatalogSql, read_tables
from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.errors import QueryRejected

_SECONDS = 60.0
_MOST_DATASETS = 50
# A name is put into the SQL of these questions, so that it may be nothing but a name.
_NAME = re.compile(r"\w+")
_REGION = re.compile(r"[a-z]+(-[a-z]+\d*)*")
_DATASETS = """
SELECT schema_name FROM `region-{region}`.INFORMATION_SCHEMA.SCHEMATA ORDER BY schema_name
"""
_RELATIONS = """
SELECT dataset_id, table_id, type = 2, row_count, size_bytes, ''
FROM `{dataset}.__TABLES__` ORDER BY table_id
"""
_COLUMNS = """
SELECT c.table_schema, c.table_name, c.column_name, c.data_type, c.is_nullable, p.description
FROM `{dataset}`.INFORMATION_SCHEMA.COLUMNS AS c
LEFT JOIN `{dataset}`.INFORMATION_SCHEMA.COLUMN_FIELD_PATHS AS p
  ON p.table_name = c.table_name AND p.field_path = c.column_name
ORDER BY c.table_name, c.ordinal_position
"""
# A foreign key of several columns does not say which of them belong together: it is left out.
_KEYS = """
SELECT k.table_schema, k.table_name, k.constraint_name, 'p', k.column_name,
  CAST(NULL AS STRING), CAST(NULL AS STRING), CAST(NULL AS STRING)
FROM `{dataset}`.INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS k
JOIN `{dataset}`.INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS c
  ON c.constraint_name = k.constraint_name AND c.table_name = k.table_name
WHERE c.constraint_type = 'PRIMARY KEY'
UNION ALL
SELECT ANY_VALUE(k.table_schema), k.table_name, k.constraint_name, 'f', ANY_VALUE(k.column_name),
  ANY_VALUE(u.table_schema), ANY_VALUE(u.table_name), ANY_VALUE(u.column_name)
FROM `{dataset}`.INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS k
JOIN `{dataset}`.INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS c
  ON c.constraint_name = k.constraint_name AND c.table_name = k.table_name
JOIN `{dataset}`.INFORMATION_SCHEMA.CONSTRAINT_COLUMN_USAGE AS u
  ON u.constraint_name = k.constraint_name
WHERE c.constraint_type = 'FOREIGN KEY'
GROUP BY k.table_name, k.constraint_name HAVING COUNT(*) = 1
"""


async def tables_of(fetch: Fetch, *, dataset: str, region: str) -> Found:
    """Return the tables of one dataset, or without its name those of all that may be read."""
    if dataset:
        return await _of_dataset(fetch, dataset, default=dataset)
    tables: list[CatalogTable] = []
    sizes: dict[str, int] = {}
    for name in await _datasets(fetch, region):
        with suppress(QueryRejected):  # one that may be seen and not read
            found = await _of_dataset(fetch, name, default="")
            tables += found.tables
            sizes |= found.bytes_by_table
    return Found(
        tables=tuple(sorted(tables, key=lambda table: (table.name, table.schema))),
        bytes_by_table=sizes,
    )


async def _datasets(fetch: Fetch, region: str) -> list[str]:
    if not _REGION.fullmatch(region):
        raise QueryRejected(f"{region!r} is no location of BigQuery, such as EU or us-east1.")
    rows = await fetch(_DATASETS.format(region=region), _SECONDS)
    return [str(name) for (name,) in rows if _NAME.fullmatch(str(name))][:_MOST_DATASETS]


async def _of_dataset(fetch: Fetch, dataset: str, *, default: str) -> Found:
    if not _NAME.fullmatch(dataset):
        raise QueryRejected(f"{dataset!r} is no name of a dataset.")
    sql = CatalogSql(
        relations=_RELATIONS.format(dataset=dataset),
        columns=_COLUMNS.format(dataset=dataset),
        keys=_KEYS.format(dataset=dataset),
    )
    return await read_tables(fetch, sql, default_schema=default)


def cut(column: CatalogColumn) -> exp.Expr:
    """Return the cell itself: every look into a table is billed, so that none is taken."""
    return named(column)
