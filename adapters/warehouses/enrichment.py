"""Looks into the tables of a catalog: what their columns hold, and the values of those with few.

Everything here is bounded: some rows of each table, distinct values of its first rows, and a
number of seconds after which the rest of the catalog stays as it was read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from adapters.warehouses.kinds import kind_of_stored
from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.errors import ToolError
from core.domain.query import Dialect
from core.domain.table import Cell, ColumnKind, Row

_SECONDS_IN_ALL = 3.0
_SECONDS_A_TABLE = 1.0
_SAMPLED_ROWS = 300
_MOST_VALUES = 30
_LONGEST_VALUE = 60
_ROWS_FOR_VALUES = 200_000
_COLUMNS_AT_ONCE = 50
CUT_TEXT_AT = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """How one engine is asked.

    `fetch` runs a SELECT of ours within some seconds; `cut` is a cell of a column, cut to a
    bearable length where it is text; `at_once` tables may be looked into at the same time.
    """

    dialect: Dialect
    fetch: Callable[[str, int, float], Awaitable[Sequence[Row]]]
    cut: Callable[[CatalogColumn], exp.Expr]
    at_once: int = 1


async def enriched(tables: Sequence[CatalogTable], source: Source) -> tuple[CatalogTable, ...]:
    """Return the tables with kinds judged by their rows, and with the values of few-valued columns.

    A table that cannot be read in time, or at all, is returned as it came.
    """
    clock = asyncio.get_running_loop().time
    ends_at = clock() + _SECONDS_IN_ALL
    turn = asyncio.Semaphore(source.at_once)

    async def in_turn(table: CatalogTable) -> CatalogTable:
        async with turn:
            seconds = min(_SECONDS_A_TABLE, ends_at - clock())
            return await _look_into(table, source, seconds) if seconds > 0 else table

    async with asyncio.TaskGroup() as looking:
        looks = [looking.create_task(in_turn(table)) for table in tables]
    return tuple(look.result() for look in looks)


async def _look_into(table: CatalogTable, source: Source, seconds: float) -> CatalogTable:
    try:
        sample = await _sample(table, source, seconds)
        judged = replace(table, columns=judged_by(table, sample))
        return replace(judged, columns=await _with_values(judged, sample, source, seconds))
    except ToolError:
        return table


async def _sample(table: CatalogTable, source: Source, seconds: float) -> Sequence[Row]:
    cells = [source.cut(column) for column in table.columns]
    select = exp.select(*cells).from_(relation(table)).limit(_SAMPLED_ROWS)
    return await source.fetch(select.sql(source.dialect), _SAMPLED_ROWS, seconds)


def relation(table: CatalogTable) -> exp.Table:
    """Return the table as a query names it, quoted."""
    return exp.table_(table.name, db=table.schema or None, quoted=True)


def named(column: CatalogColumn) -> exp.Column:
    """Return the column as a query names it, quoted."""
    return exp.column(column.name, quoted=True)


def judged_by(table: CatalogTable, sample: Sequence[Row]) -> tuple[CatalogColumn, ...]:
    """Return the columns with the kinds that their types and the rows give them together."""
    keys = key_columns(table)
    return tuple(
        replace(
            column,
            kind=kind_of_stored(
                column.name,
                column.type,
                is_key=column.name in keys,
                cells=[row[at] for row in sample],
            ),
        )
        for at, column in enumerate(table.columns)
    )


def key_columns(table: CatalogTable) -> frozenset[str]:
    """Return the columns that name a row of this table or of another."""
    pointing = (name for key in table.foreign_keys for name in key.columns)
    return frozenset({*table.primary_key, *pointing})


def few_valued(table: CatalogTable, sample: Sequence[Row]) -> tuple[CatalogColumn, ...]:
    """Return the columns that may have few values: groups by kind, and few in the sample."""
    keys = key_columns(table)
    return tuple(
        column
        for at, column in enumerate(table.columns)
        if column.kind is ColumnKind.DIMENSION
        and _are_few([row[at] for row in sample], is_key=column.name in keys)
    )


def _are_few(cells: Sequence[Cell], *, is_key: bool) -> bool:
    texts = {str(cell) for cell in cells if cell is not None}
    if not texts or len(texts) > _MOST_VALUES or max(map(len, texts)) > _LONGEST_VALUE:
        return False
    return not (is_key and all(text.isdigit() for text in texts))


async def _with_values(
    table: CatalogTable, sample: Sequence[Row], source: Source, seconds: float
) -> tuple[CatalogColumn, ...]:
    candidates = few_valued(table, sample)[:_COLUMNS_AT_ONCE]
    if not candidates:
        return table.columns
    most = (_MOST_VALUES + 1) * len(candidates)
    rows = await source.fetch(_distinct_values(table, candidates, source), most, seconds)
    values = {
        column.name: _all_values([cell for at, cell in rows if at == index])
        for index, column in enumerate(candidates)
    }
    return tuple(replace(column, values=values.get(column.name, ())) for column in table.columns)


def _distinct_values(table: CatalogTable, columns: Sequence[CatalogColumn], source: Source) -> str:
    selects = (
        exp.select(exp.Literal.number(index), "few.v").from_(
            exp.select("first_rows.v")
            .distinct()
            .from_(
                exp.select(exp.cast(source.cut(column), "text").as_("v"))
                .from_(relation(table))
                .limit(_ROWS_FOR_VALUES)
                .subquery("first_rows")
            )
            .where(exp.column("v", "first_rows").is_(exp.null()).not_())
            .limit(_MOST_VALUES + 1)
            .subquery("few")
        )
        for index, column in enumerate(columns)
    )
    return " UNION ALL ".join(select.sql(source.dialect) for select in selects)


def _all_values(cells: Sequence[Cell]) -> tuple[str, ...]:
    if len(cells) > _MOST_VALUES:
        return ()
    texts = tuple(str(cell) for cell in cells)
    return tuple(sorted(texts)) if max(map(len, texts), default=0) <= _LONGEST_VALUE else ()
