"""How often which values are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import BarChart, Histogram, Sheet
from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Query
from core.domain.table import Column, ColumnKind, Row, Table, json_cell, number
from core.sql import builder
from core.stats.bins import Bins, Spread, bins_for
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.sources import Picked, Source
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted, percent, written

MOST_CATEGORIES = 30
QUANTILES = {"q01": 0.01, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q99": 0.99}
ROWS = Column("rows", ColumnKind.MEASURE)
SHARE = Column("share", ColumnKind.MEASURE, unit="share")


class ComputeDistributionArgs(ToolArgs):
    """Which column, in how many bins."""

    table: TableName
    column: ColumnName
    bins: int = Field(
        default=0, ge=0, le=60, description="About how many bins for numbers; 0 to choose."
    )
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution(ToolResult):
    """One row a bin or a category."""


@tool(family=Family.ANALYZE, artifact=Sheet())
async def compute_distribution(args: ComputeDistributionArgs, ctx: ToolContext) -> Distribution:
    """Count how values are spread: numbers in bins, everything else by category.

    Use it for the shape of one column. For a few figures instead use `compute_statistics`, for
    rows over time `compute_trend`.

    Returns for numbers one row a bin, from low to high, also the empty ones; else one row a value,
    the most frequent first, with "other" for what comes after 30; columns:
        the lower edge (in the bin) and the upper one (in the next), named after the column; None
            where the outermost bin is open; or the column itself
        rows: how many there are
        share: of all rows with a value, 0.12 is 12 %

    Raises:
        BadArguments: a name or condition that there is not, or a column of dates.
        NotPossible: no row has a value.
    """
    source = Source.of(ctx.catalog, args.table)
    picked = source.column(args.column)
    if picked.column.kind is ColumnKind.TIME:
        raise BadArguments(f"{picked.name} holds dates: use `compute_trend` for rows over time.")
    if picked.column.kind is ColumnKind.MEASURE:
        return await _of_numbers(args, source, picked, ctx)
    return await _of_categories(args, source, picked, ctx)


# Numbers


async def _of_numbers(
    args: ComputeDistributionArgs, source: Source, picked: Picked, ctx: ToolContext
) -> Distribution:
    ends = (await ctx.fetch(build_ends(args, source, picked))).rows[0]
    if not ends[0]:
        raise NotPossible(f"No row of {args.table} has any {picked.name} with these conditions.")
    quantiles = (await ctx.fetch(build_quantiles(args, source, picked))).rows[0]
    bins = bins_for(spread_of(ends, quantiles), wanted=args.bins)
    found = await ctx.fetch(build_bins(args, source, picked, bins))
    counts = {int(number(row[0])): int(number(row[1])) for row in found.rows}
    total = sum(counts.values())
    rows = tuple(
        (*bins.edges(at), counts.get(at, 0), counts.get(at, 0) / total) for at in bins.places
    )
    lower = Column(f"{picked.name} from", ColumnKind.MEASURE)
    upper = Column(f"{picked.name} to", ColumnKind.MEASURE)
    median = written(number(quantiles[2]))
    fullest = max(rows, key=lambda row: number(row[2]))
    return Distribution(
        finding=(
            f"Most frequent is {picked.name} {_between(fullest)}: {percent(number(fullest[3]))} "
            f"of {counted(total, 'value')}; the median is {median}."
        ),
        table=Table(columns=(lower, upper, ROWS, SHARE), rows=rows),
        chart=Histogram(lower=lower.name, upper=upper.name, count="rows"),
        notes=tuple(_nulls(picked, ends[1])),
    )


def build_ends(args: ComputeDistributionArgs, source: Source, picked: Picked) -> Query:
    value = picked.value
    # A value with a fraction differs from the whole number that its bin of width 1 is called.
    whole = builder.histogram_bin(value, source.dialect, low=0, width=1)
    fractions = exp.NEQ(this=value.copy(), expression=whole)
    figures = {
        "filled": builder.count_values(value),
        "nulls": builder.null_count(value),
        "low": builder.smallest(value),
        "high": builder.largest(value),
        "fractions": builder.count_where(fractions),
    }
    return Query(source.grouped({}, figures, [source.condition(args.where)]))


def build_quantiles(args: ComputeDistributionArgs, source: Source, picked: Picked) -> Query:
    value = builder.as_number(picked.value, source.dialect)
    rows = source.rows({"value": value}, [source.condition(args.where)])
    return builder.quantiles_query(
        rows.subquery("measured"), builder.column_of("value"), QUANTILES, source.dialect
    )


def spread_of(ends: Row, quantiles: Row) -> Spread:
    q01, q25, _, q75, q99 = map(number, quantiles)
    return Spread(
        count=int(number(ends[0])),
        low=number(ends[2]),
        high=number(ends[3]),
        quartiles=(q25, q75),
        tails=(q01, q99),
        whole=not ends[4],
    )


def build_bins(args: ComputeDistributionArgs, source: Source, picked: Picked, bins: Bins) -> Query:
    """Count in the warehouse: one row a bin leaves it."""
    value, dialect = picked.value, source.dialect
    inside = builder.histogram_bin(value, dialect, low=bins.low, width=bins.width)
    number_of = builder.as_number(value, dialect)
    place = (
        exp.case()
        .when(exp.LT(this=number_of, expression=exp.convert(bins.low)), exp.convert(-1))
        .when(
            exp.GTE(this=number_of.copy(), expression=exp.convert(bins.high)),
            exp.convert(bins.count),
        )
        .else_(inside)
    )
    known = exp.Is(this=value.copy(), expression=exp.null()).not_()
    query = source.grouped(
        {"bin": place}, {"row_count": builder.count_rows()}, [known, source.condition(args.where)]
    )
    return Query(query.order_by(builder.column_of("bin")))


def _between(row: Row) -> str:
    lower, upper = row[0], row[1]
    if lower is None:
        return f"below {written(number(upper))}"
    if upper is None:
        return f"from {written(number(lower))} on"
    return f"from {written(number(lower))} to {written(number(upper))}"


def _nulls(picked: Picked, nulls: object) -> Iterator[str]:
    if isinstance(nulls, int) and nulls:
        yield f"{picked.name} is NULL in {counted(nulls, 'row')}, which are left out."


# Categories


async def _of_categories(
    args: ComputeDistributionArgs, source: Source, picked: Picked, ctx: ToolContext
) -> Distribution:
    found = await ctx.fetch(build_categories(args, source, picked), max_rows=MOST_CATEGORIES)
    if not found.rows:
        raise NotPossible(f"No row of {args.table} has any {picked.name} with these conditions.")
    total, groups = int(number(found.rows[0][2])), int(number(found.rows[0][3]))
    counts = [(row[0], int(number(row[1]))) for row in found.rows]
    if groups > len(counts):
        rest = total - sum(count for _, count in counts)
        counts.append((f"other ({groups - len(counts)})", rest))
    first, most = counts[0]
    return Distribution(
        finding=(
            f"{picked.name} has {counted(groups, 'different value')} in {counted(total, 'row')}; "
            f"most frequent is {json_cell(first)} ({percent(most / total)})."
        ),
        table=Table(
            columns=(Column(picked.name, ColumnKind.DIMENSION), ROWS, SHARE),
            rows=tuple((name, count, count / total) for name, count in counts),
        ),
        chart=BarChart(x=picked.name, y="rows"),
        notes=tuple(_nulls(picked, await _count_nulls(args, source, picked, ctx))),
    )


def build_categories(args: ComputeDistributionArgs, source: Source, picked: Picked) -> Query:
    known = exp.Is(this=picked.value.copy(), expression=exp.null()).not_()
    count = builder.count_rows()
    query = source.grouped(
        {"category": picked.value},
        {
            "row_count": count,
            "total": exp.Window(this=exp.Sum(this=count.copy())),
            "categories": exp.Window(this=count.copy()),
        },
        [known, source.condition(args.where)],
    )
    order = builder.column_of("row_count").desc(), builder.column_of("category")
    return Query(query.order_by(*order))


async def _count_nulls(
    args: ComputeDistributionArgs, source: Source, picked: Picked, ctx: ToolContext
) -> int:
    figures = {"nulls": builder.null_count(picked.value)}
    query = Query(source.grouped({}, figures, [source.condition(args.where)]))
    return int(number((await ctx.fetch(query)).rows[0][0]))
