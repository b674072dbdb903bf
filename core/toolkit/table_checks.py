"""What one pass over a table can count to tell whether its data is sound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sqlglot import exp

from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.query import Dialect
from core.domain.table import ColumnKind
from core.sql.builder import (
    column_of,
    count_distinct,
    count_rows,
    count_values,
    count_where,
    null_count,
    on_or_after,
)
from core.toolkit.time_columns import is_text

GRAVE, LIGHT = 3, 1  # how much a check counts in a score


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A count to make: the rows affected, and the rows that could be."""

    name: str
    column: str
    affected: exp.Expr
    rows: exp.Expr
    weight: int
    meaning: str


def looks_at(
    columns: Sequence[CatalogColumn], table: CatalogTable, *, today: date, dialect: Dialect
) -> Sequence[Look]:
    """Return the looks that one pass over the table answers."""
    return [
        look
        for column in columns
        for look in (
            _missing(column),
            *_blank(column),
            *_misplaced(column, dialect),
            *_future(column, today, dialect),
            *_repeated_key(column, table),
        )
    ]


def _missing(column: CatalogColumn) -> Look:
    return Look(
        name="missing values",
        column=column.name,
        affected=null_count(column_of(column)),
        rows=count_rows(),
        weight=LIGHT,
        meaning="sums and averages leave these rows out",
    )


def _blank(column: CatalogColumn) -> Iterator[Look]:
    if is_text(column):
        value = column_of(column)
        blank = exp.EQ(this=exp.Trim(this=value.copy()), expression=exp.Literal.string(""))
        yield Look(
            name="blank text",
            column=column.name,
            affected=count_where(blank),
            rows=count_values(value),
            weight=LIGHT,
            meaning="counts as a value although it says nothing",
        )


def _misplaced(column: CatalogColumn, dialect: Dialect) -> Iterator[Look]:
    """Yield a look for text in a column of numbers, which only SQLite lets in."""
    if dialect is Dialect.SQLITE and column.kind is ColumnKind.MEASURE:
        value = column_of(column)
        kind = exp.func("TYPEOF", value.copy(), dialect=dialect)
        yield Look(
            name="text among numbers",
            column=column.name,
            affected=count_where(exp.EQ(this=kind, expression=exp.Literal.string("text"))),
            rows=count_values(value),
            weight=GRAVE,
            meaning="counts as zero in sums",
        )


def _future(column: CatalogColumn, today: date, dialect: Dialect) -> Iterator[Look]:
    if column.kind is ColumnKind.TIME:
        value, tomorrow = column_of(column), today + timedelta(days=1)
        # Dates in text sort as text; turned into dates, a single one that is none would fail.
        as_text = exp.GTE(this=value, expression=exp.Literal.string(tomorrow.isoformat()))
        later = as_text if is_text(column) else on_or_after(value, tomorrow, dialect)
        yield Look(
            name="dates in the future",
            column=column.name,
            affected=count_where(later),
            rows=count_values(column_of(column)),
            weight=LIGHT,
            meaning="right for due dates and plans, wrong for what has happened",
        )


def _repeated_key(column: CatalogColumn, table: CatalogTable) -> Iterator[Look]:
    """Yield a look at what seems to be the key of a table that declares none."""
    own = {"id", f"{table.name}_id", f"{table.name.removesuffix('s')}_id"}
    if not table.primary_key and column.name.casefold() in {each.casefold() for each in own}:
        value = column_of(column)
        yield Look(
            name="repeated key",
            column=column.name,
            affected=exp.Sub(this=count_values(value), expression=count_distinct(value)),
            rows=count_values(value),
            weight=GRAVE,
            meaning="a join by it repeats rows",
        )
