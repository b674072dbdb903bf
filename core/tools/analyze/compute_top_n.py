"""The largest or smallest groups of a measure, and all the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import BarChart, Sheet
from core.domain.errors import NotPossible
from core.domain.query import Query
from core.domain.table import Column, ColumnKind, Row, Table, json_cell, number
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.measures import How, HowField, Measure, MeasureText, measure_of, tidy
from core.toolkit.sources import Picked, Source
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted, percent, written

OTHER = "other"


class ComputeTopNArgs(ToolArgs):
    """Which groups, by which measure, how many."""

    table: TableName
    by: ColumnName = Field(description="Column whose values are ranked.")
    measure: MeasureText = ""
    how: HowField = How.SUM
    n: int = Field(default=10, ge=1, le=100, description="How many to show.")
    lowest: bool = Field(default=False, description="True for the smallest instead.")
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopN(ToolResult):
    """One row a group, and one for the rest of them where they add up."""


@tool(family=Family.ANALYZE, artifact=Sheet())
async def compute_top_n(args: ComputeTopNArgs, ctx: ToolContext) -> TopN:
    """Rank the groups of a column by a measure: the top or bottom few, with the rest as "other".

    Use it for "best selling", "largest customers", "fewest". For all groups use
    `compute_aggregation`, for how much the top ones make up `compute_contribution`.

    Returns one row a group, first the first, and at the end "other" where sums or counts leave a
    rest; columns:
        rank: 1, 2, 3 ...; None for "other"
        the column of `by`; NULL is a group of its own
        the measure, such as total_amount: in its own unit
        share: of the measure over all groups, 0.12 is 12 %; None for averages and other figures
            that do not add up, and where a group is negative

    Raises:
        BadArguments: a name or condition that there is not.
        NotPossible: no group has a value.
    """
    source = Source.of(ctx.catalog, args.table)
    measure, group = measure_of(source, args.measure, args.how), source.column(args.by)
    query = build_query(args, source, measure, group)
    found = await ctx.fetch(query, max_rows=args.n + 1)
    if not found.rows:
        raise NotPossible(f"No {group.name} has a {measure.words} with these conditions.")
    ranking = ranked(found, measure, args.n)
    columns = (
        Column("rank", ColumnKind.DIMENSION),
        Column(group.name, ColumnKind.DIMENSION),
        measure.column,
        Column("share", ColumnKind.MEASURE, unit="share"),
    )
    return TopN(
        finding=describe(args, measure, group, ranking),
        table=Table(columns=columns, rows=ranking.rows),
        chart=BarChart(x=group.name, y=measure.name, horizontal=True),
        notes=tuple(remarks(ranking)),
    )


def build_query(args: ComputeTopNArgs, source: Source, measure: Measure, group: Picked) -> Query:
    """Rank in the warehouse: the wanted groups leave it, each with what all of them come to."""
    dialect = source.dialect
    query = source.grouped(
        {"group": group.value},
        {"value": measure.figure(dialect)},
        [source.condition(args.where)],
    )
    value = exp.column("value", quoted=True)
    known = exp.select(
        exp.column("group", quoted=True),
        value.copy(),
        _over_all(exp.Sum(this=value.copy())).as_("whole", quoted=True),
        _over_all(exp.Min(this=value.copy())).as_("least", quoted=True),
        _over_all(exp.Count(this=exp.Star(), big_int=True)).as_("groups", quoted=True),
    )
    known = known.from_(query.subquery("by_group")).where(
        exp.Is(this=value.copy(), expression=exp.null()).not_()
    )
    order = value.asc() if args.lowest else value.desc()
    return Query(known.order_by(order, exp.column("group", quoted=True)))


def _over_all(aggregate: exp.Expr) -> exp.Expr:
    return exp.Window(this=aggregate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The rows to show; `groups` is how many there are in all, `tied` that the next is equal."""

    rows: tuple[Row, ...]
    groups: int
    tied: bool


def ranked(found: Table, measure: Measure, n: int) -> Ranking:
    _, _, whole, least, groups = found.rows[0]
    total = number(whole)
    has_shares = measure.adds_up and number(least) >= 0 and total > 0
    shown = found.rows[:n]
    rows: list[Row] = [
        (at, row[0], tidy(row[1]), number(row[1]) / total if has_shares else None)
        for at, row in enumerate(shown, start=1)
    ]
    rest = int(number(groups)) - len(shown)
    if measure.adds_up and rest > 0:
        left = total - sum(number(row[1]) for row in shown)
        share = left / total if has_shares else None
        rows.append((None, f"{OTHER} ({rest})", tidy(left), share))
    tied = len(found.rows) > n and found.rows[n][1] == found.rows[n - 1][1]
    return Ranking(rows=tuple(rows), groups=int(number(groups)), tied=tied)


def describe(args: ComputeTopNArgs, measure: Measure, group: Picked, ranking: Ranking) -> str:
    _, name, value, share = ranking.rows[0]
    which = "lowest" if args.lowest else "highest"
    first = "no value" if name is None else str(json_cell(name))
    part = f" ({percent(share)} of all)" if isinstance(share, float) else ""
    sentence = (
        f"Of {counted(ranking.groups, group.name, f'values of {group.name}')}, {first} has the "
        f"{which} {measure.words}: {written(number(value))}{part}."
    )
    top = [row for row in ranking.rows if row[0] is not None]
    shares = [row[3] for row in top if isinstance(row[3], float)]
    if args.lowest or len(top) < 2 or len(shares) < len(top) or len(top) == ranking.groups:
        return sentence
    return f"{sentence} The first {len(top)} together make {percent(sum(shares))}."


def remarks(ranking: Ranking) -> Iterator[str]:
    if ranking.tied:
        yield "The next one has the same value as the last one shown."
    if any(row[0] is not None and row[1] is None for row in ranking.rows):
        yield "The group without a name holds the rows in which the column is NULL."
