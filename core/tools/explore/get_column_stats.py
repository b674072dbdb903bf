"""One column in figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from core.domain.artifact import Stats
from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.query import Dialect, Query
from core.domain.table import Cell, Column, ColumnKind, Row, Table, json_cell, number
from core.sql import builder
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool

QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}


class GetColumnStatsArgs(ToolArgs):
    """Which column, of which rows."""

    table: TableName
    column: ColumnName
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnStats(ToolResult):
    """One row: counts for every column, moments and quantiles for numbers."""

    columns = (
        Column("column", ColumnKind.DIMENSION),
        Column("rows", ColumnKind.MEASURE, unit="rows"),
        Column("nulls", ColumnKind.MEASURE, unit="rows"),
        Column("null_share", ColumnKind.MEASURE, unit="share"),
        Column("distinct", ColumnKind.MEASURE, unit="values"),
        Column("min", ColumnKind.DIMENSION),
        Column("max", ColumnKind.DIMENSION),
        Column("mean", ColumnKind.MEASURE),
        Column("deviation", ColumnKind.MEASURE),
        *(Column(name, ColumnKind.MEASURE) for name in QUANTILES),
    )


@tool(family=Family.EXPLORE, artifact=Stats())
async def get_column_stats(args: GetColumnStatsArgs, ctx: ToolContext) -> ColumnStats:
    """Describe one column in figures: how full, how varied, how it is spread.

    Use it to get to know a column. For several measures, or by group, use `compute_statistics`;
    for the values themselves use `get_distinct_values`.

    Returns one row; figures that the column's type or an empty table does not allow are None:
        column: its name
        rows: rows that fit the condition
        nulls: rows in which it is NULL
        null_share: `nulls` as a share of `rows`, 0.12 is 12 %; None of no rows
        distinct: different values, NULL not counted
        min: smallest value, in the column's own type
        max: largest value, in the column's own type
        mean: average of the numbers, NULLs left out
        deviation: sample standard deviation (n - 1) of the numbers
        q05: a twentieth of the numbers lies below it; quantiles interpolate
        q25: a quarter lies below it
        median: half lies below it
        q75: three quarters lie below it
        q95: nineteen twentieths lie below it

    Raises:
        BadArguments: there is no such table or column, or `where` is no condition.
    """
    table = ctx.table(args.table)
    column = ctx.column(table, args.column)
    counted = await ctx.fetch(build_query(args, table, column, ctx.dialect))
    spread: Row = (None,) * len(QUANTILES)
    if is_number(column):
        quantiles = await ctx.fetch(build_quantiles(args, table, column, ctx.dialect))
        spread = quantiles.rows[0] if quantiles.rows else spread
    row = as_row(column, counted.rows[0], spread)
    return ColumnStats(
        finding=describe(column, row),
        table=Table(columns=ColumnStats.columns, rows=(row,)),
        notes=tuple(remarks(column, row)),
    )


def is_number(column: CatalogColumn) -> bool:
    return column.kind is ColumnKind.MEASURE


def build_query(
    args: GetColumnStatsArgs, table: CatalogTable, column: CatalogColumn, dialect: Dialect
) -> Query:
    """Count and average in the warehouse: one row leaves it."""
    value = builder.column_of(column)
    figures = {
        "rows": builder.count_rows(),
        "nulls": builder.null_count(value),
        "distinct": builder.count_distinct(value),
        "min": builder.smallest(value),
        "max": builder.largest(value),
    }
    if is_number(column):
        figures["mean"] = builder.average(value, dialect)
        figures["deviation"] = builder.deviation(value, dialect)
    query = exp.select(*(each.as_(name, quoted=True) for name, each in figures.items()))
    query = query.from_(builder.table_of(table))
    return Query(query.where(builder.condition(args.where, dialect)))


def build_quantiles(
    args: GetColumnStatsArgs, table: CatalogTable, column: CatalogColumn, dialect: Dialect
) -> Query:
    return builder.quantiles_query(
        builder.table_of(table),
        builder.as_number(builder.column_of(column), dialect),
        QUANTILES,
        dialect,
        where=builder.condition(args.where, dialect),
    )


def as_row(column: CatalogColumn, counted: Row, spread: Row) -> Row:
    rows, nulls, *figures = counted
    share = number(nulls) / number(rows) if rows else None
    moments = (*figures, None, None)[:5]
    return (column.name, rows, nulls, share, *moments, *spread)


def describe(column: CatalogColumn, row: Row) -> str:
    figures = dict(zip((each.name for each in ColumnStats.columns), row, strict=True))
    if not figures["rows"]:
        return f"{column.name}: there are no rows."
    if figures["min"] is None:
        return f"{column.name} is NULL in all {_count(figures['rows'])} rows."
    parts = [
        f"{column.name}: {_count(figures['distinct'])} different values",
        f"from {json_cell(figures['min'])} to {json_cell(figures['max'])}",
    ]
    if figures["mean"] is not None:
        parts.append(f"mean {number(figures['mean']):,.6g}")
    if figures["median"] is not None:
        parts.append(f"median {number(figures['median']):,.6g}")
    return f"{', '.join(parts)}, in {_count(figures['rows'])} rows."


def remarks(column: CatalogColumn, row: Row) -> Iterator[str]:
    rows, nulls, distinct = (number(row[at]) for at in (1, 2, 4))
    if nulls:
        yield f"{column.name} is NULL in {nulls:,.0f} of {rows:,.0f} rows; no figure counts them."
    if distinct == 1 and rows > 1:
        yield f"{column.name} has one value only."
    if distinct == rows > 1:
        yield f"No two rows have the same {column.name}."


def _count(cell: Cell) -> str:
    return f"{number(cell):,.0f}"
