"""Reads what a login may read in one database of MySQL or MariaDB, in a few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from sqlglot import exp

from adapters.warehouses.enrichment import CUT_TEXT_AT, named, relation
from adapters.warehouses.keys import Keys
from adapters.warehouses.kinds import kind_of
from adapters.warehouses.sql_warehouse import Fetch, Found
from core.domain.catalog import CatalogColumn, CatalogTable, ForeignKey
from core.domain.errors import ToolError
from core.domain.query import Dialect
from core.domain.table import Cell, Row

_SECONDS = 30.0
_SECONDS_TO_COUNT = 1.0
_COUNTED_UP_TO = 32 * 1024 * 1024
_TABLES_AT_ONCE = 100
_TEXT = ("char", "varchar", "text", "tinytext", "mediumtext", "longtext", "enum", "set", "uuid")
_NO_PLAIN_VALUE = (
    *("json", "blob", "tinyblob", "mediumblob", "longblob", "binary", "varbinary"),
    *("geometry", "point", "bit", "time"),
)

_DATABASE = "SELECT database()"
_RELATIONS = """
SELECT table_name, table_type = 'VIEW' OR table_type = 'SYSTEM VIEW', coalesce(table_rows, 0),
  coalesce(data_length, 0), coalesce(data_length + index_length, 0), coalesce(table_comment, ''),
  coalesce(view_definition, '')
FROM information_schema.tables
LEFT JOIN information_schema.views USING (table_schema, table_name)
WHERE table_schema = database() ORDER BY table_name
"""
_COLUMNS = """
SELECT table_name, column_name, column_type, is_nullable = 'YES', coalesce(column_comment, '')
FROM information_schema.columns WHERE table_schema = database()
ORDER BY table_name, ordinal_position
"""
_KEYS = """
SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
FROM information_schema.key_column_usage
WHERE table_schema = database()
  AND coalesce(referenced_table_schema, database()) = database()
ORDER BY table_name, constraint_name, ordinal_position
"""


async def read_tables(fetch: Fetch) -> Found:
    """Return the tables and views of the connection's database by name."""
    [[database]] = await fetch(_DATABASE, _SECONDS)
    relations = await fetch(_RELATIONS, _SECONDS)
    columns = _by_table(await fetch(_COLUMNS, _SECONDS))
    keys = _by_table(await fetch(_KEYS, _SECONDS))
    found = [
        _table(row, columns[str(row[0])], _keys(keys[str(row[0])]))
        for row in relations
        if columns[str(row[0])]
    ]
    small = {str(row[0]) for row in relations if not row[1] and _whole(row[3]) <= _COUNTED_UP_TO}
    counts = await _counted([table for table in found if table.name in small], fetch)
    return Found(
        tables=tuple(
            replace(table, row_estimate=counts.get(table.name, table.row_estimate))
            for table in found
        ),
        bytes_by_table={str(row[0]): _whole(row[4]) for row in relations},
        default_schema=str(database),
    )


def cut(column: CatalogColumn) -> exp.Expr:
    """Return a cell that is not too long: text is cut, and what is no plain value left out."""
    cell = named(column)
    word = column.type.partition("(")[0].strip().casefold()
    if word in _NO_PLAIN_VALUE:
        return exp.null()
    return exp.func("left", cell, exp.Literal.number(CUT_TEXT_AT)) if word in _TEXT else cell


def _by_table(rows: Sequence[Row]) -> defaultdict[str, list[Row]]:
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for table, *rest in rows:
        found[str(table)].append(tuple(rest))
    return found


def _table(row: Row, columns: Sequence[Row], keys: Keys) -> CatalogTable:
    name, is_view, rows, _, _, comment, definition = row
    return CatalogTable(
        name=str(name),
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
        row_estimate=None if is_view else _whole(rows),
        comment="" if is_view else str(comment),
        is_view=bool(is_view),
        definition=str(definition),
    )


def _keys(rows: Sequence[Row]) -> Keys:
    by_name: dict[Cell, list[Row]] = {}
    for name, *rest in rows:
        by_name.setdefault(name, []).append(tuple(rest))
    primary = by_name.pop("PRIMARY", [])
    return Keys(
        primary=tuple(str(column) for column, *_ in primary),
        foreign=tuple(
            ForeignKey(
                columns=tuple(str(here) for here, _, _ in parts),
                to_table=str(parts[0][1]),
                to_columns=tuple(str(there) for _, _, there in parts),
            )
            for parts in by_name.values()
            if parts[0][1] is not None
        ),
        unique=tuple(
            tuple(str(here) for here, _, _ in parts)
            for parts in by_name.values()
            if parts[0][1] is None
        ),
    )


async def _counted(tables: Sequence[CatalogTable], fetch: Fetch) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(tables), _TABLES_AT_ONCE):
        sql = " UNION ALL ".join(
            exp.select(exp.Literal.string(table.name), exp.func("count", exp.Star()))
            .from_(relation(table))
            .sql(Dialect.MYSQL)
            for table in tables[start : start + _TABLES_AT_ONCE]
        )
        # Without a count the engine's own guess stays.
        with suppress(ToolError):
            rows = await fetch(sql, _SECONDS_TO_COUNT)
            found |= {str(name): _whole(count) for name, count in rows}
    return found


def _whole(cell: Cell) -> int:
    return int(str(cell)) if cell is not None else 0
