"""Which measures move together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import HeatMap, Sheet
from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Query
from core.domain.table import Column, ColumnKind, Row, Table, number
from core.sql import builder
from core.sql.fragments import fill
from core.stats.association import correlation_p
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.sources import Picked, Source
from core.toolkit.tool import ToolResult, tool

CLEAR = 0.05
FEWEST_ROWS = 3
UNRANKED = ("x_value", "y_value")  # not x and y: MariaDB would take them for the ranks so named


class Method(StrEnum):
    """Along a straight line, or in the order of the values."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"


class ComputeCorrelationArgs(ToolArgs):
    """Which measures, of which rows."""

    table: TableName
    measures: tuple[ColumnName, ...] = Field(
        min_length=2, max_length=6, description="Columns of numbers; every pair is compared."
    )
    method: Method = Field(
        default=Method.PEARSON,
        description="pearson: along a straight line; spearman: by rank, for skewed or odd values.",
    )
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation(ToolResult):
    """One row a pair."""

    columns = (
        Column("first", ColumnKind.DIMENSION),
        Column("second", ColumnKind.DIMENSION),
        Column("correlation", ColumnKind.MEASURE),
        Column("n", ColumnKind.MEASURE),
        Column("p_value", ColumnKind.MEASURE),
    )


@tool(family=Family.ANALYZE, artifact=Sheet())
async def compute_correlation(args: ComputeCorrelationArgs, ctx: ToolContext) -> Correlation:
    """Compute how strongly measures of the same row move together, for every pair of them.

    Use it for "is a related to b" of numbers, over all rows that fit. For two categories use
    `test_association`. It says nothing about causes.

    Returns one row a pair, the strongest first:
        first: one measure
        second: the other
        correlation: from -1 (one falls as the other rises) over 0 to 1; None where one of them
            does not vary
        n: rows in which both have a value; no others count
        p_value: how often unrelated measures would correlate so strongly by chance; None where
            there is no correlation

    Raises:
        BadArguments: a name or condition that there is not, or a column that is no number.
        NotPossible: no pair has three rows with both values.
    """
    source = Source.of(ctx.catalog, args.table)
    measures = {picked.name: picked for picked in numbers_of(source, args.measures)}
    if len(measures) < 2:
        raise BadArguments("Give two different measures at least.")
    where = source.condition(args.where)
    rows = [await _pair(args.method, source, pair, where, ctx) for pair in pairs_of(measures)]
    if all(number(row[3]) < FEWEST_ROWS for row in rows):
        raise NotPossible(f"Fewer than {FEWEST_ROWS} rows have a value in both columns.")
    ranked = tuple(sorted(rows, key=lambda row: -abs(number(row[2]))))
    return Correlation(
        finding=describe(ranked[0], args.method),
        table=Table(columns=Correlation.columns, rows=ranked),
        chart=HeatMap(x="first", y="second", value="correlation") if len(ranked) > 1 else None,
        notes=tuple(remarks(ranked)),
    )


def numbers_of(source: Source, names: Sequence[str]) -> Iterator[Picked]:
    for name in names:
        picked = source.column(name)
        if picked.column.kind is not ColumnKind.MEASURE:
            raise BadArguments(f"{picked.name} is no measure; choose columns of numbers.")
        yield picked


def pairs_of(measures: dict[str, Picked]) -> Iterator[tuple[Picked, Picked]]:
    yield from combinations(measures.values(), 2)


async def _pair(
    method: Method,
    source: Source,
    pair: tuple[Picked, Picked],
    where: exp.Expr | None,
    ctx: ToolContext,
) -> Row:
    if method is Method.SPEARMAN:
        rows = ranks(both(source, pair, where, names=UNRANKED), source)
    else:
        rows = both(source, pair, where, names=("x", "y"))
    ends = (await ctx.fetch(build_ends(rows, source))).rows[0]
    n = int(number(ends[0]))
    if not varies(ends):
        return pair[0].name, pair[1].name, None, n, None
    found = (await ctx.fetch(build_query(rows, source, (ends[1], ends[4])))).rows[0]
    r = max(-1.0, min(1.0, number(found[0])))  # rounding may lead a hair beyond
    return pair[0].name, pair[1].name, r, n, correlation_p(r, n)


