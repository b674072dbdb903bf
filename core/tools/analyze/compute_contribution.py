"""How much of a total each group brings in, and how few bring in most of it."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import BarChart, Sheet
from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Query
from core.domain.table import Cell, Column, ColumnKind, Row, Table, json_cell, number
from core.sql import builder
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.measures import How, HowField, Measure, MeasureText, measure_of, tidy
from core.toolkit.sources import Picked, Source
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted, percent, written


class ComputeContributionArgs(ToolArgs):
    """Which groups, of which total."""

    table: TableName
    by: ColumnName = Field(description="Column whose values make up the total.")
    measure: MeasureText = ""
    how: HowField = How.SUM
    most: float = Field(
        default=0.8, gt=0, lt=1, description="The share that counts as most of the total."
    )
    where: Condition = ""
    limit: int = Field(default=20, ge=1, le=200, description="How many groups to show.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution(ToolResult):
    """One row a group."""


@tool(family=Family.ANALYZE, artifact=Sheet())
async def compute_contribution(args: ComputeContributionArgs, ctx: ToolContext) -> Contribution:
    """Show what share of a total each group makes, and how few of them make 80 % of it.

    Use it for Pareto questions, concentration and dependence on few. For a plain ranking use
    `compute_top_n`, for what made a change between two periods `compare_periods` with `by`.

    Returns one row a group, the largest first; columns:
        rank: 1, 2, 3 ...
        the column of `by`; NULL is a group of its own
        the measure, such as total_amount: in its own unit
        share: of the total, 0.12 is 12 %
        cumulative_share: of the total, with all groups above it

    Raises:
        BadArguments: a name or condition that there is not, or a measure that does not add up.
        NotPossible: nothing to divide: no rows, a total of zero or less, or a negative group.
    """
    source = Source.of(ctx.catalog, args.table)
    measure, group = measure_of(source, args.measure, args.how), source.column(args.by)
    if not measure.adds_up:
        raise BadArguments(f"The {args.how} of groups is no part of a total: choose sum or count.")
    ranked = build_ranked(args, source, measure, group)
    found = await ctx.fetch(build_query(ranked), max_rows=args.limit)
    whole = _checked(found, measure, group)
    few = await ctx.fetch(build_few(ranked, most=args.most))
    columns = (
        Column("rank", ColumnKind.DIMENSION),
        Column(group.name, ColumnKind.DIMENSION),
        measure.column,
        Column("share", ColumnKind.MEASURE, unit="share"),
        Column("cumulative_share", ColumnKind.MEASURE, unit="share"),
    )
    rows = tuple(as_row(at, row, whole) for at, row in enumerate(found.rows, start=1))
    groups = int(number(found.rows[0][5]))
    return Contribution(
        finding=describe(rows, groups, int(number(few.rows[0][0])), args, group, measure),
        table=Table(columns=columns, rows=rows, truncated=found.truncated),
        chart=BarChart(x=group.name, y="share", horizontal=True),
        notes=_notes(rows),
    )


def build_ranked(
    args: ComputeContributionArgs, source: Source, measure: Measure, group: Picked
) -> exp.Select:
    """Give every group its value, its rank, the sum so far, and what all of them come to."""
    grouped = source.grouped(
        {"group": group.value},
        {"value": measure.figure(source.dialect)},
        [source.condition(args.where)],
    )
    name, value = builder.column_of("group"), builder.column_of("value")
    order = [value.desc(), name.asc(nulls_first=False)]
    query = exp.select(
        name,
        value,
        builder.running(builder.total(value), order_by=order).as_("so_far", quoted=True),
        exp.Window(this=builder.total(value)).as_("whole", quoted=True),
        exp.Window(this=builder.smallest(value)).as_("least", quoted=True),
        exp.Window(this=builder.count_rows()).as_("groups", quoted=True),
    )
    known = exp.Is(this=value.copy(), expression=exp.null()).not_()
    return query.from_(grouped.subquery("by_group")).where(known)


def build_query(ranked: exp.Select) -> Query:
    order = (
        builder.column_of("value").desc(),
        builder.column_of("group").asc(nulls_first=False),
    )
    columns = [builder.column_of(name) for name in ranked.named_selects]
    return Query(exp.select(*columns).from_(ranked.subquery("ranked")).order_by(*order))


def build_few(ranked: exp.Select, *, most: float) -> Query:
    """Count the groups from the largest on until they make most of the total."""
    before = exp.Sub(this=builder.column_of("so_far"), expression=builder.column_of("value"))
    needed = exp.LT(
        this=before,
        expression=exp.Mul(this=builder.column_of("whole"), expression=exp.convert(most)),
    )
    query = exp.select(builder.count_where(needed).as_("few", quoted=True))
    return Query(query.from_(ranked.subquery("ranked")))


def _checked(found: Table, measure: Measure, group: Picked) -> float:
    if not found.rows:
        raise NotPossible(f"No {group.name} has a {measure.words} with these conditions.")
    whole, least = number(found.rows[0][3]), number(found.rows[0][4])
    if least < 0:
        raise NotPossible(
            f"The {measure.words} of a {group.name} is negative ({written(least)}), so shares of "
            "the total would mislead: leave it out with `where`, or use `compute_top_n`."
        )
    if whole <= 0:
        raise NotPossible(f"The {measure.words} comes to {written(whole)}: there are no shares.")
    return whole


def as_row(rank: int, row: Row, whole: float) -> Row:
    name, value, so_far = row[:3]
    return rank, name, tidy(value), number(value) / whole, number(so_far) / whole


def describe(
    rows: tuple[Row, ...],
    groups: int,
    few: int,
    args: ComputeContributionArgs,
    group: Picked,
    measure: Measure,
) -> str:
    first = rows[0]
    are = "makes" if few == 1 else "make"
    return (
        f"{few:,} of {counted(groups, group.name, f'values of {group.name}')} "
        f"({percent(few / groups)}) {are} {args.most:.0%} of the {measure.words}. The largest is "
        f"{_named(first[1])} with {percent(number(first[3]))} ({written(number(first[2]))})."
    )


def _named(cell: Cell) -> str:
    return "no value" if cell is None else str(json_cell(cell))


def _notes(rows: tuple[Row, ...]) -> tuple[str, ...]:
    unnamed = any(row[1] is None for row in rows)
    note = "The group without a name holds the rows in which the column is NULL."
    return (note,) if unnamed else ()
