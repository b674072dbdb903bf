"""Reads tables, columns and keys of a SQLite file in a few queries."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlglot import exp

from adapters.warehouses.enrichment import CUT_TEXT_AT, named
from adapters.warehouses.kinds import kind_of
from adapters.warehouses.sql_warehouse import Fetch, Found
from adapters.warehouses.sqlite.comments import comments_of
from core.domain.catalog import CatalogColumn, CatalogTable, ForeignKey
from core.domain.errors import QueryRejected, ToolError
from core.domain.query import Dialect
from core.domain.table import Cell, Row

_RELATIONS = """
SELECT name, type, coalesce(sql, '') FROM sqlite_master
WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
ORDER BY name
"""
_COLUMNS_OF_TABLES = """
SELECT m.name, c.name, c.type, c."notnull", c.pk
FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS c
WHERE m.type = 'table' AND c.hidden <> 1 ORDER BY m.name, c.cid
"""
_FOREIGN_KEYS = """
SELECT m.name, k.id, k."table", k."from", k."to"
FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS k
WHERE m.type = 'table' ORDER BY m.name, k.id, k.seq
"""
_UNIQUE_KEYS = """
SELECT m.name, l.name, i.name
FROM sqlite_master AS m, pragma_index_list(m.name) AS l, pragma_index_info(l.name) AS i
WHERE m.type = 'table' AND l."unique" AND l.origin <> 'pk' AND NOT l.partial
ORDER BY m.name, l.seq, i.seqno
"""
_FILE_BYTES = """
SELECT c.page_count * s.page_size FROM pragma_page_count AS c, pragma_page_size AS s
"""
_SHADOWS = frozenset(
    {"data", "idx", "content", "docsize", "config", "segments", "segdir", "stat"}
    | {"node", "rowid", "parent"}
)
_TABLES_AT_ONCE = 200
_COUNTED_TOGETHER = 300_000
_COUNT = exp.func("count", exp.Star())
_SECONDS = 30.0
_SECONDS_TO_COUNT = 0.3
_SECONDS_TO_COUNT_ALL = 1.5
_SMALLEST_ROW = 8


@dataclass(frozen=True, slots=True)
class _Relation:
    name: str
    is_view: bool
    sql: str

    @property
    def is_virtual(self) -> bool:
        return self.sql[:30].upper().startswith("CREATE VIRTUAL TABLE")

    @property
    def has_rowid(self) -> bool:
        return not self.is_view and "WITHOUT" not in self.sql.rsplit(")", 1)[-1].upper()


async def read_tables(fetch: Fetch) -> Found:
    """Return tables and views with columns, keys and numbers of rows; a broken view is left out."""
    relations = _without_shadows(
        [
            _Relation(str(name), kind == "view", str(sql))
            for name, kind, sql in await fetch(_RELATIONS, _SECONDS)
        ]
    )
    columns = await _columns(relations, fetch)
    keys = _grouped(await fetch(_FOREIGN_KEYS, _SECONDS))
    unique = _grouped(await fetch(_UNIQUE_KEYS, _SECONDS))
    tables = [
        replace(
            _table(each, columns[each.name], keys.get(each.name, ())),
            unique_keys=_unique_keys(unique.get(each.name, ())),
        )
        for each in relations
        if columns.get(each.name)
    ]
    counts = await _row_counts([each for each in relations if not each.is_view], fetch)
    return Found(
        tables=tuple(
            replace(table, row_estimate=counts.get(table.name))
            for table in _with_implied_targets(tables)
        )
    )


def cut(column: CatalogColumn) -> exp.Expr:
    """Return a cell of any type: SQLite keeps what it is given, whatever the column says."""
    cell = named(column)
    kind = exp.func("typeof", cell)
    return (
        exp.case(kind)
        .when(exp.Literal.string("text"), exp.func("substr", cell, 1, CUT_TEXT_AT))
        .when(exp.Literal.string("blob"), exp.null())
        .else_(cell)
    )


async def _row_counts(tables: Sequence[_Relation], fetch: Fetch) -> dict[str, int]:
    """Count the tables; one that takes too long has as many rows as its largest row id says."""
    [[file_bytes]] = await fetch(_FILE_BYTES, _SECONDS)
    most = _whole(file_bytes) // _SMALLEST_ROW
    with_rowid = [each.name for each in tables if each.has_rowid and not each.is_virtual]
    largest = await _figures(with_rowid, exp.func("max", exp.column("rowid")), fetch)
    small = [name for name, rows in largest.items() if rows <= _COUNTED_TOGETHER]
    counts = await _figures(small, _COUNT, fetch)
    clock = asyncio.get_running_loop().time
    ends_at = clock() + _SECONDS_TO_COUNT_ALL
    for name in (each.name for each in tables if each.name not in counts):
        if clock() < ends_at:
            counts |= await _figures([name], _COUNT, fetch, seconds=_SECONDS_TO_COUNT)
    # Row ids may be given out at random, so the size of the file bounds them too.
    return {**{name: min(rows, most) for name, rows in largest.items()}, **counts}


async def _figures(
    names: Sequence[str], figure: exp.Expr, fetch: Fetch, *, seconds: float = _SECONDS
) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(names), _TABLES_AT_ONCE):
        sql = " UNION ALL ".join(
            exp.select(exp.Literal.string(name), figure.copy())
            .from_(exp.table_(name, quoted=True))
            .sql(Dialect.SQLITE)
            for name in names[start : start + _TABLES_AT_ONCE]
        )
        with suppress(ToolError):
            found |= {str(name): _whole(count) for name, count in await fetch(sql, seconds)}
    return found


async def _columns(relations: Sequence[_Relation], fetch: Fetch) -> dict[str, list[Row]]:
    try:
        found = _grouped(await fetch(_COLUMNS_OF_TABLES, _SECONDS))
    except QueryRejected:
        # One table of a module that this build of SQLite lacks spoils the query for all.
        found = {}
    for each in relations:
        if each.name not in found:
            found[each.name] = await _columns_of(each.name, fetch)
    return found


async def _columns_of(name: str, fetch: Fetch) -> list[Row]:
    columns = exp.func("pragma_table_xinfo", exp.Literal.string(name))
    sql = exp.select("name", "type", '"notnull"', "pk").from_(columns).where("hidden <> 1")
    try:
        return [*await fetch(sql.sql(Dialect.SQLITE), _SECONDS)]
    except QueryRejected:
        return []


def _without_shadows(relations: list[_Relation]) -> list[_Relation]:
    shadows = {
        f"{each.name}_{suffix}" for each in relations if each.is_virtual for suffix in _SHADOWS
    }
    return [each for each in relations if each.name not in shadows]


def _grouped(rows: Iterable[Row]) -> dict[str, list[Row]]:
    groups: defaultdict[str, list[Row]] = defaultdict(list)
    for name, *rest in rows:
        groups[str(name)].append(tuple(rest))
    return groups


def _table(found: _Relation, columns: Sequence[Row], keys: Sequence[Row]) -> CatalogTable:
    foreign = _foreign_keys(keys)
    primary = [
        (_whole(position), str(name)) for name, _, _, position in columns if _whole(position)
    ]
    comments = comments_of("" if found.is_view else found.sql)
    names_of_keys = {name for _, name in primary} | {n for key in foreign for n in key.columns}
    return CatalogTable(
        name=found.name,
        is_view=found.is_view,
        definition=found.sql if found.is_view else "",
        comment=comments.get("", ""),
        primary_key=tuple(name for _, name in sorted(primary)),
        foreign_keys=foreign,
        columns=tuple(
            CatalogColumn(
                name=str(name),
                type=str(type_),
                kind=kind_of(str(name), str(type_), is_key=name in names_of_keys),
                nullable=not required and not position,
                comment=comments.get(str(name).casefold(), ""),
            )
            for name, type_, required, position in columns
        ),
    )


def _foreign_keys(rows: Sequence[Row]) -> tuple[ForeignKey, ...]:
    by_id: dict[Cell, list[Row]] = {}
    for number, *rest in rows:
        by_id.setdefault(number, []).append(tuple(rest))
    return tuple(
        ForeignKey(
            columns=tuple(str(here) for _, here, _ in parts),
            to_table=str(parts[0][0]),
            to_columns=tuple(str(there) for _, _, there in parts if there is not None),
        )
        for parts in by_id.values()
    )


def _unique_keys(rows: Sequence[Row]) -> tuple[tuple[str, ...], ...]:
    """Return the columns of each unique index but those on expressions, which have no name."""
    by_index: defaultdict[Cell, list[Cell]] = defaultdict(list)
    for index, column in rows:
        by_index[index].append(column)
    return tuple(tuple(map(str, each)) for each in by_index.values() if None not in each)


def _with_implied_targets(tables: Sequence[CatalogTable]) -> list[CatalogTable]:
    """Name the columns that a key points at; where none is named it is the primary key."""
    by_name = {table.name.casefold(): table for table in tables}

    def completed(key: ForeignKey) -> ForeignKey:
        target = by_name.get(key.to_table.casefold())
        if target is None:
            return key
        return replace(key, to_table=target.name, to_columns=key.to_columns or target.primary_key)

    return [
        replace(table, foreign_keys=tuple(map(completed, table.foreign_keys))) for table in tables
    ]


def _whole(cell: Cell) -> int:
    return cell if isinstance(cell, int) else 0