def varies(ends: Row) -> bool:
    """Say whether both measures have different values; engines differ in what they make of it."""
    _, _, x_low, x_high, _, y_low, y_high = ends
    return x_low != x_high and y_low != y_high


def both(
    source: Source,
    pair: tuple[Picked, Picked],
    where: exp.Expr | None,
    *,
    names: tuple[str, str],
) -> exp.Select:
    """Select both measures under these names, from the rows in which both have a value."""
    values = (builder.as_number(picked.value, source.dialect) for picked in pair)
    known = (exp.Is(this=picked.value.copy(), expression=exp.null()).not_() for picked in pair)
    return source.rows(dict(zip(names, values, strict=True)), [*known, where])


def ranks(rows: exp.Select, source: Source) -> exp.Select:
    """Put each value's rank in its place; equal values share the mean of their ranks."""
    ranked = (
        _rank(name, source).as_(place, quoted=True)
        for name, place in zip(UNRANKED, ("x", "y"), strict=True)
    )
    return exp.select(*ranked).from_(rows.subquery("measured"))


def _rank(name: str, source: Source) -> exp.Expr:
    value = builder.column_of(name)
    first = exp.Window(
        this=fill("RANK()", source.dialect), order=exp.Order(expressions=[value.copy()])
    )
    equal = exp.Window(this=builder.count_rows(), partition_by=[value.copy()])
    middle = builder.ratio(
        exp.Paren(this=exp.Sub(this=equal, expression=exp.convert(1))),
        exp.convert(2),
        source.dialect,
    )
    return exp.Add(this=first, expression=middle)


def build_ends(rows: exp.Select, source: Source) -> Query:
    """Count the rows, and take the mean, the lowest and the highest of each measure."""
    figures = {"n": builder.count_rows()}
    for name in ("x", "y"):
        value = builder.column_of(name)
        figures[f"{name}_mean"] = builder.average(value, source.dialect)
        figures[f"{name}_low"] = builder.smallest(value)
        figures[f"{name}_high"] = builder.largest(value)
    query = exp.select(*(each.as_(name, quoted=True) for name, each in figures.items()))
    return Query(query.from_(rows.copy().subquery("pairs")))


def build_query(rows: exp.Select, source: Source, means: Row) -> Query:
    """Correlate in the warehouse: one row leaves it.

    Distances from the means first: sums of products of large values would lose the digits that
    matter, on the engines that have to use them.
    """
    away = exp.select(
        *(
            exp.Sub(this=builder.column_of(name), expression=exp.convert(number(mean))).as_(
                name, quoted=True
            )
            for name, mean in zip(("x", "y"), means, strict=True)
        )
    ).from_(rows.copy().subquery("pairs"))
    x, y = builder.column_of("x"), builder.column_of("y")
    r = builder.correlation(x, y, source.dialect).as_("r", quoted=True)
    return Query(exp.select(r).from_(away.subquery("distances")))


def describe(strongest: Row, method: Method) -> str:
    first, second, r, n, p_value = strongest
    if r is None:
        return f"{first} and {second} cannot be compared: one of them does not vary."
    name = "Pearson" if method is Method.PEARSON else "Spearman"
    sure = "p < 0.001" if p_value is not None and number(p_value) < 0.001 else f"p = {p_value:.3f}"
    figures = f"{name} {number(r):+.2f}, n = {int(number(n)):,}, {sure}"
    if p_value is None or number(p_value) >= CLEAR:
        return f"{first} and {second} are not clearly related ({figures})."
    way = "rises" if number(r) > 0 else "falls"
    return f"{_strength(number(r))}: {second} {way} with {first} ({figures})."


def _strength(r: float) -> str:
    size = abs(r)
    if size >= 0.7:
        return "Strongly related"
    return "Related" if size >= 0.4 else "Weakly related"


def remarks(rows: Sequence[Row]) -> Iterator[str]:
    yield "That two measures move together does not say that one causes the other."
    for first, second, r, *_ in rows:
        if r is None:
            yield f"{first} or {second} does not vary, so there is no correlation."
