"""Where values are missing, by column and over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import BarChart, LineChart
from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.query import Dialect, Query
from core.domain.table import Cell, Column, ColumnKind, Row, Table, number
from core.sql.builder import Grain, bucket, column_of, condition, count_rows, null_count, table_of
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.dates import Dated, dated_by
from core.toolkit.family import Family
from core.toolkit.sources import Source
from core.toolkit.tool import ToolResult, tool

MOST_COLUMNS = 100


class ProfileNullsArgs(ToolArgs):
    """Which columns, and along which time."""

    table: TableName
    columns: tuple[ColumnName, ...] = Field(
        default=(), max_length=MOST_COLUMNS, description="Which columns; empty for all."
    )
    time_column: str = Field(
        default="", max_length=300, description="Column that dates each row; empty for no periods."
    )
    grain: Grain = Field(default=Grain.MONTH, description="Length of a period.")
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NullProfile(ToolResult):
    """One row a column, or a column and period."""

    columns = (
        Column("column", ColumnKind.DIMENSION),
        Column("period", ColumnKind.TIME),
        Column("rows", ColumnKind.MEASURE, unit="rows"),
        Column("nulls", ColumnKind.MEASURE, unit="rows"),
        Column("null_share", ColumnKind.MEASURE, unit="share"),
    )


@tool(
    family=Family.QUALITY,
    artifact=BarChart(x="column", y="null_share", horizontal=True),
)
async def profile_nulls(args: ProfileNullsArgs, ctx: ToolContext) -> NullProfile:
    """Show in which columns values are missing, and since when.

    Use it when figures look too small or a column may have stopped being filled; give
    `time_column` to see when. For all kinds of trouble in a table use `check_quality`.

    Returns one row a column, those with the largest share first; with `time_column` one row a
    column and period, for the columns that have NULLs at all, oldest period first:
        column: its name
        period: first day of the period; None without `time_column`
        rows: rows of the table or period
        nulls: rows in which the column is NULL
        null_share: `nulls` as a share of `rows`, 0.12 is 12 %; None of no rows

    Raises:
        BadArguments: there is no such table or column, `time_column` holds no dates, or `where` is
            no condition.
    """
    table = ctx.table(args.table)
    asked = tuple(ctx.column(table, name) for name in args.columns) or table.columns
    columns = asked[:MOST_COLUMNS]
    whole = await ctx.fetch(build_query(args, table, columns, ctx.dialect))
    totals = sorted(as_rows(columns, whole), key=lambda row: -number(row[4]))
    if not args.time_column:
        return result(args, table, totals, columns_left=len(asked) - len(columns))
    gappy = [column for column in columns if column.name in _with_nulls(totals)]
    time = ctx.column(table, args.time_column)
    dated = await dated_by(Source.of(ctx.catalog, table.qualified_name), time.name, ctx)
    periods = await ctx.fetch(build_query(args, table, gappy, ctx.dialect, dated=dated))
    rows = sorted(as_rows(gappy, periods), key=lambda row: str(row[0]))
    return result(args, table, totals, rows, columns_left=len(asked) - len(columns))


def build_query(
    args: ProfileNullsArgs,
    table: CatalogTable,
    columns: Sequence[CatalogColumn],
    dialect: Dialect,
    *,
    dated: Dated | None = None,
) -> Query:
    """Count in the warehouse: one row, or one row a period, leaves it."""
    figures = [
        count_rows().as_("rows", quoted=True),
        *(
            null_count(column_of(column)).as_(f"nulls_{at}", quoted=True)
            for at, column in enumerate(columns)
        ),
    ]
    source, holds = table_of(table), condition(args.where, dialect)
    if dated is None:
        nothing = exp.null().as_("period", quoted=True)
        return Query(exp.select(nothing, *figures).from_(source).where(holds))
    period = bucket(dated.value, args.grain, dialect)
    return Query(
        exp.select(period.as_("period", quoted=True), *figures)
        .from_(source)
        .where(holds)
        .group_by(period)
        .order_by(period.asc(nulls_first=False))
    )


def as_rows(columns: Sequence[CatalogColumn], counted: Table) -> Iterator[Row]:
    """Turn one wide row a period into one row a column and period."""
    for period, rows, *nulls in counted.rows:
        for column, missing in zip(columns, nulls, strict=True):
            yield column.name, period, rows, missing, _share(missing, rows)


def _share(part: Cell, whole: Cell) -> float | None:
    return number(part) / number(whole) if number(whole) else None


def _with_nulls(totals: Sequence[Row]) -> set[str]:
    return {str(name) for name, _, _, nulls, _ in totals if number(nulls)}


def result(
    args: ProfileNullsArgs,
    table: CatalogTable,
    totals: Sequence[Row],
    rows: Sequence[Row] | None = None,
    *,
    columns_left: int,
) -> NullProfile:
    over_time = rows is not None
    left = f"The other {columns_left} columns were not looked at; name those that matter."
    undated = any(row[1] is None for row in rows or ())
    return NullProfile(
        finding=describe(table, totals),
        table=Table(columns=NullProfile.columns, rows=tuple(rows if over_time else totals)),
        chart=LineChart(x="period", y="null_share", series="column") if over_time else None,
        notes=(
            *((left,) if columns_left else ()),
            *((f"A row without a period has no {args.time_column}.",) if undated else ()),
        ),
    )


def describe(table: CatalogTable, totals: Sequence[Row]) -> str:
    name = table.qualified_name
    if not totals or not number(totals[0][2]):
        return f"{name} has no rows to look at."
    gappy = [row for row in totals if number(row[3])]
    if not gappy:
        return f"No column of {name} has NULLs in {number(totals[0][2]):,.0f} rows."
    worst, _, _, nulls, share = gappy[0]
    counted = f"{len(gappy)} of {len(totals)} columns"
    return (
        f"{counted} of {name} have NULLs; most in {worst}:"
        f" {number(nulls):,.0f} rows, {number(share):.1%}."
    )
