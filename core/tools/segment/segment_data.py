"""Rows in segments, by size or by rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pydantic import BaseModel, ConfigDict, Field
from sqlglot import exp

from core.domain.artifact import BarChart
from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Query
from core.domain.table import Column, ColumnKind, Row, Table, number
from core.sql.builder import as_number, count_rows, quantiles_query, table_of
from core.toolkit.args import Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.measures import How, HowField, Measure, MeasureText, measure_of
from core.toolkit.sources import Source
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted, percent, written

OTHER = "other"
NO_VALUE = "no value"


class Rule(BaseModel):
    """What makes a row belong to a segment."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, max_length=60, description="Name of the segment.")
    where: str = Field(
        min_length=1, max_length=2_000, description="SQL condition on the table's columns."
    )


class SegmentDataArgs(ToolArgs):
    """How to part the rows, and what to measure in each part."""

    table: TableName
    by: str = Field(
        default="",
        max_length=300,
        description="Numeric column to part by, into `count` parts of equal size or at `cuts`;"
        " empty with `rules`.",
    )
    count: int = Field(default=4, ge=2, le=10, description="How many parts of equal size.")
    cuts: tuple[float, ...] = Field(
        default=(), max_length=20, description="Own bounds, ascending; a bound begins a segment."
    )
    rules: tuple[Rule, ...] = Field(
        default=(), max_length=20, description="Own segments; a row is in the first that fits."
    )
    measure: MeasureText = ""
    how: HowField = How.SUM
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segments(ToolResult):
    """One row a segment."""

    columns = (
        Column("segment", ColumnKind.DIMENSION),
        Column("rows", ColumnKind.MEASURE, unit="rows"),
        Column("share", ColumnKind.MEASURE, unit="share"),
        Column("value", ColumnKind.MEASURE),
        Column("value_share", ColumnKind.MEASURE, unit="share"),
    )


@tool(family=Family.SEGMENT, artifact=BarChart(x="segment", y="value"))
async def segment_data(args: SegmentDataArgs, ctx: ToolContext) -> Segments:
    """Part rows into segments and measure each: parts of equal size, own bounds, or own rules.

    Use it for "small, medium and large orders" or segments that the asker defines. For the values
    of a column as they are use `run_query`; for customers by how they buy use `compute_rfm`.

    Returns one row a segment, in the order of bounds or rules, rows that fit none last:
        segment: its name, for bounds such as "20 to under 50"; "no value" where `by` is NULL,
            "other" where no rule fits
        rows: how many there are
        share: `rows` as a share of all, 0.12 is 12 %
        value: the measure of these rows; `rows` again without a measure
        value_share: `value` as a share of the sum over all; None where it does not add up

    Raises:
        BadArguments: neither `by` nor `rules`, or both, or a column or condition that is none.
        NotPossible: no row has a value to part by, or too many have the same.
    """
    source = Source.of(ctx.catalog, args.table)
    measure = measure_of(source, args.measure, args.how)
    parts = await _parts(args, source, ctx)
    fetched = await ctx.fetch(build_query(args, source, parts, measure))
    rows = tuple(as_rows(parts, fetched, measure))
    return Segments(
        finding=describe(rows, measure),
        table=Table(columns=Segments.columns, rows=rows),
    )


@dataclass(frozen=True, slots=True)
class Part:
    """A segment, and what holds for its rows."""

    name: str
    holds: exp.Expr


async def _parts(args: SegmentDataArgs, source: Source, ctx: ToolContext) -> Sequence[Part]:
    if bool(args.by) == bool(args.rules):
        raise BadArguments("Give either `by`, a numeric column, or `rules`.")
    if args.rules:
        return [Part(rule.name, _condition(rule.where, source)) for rule in args.rules]
    bounds = _ascending(args.cuts) if args.cuts else await _quantiles(args, source, ctx)
    return parts_between(_number(args, source), bounds)


def _condition(text: str, source: Source) -> exp.Expr:
    holds = source.condition(text)
    if holds is None:
        raise BadArguments("A rule needs a condition.")
    return holds


