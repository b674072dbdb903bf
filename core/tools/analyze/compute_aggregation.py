"""Measures by dimensions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import Field, model_validator
from sqlglot import exp

from core.domain.artifact import BarChart, ChartSpec, HeatMap, LineChart, Sheet
from core.domain.errors import NotPossible
from core.domain.query import Query
from core.domain.table import Cell, Column, ColumnKind, Row, Table, json_cell, number
from core.sql import builder
from core.sql.builder import Grain
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.dates import Dated, dated_by, in_span
from core.toolkit.family import Family
from core.toolkit.measures import How, HowField, Measure, MeasureText, measure_of, tidy
from core.toolkit.periods import name_of, read_period
from core.toolkit.sources import Picked, Source
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted, percent, written

MOST_SERIES = 8  # more lines or colours than that say less than a heat map


class Figure(ToolArgs):
    """One measure and how it is put together."""

    measure: MeasureText = ""
    how: HowField = How.SUM


class ComputeAggregationArgs(ToolArgs):
    """Which measures, by which dimensions, of which rows."""

    table: TableName
    figures: tuple[Figure, ...] = Field(
        default=(Figure(),), min_length=1, max_length=4, description="What is measured."
    )
    by: tuple[ColumnName, ...] = Field(
        default=(), max_length=3, description="Columns to group by; none for one row in all."
    )
    time_column: str = Field(
        default="", max_length=300, description="Column that dates each row, for grain and span."
    )
    grain: Grain | None = Field(
        default=None, description="Groups by period of time_column as well, before the others."
    )
    since: date | None = Field(default=None, description="First day that counts; none for all.")
    until: date | None = Field(default=None, description="Last day that counts; none for all.")
    where: Condition = ""
    limit: int = Field(default=100, ge=1, le=1_000, description="How many groups to show.")

    @model_validator(mode="after")
    def _dated(self) -> ComputeAggregationArgs:
        if (self.grain or self.since or self.until) and not self.time_column:
            raise ValueError("grain, since and until need a time_column")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregation(ToolResult):
    """One row a group, with the dimensions first and the measures after them."""


@tool(family=Family.ANALYZE, artifact=Sheet())
async def compute_aggregation(args: ComputeAggregationArgs, ctx: ToolContext) -> Aggregation:
    """Compute measures by up to three columns, and by period.

    Use it for "revenue by region", "orders by month and channel", or a total. For ranks with an
    "other" use `compute_top_n`, for the course of one measure `compute_trend`.

    Returns one row a group; by period the oldest first, else the largest first measure first;
    columns:
        period: first day of the period, with a grain only
        the columns of `by`, by their own names
        the measures, named as total_amount, average_amount, distinct_customer_id, rows

    Raises:
        BadArguments: a name or condition that there is not, or a time column without dates.
        NotPossible: no row fits.
    """
    plan = await _planned(args, ctx)
    found = await ctx.fetch(build_query(args, plan), max_rows=args.limit)
    if not found.rows or not _has_rows(found, plan):
        raise NotPossible(f"No row of {args.table} fits these conditions.")
    rows = tuple(_read(row, args.grain) for row in found.rows)
    table = Table(columns=plan.columns, rows=rows, truncated=found.truncated)
    return Aggregation(
        finding=describe(table, plan),
        table=table,
        chart=chart_of(table, plan),
        notes=tuple(remarks(table, args)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The arguments, looked up."""

    source: Source
    dated: Dated | None
    grain: Grain | None
    groups: tuple[Picked, ...]
    measures: tuple[Measure, ...]

    @property
    def group_names(self) -> tuple[str, ...]:
        """Name the groups apart, also where two tables call theirs the same."""
        names = list[str]()
        for picked in self.groups:
            taken = [*names, "period", *(measure.name for measure in self.measures)]
            twin = sum(each.name == picked.name for each in self.groups) > 1
            name = (
                f"{picked.value.text('table')}.{picked.name}".lstrip(".") if twin else picked.name
            )
            names.append(f"{name}_2" if name in taken else name)
        return tuple(names)

    @property
    def columns(self) -> tuple[Column, ...]:
        groups = (
            Column(name, ColumnKind.TIME if picked.column.kind is ColumnKind.TIME else _DIMENSION)
            for name, picked in zip(self.group_names, self.groups, strict=True)
        )
        period = (Column("period", ColumnKind.TIME),) if self.grain else ()
        return (*period, *groups, *(measure.column for measure in self.measures))


_DIMENSION = ColumnKind.DIMENSION


async def _planned(args: ComputeAggregationArgs, ctx: ToolContext) -> Plan:
    source = Source.of(ctx.catalog, args.table)
    measures = (measure_of(source, each.measure, each.how) for each in args.figures)
    return Plan(
        source=source,
        grain=args.grain,
        groups=tuple(source.column(name) for name in dict.fromkeys(args.by)),
        measures=tuple({measure.name: measure for measure in measures}.values()),
        dated=await dated_by(source, args.time_column, ctx) if args.time_column else None,
    )


