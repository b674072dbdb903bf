"""Makes a catalog of what engines say about their tables, once it has the same columns in all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from sqlglot import exp

from adapters.warehouses.enrichment import CUT_TEXT_AT, named
from adapters.warehouses.kinds import kind_of
from adapters.warehouses.sql_warehouse import Fetch, Found
from core.domain.catalog import CatalogColumn, CatalogTable, ForeignKey
from core.domain.errors import QueryRejected, TemporarilyUnavailable
from core.domain.table import Cell, Row

_Name = tuple[str, str]

_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogSql:
    """Three questions to an engine, each with these columns; schemas that are its own left out.

    relations: schema, name, whether it is a view, rows, bytes, comment
    columns: schema, table, name, type, whether it may be NULL, comment; in their order
    keys: schema, table, name of the key, "p" or "f", column, schema, table and column pointed at,
        in the order of the columns; empty where the engine has none. A login that may not read
        them sees none.
    """

    relations: str
    columns: str
    keys: str = ""


async def read_tables(fetch: Fetch, sql: CatalogSql, *, default_schema: str) -> Found:
    """Return tables and views by name, those of the default schema without a schema's name."""
    relations = await fetch(sql.relations, _SECONDS)
    columns = _by_table(await fetch(sql.columns, _SECONDS))
    keys = _by_table(await _keys(fetch, sql.keys))
    found = _Assembly(columns=columns, keys=keys, default_schema=default_schema)
    tables = [(found.table(row), _figure(row[4])) for row in relations]
    known = sorted(
        ((table, size) for table, size in tables if table.columns),
        key=lambda each: (each[0].name, each[0].schema),
    )
    return Found(
        tables=tuple(table for table, _ in known),
        bytes_by_table={t.qualified_name: size for t, size in known if size is not None},
        default_schema=default_schema,
    )


async def _keys(fetch: Fetch, sql: str) -> Sequence[Row]:
    if not sql:
        return ()
    with suppress(QueryRejected, TemporarilyUnavailable):
        return await fetch(sql, _SECONDS)
    return ()


def _by_table(rows: Sequence[Row]) -> defaultdict[_Name, list[Row]]:
    found: defaultdict[_Name, list[Row]] = defaultdict(list)
    for schema, table, *rest in rows:
        found[str(schema), str(table)].append(tuple(rest))
    return found


@dataclass(frozen=True, slots=True)
class _Assembly:
    columns: defaultdict[_Name, list[Row]]
    keys: defaultdict[_Name, list[Row]]
    default_schema: str

    def table(self, row: Row) -> CatalogTable:
        schema, name, is_view, rows, _, comment = row
        place = (str(schema), str(name))
        primary, foreign = self._keys_of(place)
        pointing = {column for key in foreign for column in key.columns}
        return CatalogTable(
            name=str(name),
            schema=self._shown(schema),
            columns=tuple(
                _column(each, is_key=str(each[0]) in {*primary, *pointing})
                for each in self.columns[place]
            ),
            primary_key=primary,
            foreign_keys=foreign,
            row_estimate=None if _flag(is_view) else _figure(rows),
            comment=str(comment or ""),
            is_view=_flag(is_view),
        )

    def _keys_of(self, place: _Name) -> tuple[tuple[str, ...], tuple[ForeignKey, ...]]:
        primary: list[str] = []
        pairs: dict[str, list[Row]] = defaultdict(list)
        for name, kind, column, *target in self.keys[place]:
            if kind == "p":
                primary.append(str(column))
            else:
                pairs[str(name)].append((column, *target))
        foreign = tuple(
            ForeignKey(
                columns=tuple(str(here) for here, *_ in rows),
                to_schema=self._shown(rows[0][1]),
                to_table=str(rows[0][2]),
                to_columns=tuple(str(there) for *_, there in rows),
            )
            for rows in pairs.values()
        )
        return tuple(primary), foreign

    def _shown(self, schema: Cell) -> str:
        return "" if schema == self.default_schema else str(schema)


def _column(row: Row, *, is_key: bool) -> CatalogColumn:
    name, type_, nullable, comment = row
    word = plain_type(str(type_))
    return CatalogColumn(
        name=str(name),
        type=word,
        kind=kind_of(str(name), word, is_key=is_key),
        nullable=_flag(nullable),
        comment=str(comment or ""),
    )


def plain_type(type_: str) -> str:
    """Return a type without what ClickHouse puts around it."""
    word = type_
    for around in ("LowCardinality(", "Nullable("):
        if word.startswith(around) and word.endswith(")"):
            word = word.removeprefix(around)[:-1]
    return word


def _flag(cell: Cell) -> bool:
    return cell in (True, 1, "YES", "yes", "true", "Y")


def _figure(cell: Cell) -> int | None:
    """Return a whole number; None where the engine says nothing, or that it does not know."""
    if cell is None or isinstance(cell, bool):
        return None
    try:
        figure = int(str(cell).partition(".")[0])
    except ValueError:
        return None
    return figure if figure >= 0 else None


def cut_by(
    text: Sequence[str], plain: Sequence[str], function: str = "substr"
) -> Callable[[CatalogColumn], exp.Expr]:
    """Return what makes a bearable cell: text is cut, plain values stay, the rest is left out.

    text, plain: how the names of such types begin, in lower case
    """

    def cut(column: CatalogColumn) -> exp.Expr:
        cell, word = named(column), column.type.casefold()
        if word.startswith(tuple(text)):
            return exp.func(function, cell, exp.Literal.number(1), exp.Literal.number(CUT_TEXT_AT))
        return cell if word.startswith(tuple(plain)) else exp.null()

    return cut
