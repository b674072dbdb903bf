"""Reads tables, columns and keys of a DuckDB file in four queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlglot import exp

from adapters.warehouses.enrichment import CUT_TEXT_AT, named
from adapters.warehouses.keys import Keys
from adapters.warehouses.kinds import kind_of
from adapters.warehouses.sql_warehouse import Fetch, Found
from core.domain.catalog import CatalogColumn, CatalogTable, ForeignKey
from core.domain.table import Cell, Row

_Name = tuple[str, str]

_SECONDS = 30.0
_DEFAULT_SCHEMA = "main"
_NO_PLAIN_VALUE = ("BLOB", "BIT", "STRUCT", "MAP", "UNION", "JSON")
_RELATIONS = """
SELECT schema_name, table_name, coalesce(comment, ''), estimated_size, false, ''
FROM duckdb_tables() WHERE NOT internal AND database_name = current_database()
UNION ALL
SELECT schema_name, view_name, coalesce(comment, ''), NULL, true, sql
FROM duckdb_views() WHERE NOT internal AND database_name = current_database()
ORDER BY ALL
"""
_COLUMNS = """
SELECT schema_name, table_name, column_name, data_type, is_nullable, coalesce(comment, '')
FROM duckdb_columns() WHERE NOT internal AND database_name = current_database()
ORDER BY schema_name, table_name, column_index
"""
_KEYS = """
SELECT schema_name, table_name, constraint_type, constraint_column_names,
  referenced_table, referenced_column_names
FROM duckdb_constraints()
WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY', 'UNIQUE')
  AND database_name = current_database()
ORDER BY schema_name, table_name, constraint_index
"""


async def read_tables(fetch: Fetch) -> Found:
    """Return tables and views by name, those of the default schema without a schema's name."""
    relations = await fetch(_RELATIONS, _SECONDS)
    columns = _by_table(await fetch(_COLUMNS, _SECONDS))
    keys = _by_table(await fetch(_KEYS, _SECONDS))
    found = (
        _table(row, columns[name], _keys(keys[name], schema))
        for row in relations
        for schema, name in ((str(row[0]), (str(row[0]), str(row[1]))),)
    )
    return Found(tables=tuple(sorted(found, key=lambda table: (table.name, table.schema))))


def _by_table(rows: Sequence[Row]) -> defaultdict[_Name, list[Row]]:
    found: defaultdict[_Name, list[Row]] = defaultdict(list)
    for schema, table, *rest in rows:
        found[str(schema), str(table)].append(tuple(rest))
    return found


def cut(column: CatalogColumn) -> exp.Expr:
    """Return a cell that is not too long: text is cut, and what is no plain value left out."""
    cell = named(column)
    if column.type.startswith("VARCHAR"):
        return exp.func("substr", cell, 1, CUT_TEXT_AT)
    if column.type.startswith(_NO_PLAIN_VALUE) or column.type.endswith("]"):
        return exp.null()
    return cell


def _table(row: Row, columns: Sequence[Row], keys: Keys) -> CatalogTable:
    schema, name, comment, size, is_view, definition = row
    return CatalogTable(
        name=str(name),
        schema=_shown(str(schema)),
        columns=tuple(
            CatalogColumn(
                name=str(column),
                type=str(type_),
                kind=kind_of(str(column), str(type_), is_key=column in keys.columns),
                nullable=bool(nullable),
                comment=str(text),
            )
            for column, type_, nullable, text in columns
        ),
        primary_key=keys.primary,
        foreign_keys=keys.foreign,
        unique_keys=keys.unique,
        row_estimate=size if isinstance(size, int) else None,
        comment=str(comment),
        is_view=bool(is_view),
        definition=str(definition),
    )


def _keys(rows: Sequence[Row], schema: str) -> Keys:
    primary = (_names(columns) for kind, columns, *_ in rows if kind == "PRIMARY KEY")
    return Keys(
        primary=next(primary, ()),
        foreign=tuple(
            # A key of DuckDB never leaves its schema.
            ForeignKey(
                columns=_names(here),
                to_table=str(table),
                to_columns=_names(there),
                to_schema=_shown(schema),
            )
            for kind, here, table, there in rows
            if kind == "FOREIGN KEY"
        ),
        unique=tuple(_names(columns) for kind, columns, *_ in rows if kind == "UNIQUE"),
    )


def _shown(schema: str) -> str:
    return "" if schema == _DEFAULT_SCHEMA else schema


def _names(cell: Cell) -> tuple[str, ...]:
    return tuple(map(str, cell)) if isinstance(cell, list) else ()