def build_query(args: ComputeAggregationArgs, plan: Plan) -> Query:
    """Aggregate in the warehouse: one row a group leaves it."""
    source, dialect = plan.source, plan.source.dialect
    span = in_span(plan.dated, args.since, args.until, dialect) if plan.dated else ()
    query = source.grouped(
        dict(_keys(plan)),
        {measure.name: measure.figure(dialect) for measure in plan.measures},
        [*span, source.condition(args.where)],
    )
    first = exp.column(plan.measures[0].name, quoted=True).desc(nulls_first=False)
    others = [exp.column(name, quoted=True) for name in plan.group_names]
    if args.grain:
        return Query(query.order_by(exp.column("period", quoted=True), first, *others))
    return Query(query.order_by(first, *others) if plan.groups else query)


def _keys(plan: Plan) -> Iterator[tuple[str, exp.Expr]]:
    if plan.grain and plan.dated:
        yield "period", builder.bucket(plan.dated.value, plan.grain, plan.source.dialect)
    yield from zip(plan.group_names, (each.value for each in plan.groups), strict=True)


def _has_rows(found: Table, plan: Plan) -> bool:
    """Say whether anything was aggregated: without groups the engine gives a row of nothing."""
    if plan.groups or plan.grain:
        return True
    return any(cell not in (None, 0) for cell in found.rows[0])


def _read(row: Row, grain: Grain | None) -> Row:
    cells = map(tidy, row)
    return (read_period(next(cells), grain), *cells) if grain else tuple(cells)


# What it says, and how it looks


def describe(table: Table, plan: Plan) -> str:
    if not (plan.groups or plan.grain):
        figures = zip(plan.measures, table.rows[0], strict=True)
        parts = (f"{measure.words} {_written(cell)}" for measure, cell in figures)
        sentence = ", ".join(parts)
        return f"{sentence[0].upper()}{sentence[1:]}."
    measure = plan.measures[0]
    values = table.values(measure.name)
    known = [(number(value), at) for at, value in enumerate(values) if value is not None]
    if not known:
        return f"The {measure.words} has no value in any of {counted(len(values), 'group')}."
    high, at = max(known, key=lambda each: each[0])
    share = _share(high, [value for value, _ in known], measure, table)
    more = " or more" if table.truncated else ""
    return (
        f"The highest {measure.words} is {written(high)}{share}, for "
        f"{_group_words(table.rows[at], plan)}, of {counted(len(values), 'group')}{more}."
    )


def _share(high: float, values: Sequence[float], measure: Measure, table: Table) -> str:
    total = sum(values)
    if table.truncated or not measure.adds_up or total <= 0 or min(values) < 0:
        return ""
    return f" ({percent(high / total)} of {written(total)})"


def _group_words(row: Row, plan: Plan) -> str:
    cells = list(row[: len(row) - len(plan.measures)])
    if plan.grain and isinstance(cells[0], date):
        cells[0] = name_of(cells[0], plan.grain)
    return ", ".join("no value" if cell is None else str(json_cell(cell)) for cell in cells)


def _written(cell: Cell) -> str:
    return "no value" if cell is None else written(number(cell))


def chart_of(table: Table, plan: Plan) -> ChartSpec | None:
    """Choose lines over time, bars for one column, and for two bars or a heat map."""
    first, *more = (measure.name for measure in plan.measures)
    groups = plan.group_names
    if len(table.rows) < 2 or len(groups) > 2 or (more and len(groups) == 2):
        return None
    match groups:
        case () if plan.grain:
            return LineChart(x="period", y=(first, *more))
        case (name,) if plan.grain:
            return None if more else LineChart(x="period", y=first, series=name)
        case (name,):
            return BarChart(x=name, y=(first, *more))
        case (one, other) if not plan.grain:
            return _across(table, one, other, first)
        case _:
            return None


def _across(table: Table, one: str, other: str, measure: str) -> ChartSpec:
    sizes = {name: len(set(table.values(name))) for name in (one, other)}
    few, many = sorted((other, one), key=lambda name: sizes[name])
    if sizes[few] > MOST_SERIES:
        return HeatMap(x=few, y=many, value=measure)
    return BarChart(x=many, y=measure, series=few)


def remarks(table: Table, args: ComputeAggregationArgs) -> Iterator[str]:
    if table.truncated:
        yield f"Only the first {len(table.rows)} groups are shown; there are more."
    if args.by and any(None in table.values(name) for name in table.names[: len(args.by)]):
        yield "A group without a name holds the rows in which the column is NULL."
