"""How many different values each column has, and what that makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import Sheet
from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.errors import NotPossible
from core.domain.query import Dialect, Query
from core.domain.table import Column, ColumnKind, Row, Table, number
from core.sql.builder import (
    column_of,
    condition,
    count_distinct,
    count_rows,
    count_values,
    largest,
    table_of,
)
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.column_kinds import is_comparable
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool

MOST_COLUMNS = 60
FEW_VALUES = 50
NEARLY_ALL = 0.99


class ComputeCardinalityArgs(ToolArgs):
    """Which columns, of which rows."""

    table: TableName
    columns: tuple[ColumnName, ...] = Field(
        default=(), max_length=MOST_COLUMNS, description="Which columns; empty for all."
    )
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cardinality(ToolResult):
    """One row a column."""

    columns = (
        Column("column", ColumnKind.DIMENSION),
        Column("distinct", ColumnKind.MEASURE, unit="values"),
        Column("distinct_share", ColumnKind.MEASURE, unit="share"),
        Column("top_share", ColumnKind.MEASURE, unit="share"),
        Column("null_share", ColumnKind.MEASURE, unit="share"),
        Column("role", ColumnKind.DIMENSION),
    )


@tool(family=Family.QUALITY, artifact=Sheet())
async def compute_cardinality(args: ComputeCardinalityArgs, ctx: ToolContext) -> Cardinality:
    """Count the different values of each column and say what it can serve as.

    Use it to find keys, good columns to group by, and columns that say nothing. For the values
    themselves use `get_distinct_values`.

    Returns one row a column, the most varied first:
        column: its name
        distinct: different values, NULL not counted
        distinct_share: `distinct` as a share of the rows that have a value; None of no such row
        top_share: rows with the commonest value as a share of those that have one; None where
            there are too many values for one of them to matter
        null_share: rows in which it is NULL, as a share of all rows; None of no rows
        role: "key" (filled, and no value twice), "unique where filled", "constant" (one value),
            "nearly constant" (one value in 99 % or more), "category" (up to 50 values), "varied"
            (more), or "empty"

    Raises:
        BadArguments: there is no such table or column, or `where` is no condition.
        NotPossible: no column is of a type whose values can be compared.
    """
    table = ctx.table(args.table)
    asked = tuple(ctx.column(table, name) for name in args.columns) or table.columns
    columns = [each for each in asked if is_comparable(each)]
    columns = columns[:MOST_COLUMNS]
    if not columns:
        raise NotPossible(f"The values of {args.table} are of types that cannot be compared.")
    counted = await ctx.fetch(build_query(args, table, columns, ctx.dialect))
    counts = list(as_counts(columns, counted.rows[0]))
    tops = await _tops(args, table, counts, ctx)
    rows = [as_row(each, top=tops.get(each.column.name)) for each in counts]
    rows.sort(key=lambda row: -number(row[1]))
    return Cardinality(
        finding=describe(table, rows),
        table=Table(columns=Cardinality.columns, rows=tuple(rows)),
        notes=tuple(remarks(asked, columns)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What was counted of a column: all rows, those with a value, and different values."""

    column: CatalogColumn
    rows: float
    filled: float
    distinct: float


async def _tops(
    args: ComputeCardinalityArgs, table: CatalogTable, counts: Sequence[Counts], ctx: ToolContext
) -> dict[str, float]:
    """Count the rows with the commonest value, for the columns where it may matter."""
    even = [each.column for each in counts if could_be_even(each)]
    if not even:
        return {}
    found = await ctx.fetch(build_commonest(args, table, even, ctx.dialect))
    return {column.name: number(top) for column, top in zip(even, found.rows[0], strict=True)}


def build_query(
    args: ComputeCardinalityArgs,
    table: CatalogTable,
    columns: Sequence[CatalogColumn],
    dialect: Dialect,
) -> Query:
    """Count in the warehouse: one row with two figures a column leaves it."""
    figures: list[exp.Expr] = [count_rows().as_("rows", quoted=True)]
    for at, column in enumerate(columns):
        value = column_of(column)
        figures += [
            count_values(value).as_(f"filled_{at}", quoted=True),
            count_distinct(value).as_(f"distinct_{at}", quoted=True),
        ]
    holds = condition(args.where, dialect)
    return Query(exp.select(*figures).from_(table_of(table)).where(holds))


def build_commonest(
    args: ComputeCardinalityArgs,
    table: CatalogTable,
    columns: Sequence[CatalogColumn],
    dialect: Dialect,
) -> Query:
    """Count the rows that have the commonest value of each column; one row leaves the warehouse."""
    holds = condition(args.where, dialect)
    return Query(
        exp.select(
            *(
                _commonest(table, column_of(column), holds).as_(f"top_{at}", quoted=True)
                for at, column in enumerate(columns)
            )
        )
    )


def _commonest(table: CatalogTable, value: exp.Expr, holds: exp.Expr | None) -> exp.Expr:
    filled = exp.Is(this=value.copy(), expression=exp.null()).not_()
    groups = (
        exp.select(count_rows().as_("n", quoted=True))
        .from_(table_of(table))
        .where(filled, holds)
        .group_by(value.copy())
    )
    return exp.select(largest(column_of("n"))).from_(groups.subquery("g")).subquery()


def as_counts(columns: Sequence[CatalogColumn], counted: Row) -> Iterator[Counts]:
    rows, *figures = map(number, counted)
    for at, column in enumerate(columns):
        filled, distinct = figures[2 * at : 2 * at + 2]
        yield Counts(column=column, rows=rows, filled=filled, distinct=distinct)


def could_be_even(counts: Counts) -> bool:
    """Say whether one value may fill nearly all rows; only then is the commonest worth a scan."""
    most = max(FEW_VALUES, (1 - NEARLY_ALL) * counts.filled + 1)
    return 1 < counts.distinct <= most and counts.distinct < counts.filled


def as_row(counts: Counts, *, top: float | None) -> Row:
    known = counts.filled if counts.distinct == 1 else top
    return (
        counts.column.name,
        int(counts.distinct),
        _share(counts.distinct, counts.filled),
        _share(known, counts.filled),
        _share(counts.rows - counts.filled, counts.rows),
        role(counts, top=top),
    )


def _share(part: float | None, whole: float) -> float | None:
    return part / whole if part is not None and whole else None


def role(counts: Counts, *, top: float | None) -> str:
    if not counts.filled:
        return "empty"
    if counts.distinct == 1 and counts.filled > 1:
        return "constant"
    if counts.distinct == counts.filled:
        return "key" if counts.filled == counts.rows else "unique where filled"
    if top is not None and top >= NEARLY_ALL * counts.filled:
        return "nearly constant"
    return "category" if counts.distinct <= FEW_VALUES else "varied"


def describe(table: CatalogTable, rows: Sequence[Row]) -> str:
    if all(row[4] is None for row in rows):
        return f"{table.qualified_name} has no rows to look at."
    keys = _named(rows, {"key"}) or "no single column"
    idle = _named(rows, {"constant", "nearly constant", "empty"})
    said = f"; next to nothing is in {idle}" if idle else ""
    return f"{table.qualified_name}: {keys} can serve as a key{said}."


def _named(rows: Sequence[Row], roles: set[str]) -> str:
    return ", ".join(str(row[0]) for row in rows if row[5] in roles)


def remarks(asked: Sequence[CatalogColumn], columns: Sequence[CatalogColumn]) -> Iterator[str]:
    left = [column.name for column in asked if column not in columns]
    if left:
        more = f" and {len(left) - 10} more" if len(left) > 10 else ""
        yield f"Not looked at: {', '.join(left[:10])}{more}."
