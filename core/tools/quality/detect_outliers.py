"""Rows whose measure lies far from the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import Sheet
from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Dialect, Query
from core.domain.table import Column, ColumnKind, Row, Table, json_cell, number
from core.sql.builder import (
    as_number,
    column_of,
    condition,
    count_values,
    count_where,
    quantiles_query,
    table_of,
)
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool

FEWEST_ROWS = 8
# The median absolute deviation of a normal distribution is this share of its standard deviation.
NORMAL_MAD = 0.6744897501960817


class Method(StrEnum):
    """How far is far: counted in spreads of the middle half, or in absolute deviations."""

    IQR = "iqr"
    MAD = "mad"


class DetectOutliersArgs(ToolArgs):
    """Which measure, and how far is odd."""

    table: TableName
    measure: ColumnName = Field(description="Numeric column.")
    method: Method = Field(
        default=Method.IQR,
        description="iqr: beyond the quartiles by `reach` spreads of the middle half; mad: `reach`"
        " robust deviations from the median, for heavily skewed or few rows.",
    )
    reach: float = Field(
        default=0.0,
        ge=0.0,
        le=100.0,
        description="How far is odd; 0 for the usual 1.5 (iqr) or 3.5 (mad).",
    )
    where: Condition = ""
    limit: int = Field(default=20, ge=1, le=200, description="How many rows to show.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outliers(ToolResult):
    """One row an odd row."""

    columns = (
        Column("row", ColumnKind.DIMENSION),
        Column("value", ColumnKind.MEASURE),
        Column("side", ColumnKind.DIMENSION),
        Column("distance", ColumnKind.MEASURE, unit="spreads"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """What is usual lies from `low` to `high`; distances are counted from `middle` in `spread`s."""

    low: float
    high: float
    middle: float
    spread: float

    def distance(self, value: float) -> float:
        return (value - self.middle) / self.spread


@tool(family=Family.QUALITY, artifact=Sheet())
async def detect_outliers(args: DetectOutliersArgs, ctx: ToolContext) -> Outliers:
    """Find the rows whose measure lies far from the rest.

    Use it for odd rows of one measure, such as wrong prices. For odd points of a series over time
    use another tool; far is not wrong, so say what the rows are, not that they are mistakes.

    Returns one row an odd row, the farthest first:
        row: what tells it apart: its primary key, or its first columns where there is none
        value: the measure, in its own unit
        side: "low" or "high"
        distance: from the median, in spreads of the middle half (iqr) or robust standard
            deviations (mad); negative below it

    Raises:
        BadArguments: there is no such table or column, or the column is no number.
        NotPossible: fewer than 8 rows have a value, or half of them are the same.
    """
    table = ctx.table(args.table)
    measure = ctx.column(table, args.measure)
    if measure.kind is not ColumnKind.MEASURE:
        raise BadArguments(f"{measure.name} is no measure; choose a column of numbers.")
    fence = await _fence(args, table, measure, ctx)
    counted = await ctx.fetch(build_count(args, table, measure, fence, ctx.dialect))
    if (filled := number(counted.rows[0][0])) < FEWEST_ROWS:
        few = f"Only {filled:.0f} rows have a {measure.name}"
        raise NotPossible(f"{few}; {FEWEST_ROWS} are needed to tell what is odd.")
    found = await ctx.fetch(
        build_query(args, table, measure, fence, ctx.dialect), max_rows=args.limit
    )
    labels = labels_of(table, measure)
    rows = tuple(as_rows(found, labels, fence))
    return Outliers(
        finding=describe(measure, counted.rows[0]),
        table=Table(columns=Outliers.columns, rows=rows, truncated=found.truncated),
        notes=(usual(args, measure, fence),),
    )


async def _fence(
    args: DetectOutliersArgs, table: CatalogTable, measure: CatalogColumn, ctx: ToolContext
) -> Fence:
    value, holds = _value(measure, ctx.dialect), condition(args.where, ctx.dialect)
    source = table_of(table)
    quartiles = {"q1": 0.25, "q2": 0.5, "q3": 0.75}
    found = await ctx.fetch(quantiles_query(source, value, quartiles, ctx.dialect, where=holds))
    if not found.rows or found.rows[0][1] is None:
        raise NotPossible(f"No row of {table.qualified_name} has a {measure.name}.")
    low, middle, high = map(number, found.rows[0])
    if args.method is Method.IQR:
        return _checked(iqr_fence(low, middle, high, args.reach or 1.5), measure)
    query = build_deviation(args, table, measure, middle, ctx.dialect)
    deviation = number((await ctx.fetch(query)).rows[0][0])
    return _checked(mad_fence(middle, deviation, args.reach or 3.5), measure)


def _checked(fence: Fence, measure: CatalogColumn) -> Fence:
    if not fence.spread:
        raise NotPossible(
            f"Half of the values of {measure.name} or more are {fence.middle:,.6g}, so nothing"
            " says what is far from them; list the others with run_query."
        )
    return fence


def iqr_fence(low: float, middle: float, high: float, reach: float) -> Fence:
    spread = high - low
    return Fence(low=low - reach * spread, high=high + reach * spread, middle=middle, spread=spread)


def mad_fence(middle: float, deviation: float, reach: float) -> Fence:
    spread = deviation / NORMAL_MAD
    return Fence(
        low=middle - reach * spread, high=middle + reach * spread, middle=middle, spread=spread
    )


def _value(measure: CatalogColumn, dialect: Dialect) -> exp.Expr:
    return as_number(column_of(measure), dialect)


def build_deviation(
    args: DetectOutliersArgs,
    table: CatalogTable,
    measure: CatalogColumn,
    middle: float,
    dialect: Dialect,
) -> Query:
    """Take the median of the distances from the median."""
    away = exp.Abs(
        this=exp.Sub(this=_value(measure, dialect), expression=exp.convert(middle)),
    )
    holds = condition(args.where, dialect)
    return quantiles_query(table_of(table), away, {"mad": 0.5}, dialect, where=holds)


def build_count(
    args: DetectOutliersArgs,
    table: CatalogTable,
    measure: CatalogColumn,
    fence: Fence,
    dialect: Dialect,
) -> Query:
    """Count the values, and those beyond each end of the fence; one row leaves the warehouse."""
    low, high = beyond(measure, fence, dialect)
    return Query(
        exp.select(
            count_values(column_of(measure)).as_("filled", quoted=True),
            count_where(low).as_("low", quoted=True),
            count_where(high).as_("high", quoted=True),
        )
        .from_(table_of(table))
        .where(condition(args.where, dialect))
    )


def build_query(
    args: DetectOutliersArgs,
    table: CatalogTable,
    measure: CatalogColumn,
    fence: Fence,
    dialect: Dialect,
) -> Query:
    """Read the odd rows only, the farthest first."""
    value, labels = _value(measure, dialect), labels_of(table, measure)
    away = exp.Abs(this=exp.Sub(this=value, expression=exp.convert(fence.middle)))
    return Query(
        exp.select(
            *(column_of(label).as_(f"label_{at}", quoted=True) for at, label in enumerate(labels)),
            value.as_("value", quoted=True),
        )
        .from_(table_of(table))
        .where(exp.or_(*beyond(measure, fence, dialect)), condition(args.where, dialect))
        .order_by(away.desc(), *(column_of(label).asc(nulls_first=False) for label in labels))
    )


def beyond(measure: CatalogColumn, fence: Fence, dialect: Dialect) -> tuple[exp.Expr, exp.Expr]:
    value = _value(measure, dialect)
    return (
        exp.LT(this=value.copy(), expression=exp.convert(fence.low)),
        exp.GT(this=value.copy(), expression=exp.convert(fence.high)),
    )


def labels_of(table: CatalogTable, measure: CatalogColumn) -> Sequence[str]:
    others = [each.name for each in table.columns if each.name != measure.name]
    return table.primary_key or tuple(others[:3])


def as_rows(found: Table, labels: Sequence[str], fence: Fence) -> Iterator[Row]:
    for *cells, value in found.rows:
        named = zip(labels, cells, strict=True)
        label = ", ".join(f"{name} = {json_cell(cell)}" for name, cell in named)
        side = "low" if number(value) < fence.middle else "high"
        yield label, value, side, fence.distance(number(value))


def describe(measure: CatalogColumn, counted: Row) -> str:
    filled, low, high = (int(number(cell)) for cell in counted)
    if not low + high:
        return f"No value of {measure.name} is odd, in {filled:,} rows."
    return (
        f"{low + high:,} of {filled:,} values of {measure.name} are odd"
        f" ({(low + high) / filled:.1%}): {low:,} low, {high:,} high."
    )


def usual(args: DetectOutliersArgs, measure: CatalogColumn, fence: Fence) -> str:
    reach = args.reach or (1.5 if args.method is Method.IQR else 3.5)
    how = "spreads of the middle half" if args.method is Method.IQR else "robust deviations"
    return (
        f"Usual is {measure.name} from {fence.low:,.6g} to {fence.high:,.6g}"
        f" ({reach:g} {how}), around a median of {fence.middle:,.6g}."
    )
