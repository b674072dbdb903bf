"""Two groups of rows side by side, on several measures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import BarChart
from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Query
from core.domain.table import Cell, Column, ColumnKind, Row, Table, number
from core.sql.builder import as_number, as_text, average, count_values, count_where, deviation
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.column_kinds import is_named_as_id
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.sources import Picked, Source
from core.toolkit.time_columns import is_text
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import change, counted, written

MOST_MEASURES = 12
FEWEST_VALUES = 2
SIZES = ((0.2, "negligible"), (0.5, "small"), (0.8, "medium"), (math.inf, "large"))


class CompareSegmentsArgs(ToolArgs):
    """Which two groups, on which measures."""

    table: TableName
    column: ColumnName = Field(description="Column that tells the groups apart.")
    first: str = Field(max_length=300, description="Its value in the first group, as stored.")
    second: str = Field(
        default="",
        max_length=300,
        description="Its value in the second group, as stored; empty for all other values.",
    )
    measures: tuple[ColumnName, ...] = Field(
        default=(), max_length=MOST_MEASURES, description="Numeric columns; empty for all."
    )
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentComparison(ToolResult):
    """One row a measure."""

    columns = (
        Column("measure", ColumnKind.DIMENSION),
        Column("first_mean", ColumnKind.MEASURE),
        Column("second_mean", ColumnKind.MEASURE),
        Column("difference", ColumnKind.MEASURE),
        Column("change", ColumnKind.MEASURE, unit="share"),
        Column("effect_size", ColumnKind.MEASURE, unit="deviations"),
        Column("size", ColumnKind.DIMENSION),
        Column("first_rows", ColumnKind.MEASURE, unit="rows"),
        Column("second_rows", ColumnKind.MEASURE, unit="rows"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """What is known of a measure in a group: how many have it, their mean and deviation."""

    rows: float
    mean: float | None
    deviation: float | None


@tool(
    family=Family.COMPARE,
    artifact=BarChart(x="measure", y="effect_size", horizontal=True),
)
async def compare_segments(args: CompareSegmentsArgs, ctx: ToolContext) -> SegmentComparison:
    """Compare two groups of rows on several measures, and say which differences are large.

    Use it for "how do A and B differ". It describes; whether a difference is more than chance is
    for a test to say. For totals by group use `compute_aggregation`.

    Returns one row a measure, the largest effect first:
        measure: its name
        first_mean: average in the first group, NULLs left out, in the measure's own unit
        second_mean: the same in the second group
        difference: first less second
        change: `difference` as a share of `second_mean`, 0.12 is 12 %; None where that is zero
        effect_size: `difference` in pooled standard deviations (Cohen's d); None where there are
            fewer than two values in a group or all are the same
        size: "negligible" (under 0.2), "small" (0.5), "medium" (0.8) or "large"; empty without one
        first_rows: rows of the first group that have the measure
        second_rows: the same of the second

    Raises:
        BadArguments: there is no such table or column, or a measure is no number.
        NotPossible: a group has no rows, or the table has no measure.
    """
    source = Source.of(ctx.catalog, args.table)
    measures = measured(args, source)
    fetched = await ctx.fetch(build_query(args, source, measures))
    first, second, *figures = map(number_or_none, fetched.rows[0])
    groups = named(args)
    _refuse_empty(args, groups, (first or 0, second or 0))
    rows = sorted(as_rows(measures, figures), key=lambda row: -abs(number(row[5])))
    return SegmentComparison(
        finding=describe(groups, rows),
        table=Table(columns=SegmentComparison.columns, rows=tuple(rows)),
        notes=(
            f"First: {groups[0]}, {counted(int(first or 0), 'row')}."
            f" Second: {groups[1]}, {counted(int(second or 0), 'row')}.",
        ),
    )


def number_or_none(cell: Cell) -> float | None:
    return None if cell is None else number(cell)


def measured(args: CompareSegmentsArgs, source: Source) -> Sequence[Picked]:
    if args.measures:
        picked = [source.column(name) for name in args.measures]
        for each in picked:
            if each.column.kind is not ColumnKind.MEASURE:
                raise BadArguments(f"{each.name} is no measure; choose columns of numbers.")
        return picked
    names = [
        column.name
        for column in source.table.columns
        if column.kind is ColumnKind.MEASURE and not is_named_as_id(column.name)
    ]
    if not names:
        raise NotPossible(f"{source.table.qualified_name} has no measure to compare.")
    return [source.column(name) for name in names[:MOST_MEASURES]]


def build_query(args: CompareSegmentsArgs, source: Source, measures: Sequence[Picked]) -> Query:
    """Count, average and spread in the warehouse: one row leaves it."""
    in_first, in_second = groups_of(args, source)
    figures = {"first": count_where(in_first), "second": count_where(in_second)}
    for at, measure in enumerate(measures):
        for group, holds in (("first", in_first), ("second", in_second)):
            value = exp.case().when(holds.copy(), as_number(measure.value, source.dialect))
            figures[f"{group}_{at}_rows"] = count_values(value)
            figures[f"{group}_{at}_mean"] = average(value, source.dialect)
            figures[f"{group}_{at}_deviation"] = deviation(value, source.dialect)
    return Query(source.grouped({}, figures, [source.condition(args.where)]))


def groups_of(args: CompareSegmentsArgs, source: Source) -> tuple[exp.Expr, exp.Expr]:
    """Return what holds in each group; a row without a value is in none."""
    picked = source.column(args.column)
    text = picked.value if is_text(picked.column) else as_text(picked.value, source.dialect)
    first = exp.EQ(this=text.copy(), expression=exp.Literal.string(args.first))
    if args.second:
        return first, exp.EQ(this=text.copy(), expression=exp.Literal.string(args.second))
    return first, exp.NEQ(this=text.copy(), expression=exp.Literal.string(args.first))


def named(args: CompareSegmentsArgs) -> tuple[str, str]:
    other = args.second or "any other value"
    return f"{args.column} is {args.first}", f"{args.column} is {other}"


def _refuse_empty(args: CompareSegmentsArgs, groups: Sequence[str], rows: Sequence[float]) -> None:
    for group, count in zip(groups, rows, strict=True):
        if not count:
            raise NotPossible(
                f"No row fits: {group}. get_distinct_values shows the values of {args.column}."
            )


def as_rows(measures: Sequence[Picked], figures: Sequence[float | None]) -> Iterator[Row]:
    for at, measure in enumerate(measures):
        mine = figures[6 * at : 6 * at + 6]
        first, second = spread(mine[:3]), spread(mine[3:])
        apart, effect = difference(first, second), effect_size(first, second)
        yield (
            measure.name,
            first.mean,
            second.mean,
            apart,
            apart / second.mean if apart is not None and second.mean else None,
            effect,
            size_of(effect),
            int(first.rows),
            int(second.rows),
        )


def spread(figures: Sequence[float | None]) -> Spread:
    rows, mean, deviation_ = figures
    return Spread(rows=rows or 0, mean=mean, deviation=deviation_)


def difference(first: Spread, second: Spread) -> float | None:
    if first.mean is None or second.mean is None:
        return None
    return first.mean - second.mean


def effect_size(first: Spread, second: Spread) -> float | None:
    """Return Cohen's d: the difference of the means in pooled standard deviations."""
    apart = difference(first, second)
    if apart is None or min(first.rows, second.rows) < FEWEST_VALUES:
        return None
    squares = sum((each.rows - 1) * (each.deviation or 0.0) ** 2 for each in (first, second))
    pooled = math.sqrt(squares / (first.rows + second.rows - 2))
    return apart / pooled if pooled else None


def size_of(effect: float | None) -> str:
    if effect is None:
        return ""
    return next(word for limit, word in SIZES if abs(effect) < limit)


def describe(groups: Sequence[str], rows: Sequence[Row]) -> str:
    name, first, second, _, share, effect, size, *_ = rows[0]
    if effect is None:
        return f"Nothing can be compared where {groups[0]}: too few values."
    by = f" ({change(number(share))})" if share is not None else ""
    return (
        f"Where {groups[0]}, {name} differs most: {written(number(first))} on average against"
        f" {written(number(second))}{by}, a {size} difference."
    )
