"""Measures in figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import Stats
from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Query
from core.domain.table import Cell, Column, ColumnKind, Row, Table, number
from core.sql import builder
from core.stats.moments import Moments
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.sources import Source
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted, written

QUARTILES = {"q25": 0.25, "median": 0.5, "q75": 0.75}
FAR_FROM_EVEN = 1.0  # a skewness beyond which mean and median tell different stories


class ComputeStatisticsArgs(ToolArgs):
    """Which measures of which rows."""

    table: TableName
    measures: tuple[ColumnName, ...] = Field(
        min_length=1, max_length=8, description="Columns of numbers."
    )
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics(ToolResult):
    """One row a measure."""

    columns = (
        Column("measure", ColumnKind.DIMENSION),
        Column("values", ColumnKind.MEASURE),
        Column("nulls", ColumnKind.MEASURE),
        Column("mean", ColumnKind.MEASURE),
        Column("median", ColumnKind.MEASURE),
        Column("deviation", ColumnKind.MEASURE),
        Column("min", ColumnKind.MEASURE),
        Column("q25", ColumnKind.MEASURE),
        Column("q75", ColumnKind.MEASURE),
        Column("max", ColumnKind.MEASURE),
        Column("skewness", ColumnKind.MEASURE),
    )


@tool(family=Family.ANALYZE, artifact=Stats())
async def compute_statistics(args: ComputeStatisticsArgs, ctx: ToolContext) -> Statistics:
    """Describe measures in figures: centre, spread, quartiles and skewness.

    Use it to compare several measures, or to know whether a mean can be trusted. For one column of
    any type use `get_column_stats`, for its shape `compute_distribution`, for figures by group
    `compute_percentiles`.

    Returns one row a measure, in the order asked for; None where there are too few values:
        measure: the column
        values: rows in which it is not NULL
        nulls: rows in which it is NULL
        mean: average of the values
        median: half of the values lie below it; quartiles interpolate
        deviation: sample standard deviation (n - 1)
        min: smallest value
        q25: a quarter lies below it
        q75: three quarters lie below it
        max: largest value
        skewness: above 0 a long tail of large values, below 0 of small ones; needs three values
            that are not all the same

    Raises:
        BadArguments: a name or condition that there is not, or a column that is no number.
        NotPossible: no row fits the condition.
    """
    source = Source.of(ctx.catalog, args.table)
    values = dict(numbers_of(source, args.measures))
    where = source.condition(args.where)
    counts = (await ctx.fetch(build_counts(source, values, where))).rows[0]
    if not counts[0]:
        raise NotPossible(f"No row of {args.table} fits the condition.")
    means = {name: counts[4 * at + 2] for at, name in enumerate(values)}
    moments = (await ctx.fetch(build_moments(source, values, means, where))).rows[0]
    quartiles = [await _quartiles(source, value, where, ctx) for value in values.values()]
    rows = tuple(
        as_row(name, counts, at, moments[2 * at : 2 * at + 2], quartiles[at])
        for at, name in enumerate(values)
    )
    return Statistics(
        finding=describe(rows[0]),
        table=Table(columns=Statistics.columns, rows=rows),
        notes=tuple(remarks(rows)),
    )


def numbers_of(source: Source, names: Sequence[str]) -> Iterator[tuple[str, exp.Expr]]:
    for name in names:
        picked = source.column(name)
        if picked.column.kind is not ColumnKind.MEASURE:
            raise BadArguments(f"{picked.name} is no measure; choose columns of numbers.")
        yield picked.name, picked.value


def build_counts(source: Source, values: Mapping[str, exp.Expr], where: exp.Expr | None) -> Query:
    """Count, average and bound every measure in one pass; one row leaves the warehouse."""
    figures = {"row_count": builder.count_rows()}
    for at, value in enumerate(values.values()):
        figures[f"values_{at}"] = builder.count_values(value)
        figures[f"mean_{at}"] = builder.average(value, source.dialect)
        figures[f"min_{at}"] = builder.smallest(value)
        figures[f"max_{at}"] = builder.largest(value)
    return Query(source.grouped({}, figures, [where]))


def build_moments(
    source: Source,
    values: Mapping[str, exp.Expr],
    means: Mapping[str, Cell],
    where: exp.Expr | None,
) -> Query:
    """Add up squares and cubes of the distances from the means, in one pass.

    Distances first: squares of the values themselves would lose the digits that matter.
    """
    figures = dict[str, exp.Expr]()
    for at, (name, value) in enumerate(values.items()):
        away = exp.Paren(
            this=exp.Sub(
                this=builder.as_number(value, source.dialect),
                expression=exp.convert(number(means[name])),
            )
        )
        square = exp.Mul(this=away, expression=away.copy())
        figures[f"squares_{at}"] = builder.total(square)
        figures[f"cubes_{at}"] = builder.total(exp.Mul(this=square.copy(), expression=away.copy()))
    return Query(source.grouped({}, figures, [where]))


async def _quartiles(
    source: Source, value: exp.Expr, where: exp.Expr | None, ctx: ToolContext
) -> Row:
    rows = source.rows({"value": builder.as_number(value, source.dialect)}, [where])
    query = builder.quantiles_query(
        rows.subquery("measured"), builder.column_of("value"), QUARTILES, source.dialect
    )
    found = await ctx.fetch(query)
    return found.rows[0] if found.rows else (None,) * len(QUARTILES)


def as_row(name: str, counts: Row, at: int, sums: Row, quartiles: Row) -> Row:
    values, mean, low, high = counts[4 * at + 1 : 4 * at + 5]
    q25, median, q75 = quartiles
    moments = Moments(count=int(number(values)), squares=number(sums[0]), cubes=number(sums[1]))
    nulls = int(number(counts[0])) - moments.count
    return (
        name, values, nulls, mean, median, moments.deviation, low, q25, q75, high, moments.skewness
    )  # fmt: skip


def describe(row: Row) -> str:
    name, values, nulls, mean, median, deviation = row[:6]
    if mean is None:
        return f"{name} is NULL in {counted(int(number(nulls)), 'row')}, so it has no figures."
    spread = f", deviation {written(number(deviation))}" if deviation is not None else ""
    return (
        f"{name}: mean {written(number(mean))}, median {written(number(median))}{spread}, over "
        f"{counted(int(number(values)), 'value')}."
    )


def remarks(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        name, skewness, nulls = row[0], row[-1], int(number(row[2]))
        if skewness is not None and abs(number(skewness)) > FAR_FROM_EVEN:
            side = "large" if number(skewness) > 0 else "small"
            yield f"{name} has a long tail of {side} values: its median says more than its mean."
        if nulls:
            yield f"{name} is NULL in {counted(nulls, 'row')}, which count for nothing here."