def _number(args: SegmentDataArgs, source: Source) -> exp.Expr:
    picked = source.column(args.by)
    if picked.column.kind is not ColumnKind.MEASURE:
        raise BadArguments(f"{picked.name} is no measure; choose a column of numbers or `rules`.")
    return as_number(picked.value, source.dialect)


def _ascending(cuts: Sequence[float]) -> Sequence[float]:
    if list(cuts) != sorted(set(cuts)):
        raise BadArguments("`cuts` have to ascend, each only once.")
    return cuts


async def _quantiles(args: SegmentDataArgs, source: Source, ctx: ToolContext) -> Sequence[float]:
    query = build_bounds(args, source)
    cells = [cell for row in (await ctx.fetch(query)).rows for cell in row]
    if not cells or None in cells:
        raise NotPossible(f"No row has a {args.by} to part by.")
    bounds = [number(cell) for cell in cells]
    if len(set(bounds)) < len(bounds):
        raise NotPossible(
            f"Too many rows have the same {args.by} to make {args.count} parts of equal size;"
            " choose fewer, or give `cuts`."
        )
    return bounds


def build_bounds(args: SegmentDataArgs, source: Source) -> Query:
    """Ask for the values that part the rows; one row leaves the warehouse."""
    places = {f"q{at}": at / args.count for at in range(1, args.count)}
    return quantiles_query(
        table_of(source.table),
        _number(args, source),
        places,
        source.dialect,
        where=source.condition(args.where),
    )


def parts_between(value: exp.Expr, bounds: Sequence[float]) -> Sequence[Part]:
    """Return the parts below, between and from the bounds on; a bound begins its part."""
    literals = [exp.convert(bound) for bound in bounds]
    below = [exp.LT(this=value.copy(), expression=each) for each in literals]
    names = [
        f"under {written(bounds[0])}",
        *(f"{written(a)} to under {written(b)}" for a, b in pairwise(bounds)),
        f"{written(bounds[-1])} and more",
    ]
    missing = Part(NO_VALUE, exp.Is(this=value.copy(), expression=exp.null()))
    last = exp.GTE(this=value.copy(), expression=literals[-1].copy())
    # The first that fits counts, so each part need only say where it ends.
    holds = [*below, last]
    return [*(Part(*pair) for pair in zip(names, holds, strict=True)), missing]


def build_query(
    args: SegmentDataArgs, source: Source, parts: Sequence[Part], measure: Measure
) -> Query:
    """Group in the warehouse: one row a segment leaves it."""
    segment = exp.case()
    for at, part in enumerate(parts):
        segment = segment.when(part.holds.copy(), exp.Literal.number(at))
    segment = segment.else_(exp.Literal.number(len(parts)))
    figures = {"rows": count_rows(), "value": measure.figure(source.dialect)}
    grouped = source.grouped({"segment": segment}, figures, [source.condition(args.where)])
    return Query(grouped)


def as_rows(parts: Sequence[Part], fetched: Table, measure: Measure) -> Iterator[Row]:
    names = [*(part.name for part in parts), OTHER]
    found = sorted(fetched.rows, key=lambda row: number(row[0]))
    rows = sum(number(row[1]) for row in found)
    whole = sum(number(row[2]) for row in found)
    for at, count, value in found:
        share = number(value) / whole if measure.adds_up and whole > 0 else None
        yield names[int(number(at))], count, number(count) / rows, value, share


def describe(rows: Sequence[Row], measure: Measure) -> str:
    if not rows:
        return "There are no rows to part."
    top = max(rows, key=lambda row: number(row[3]))
    name, count, share, value, value_share = top
    measured = (
        "" if measure.value is None else f" with a {measure.words} of {written(number(value))}"
    )
    of_all = f" ({percent(number(value_share))} of all)" if measured and value_share else ""
    return (
        f"{counted(len(rows), 'segment')}; {name!s} is on top{measured}{of_all}:"
        f" {counted(int(number(count)), 'row')}, {percent(number(share))}."
    )
