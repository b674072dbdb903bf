"""A measure by period: what every tool over time begins with.

One row a period leaves the warehouse. What comes back has every period from the first to the last,
None where no row was, and says of each whether it is complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice

from pydantic import Field
from sqlglot import exp

from core.domain.errors import NotPossible
from core.domain.query import Query
from core.domain.table import Cell, Column, ColumnKind, Row, Table, number
from core.sql import builder
from core.sql.builder import Grain
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.completeness import Bucket, Span, incomplete, start_of
from core.toolkit.context import ToolContext
from core.toolkit.dates import Dated, dated_by, in_span
from core.toolkit.measures import How, HowField, Measure, MeasureText, measure_of, tidy
from core.toolkit.periods import Period, name_of, periods_from, read_period
from core.toolkit.sources import Source

MOST_PERIODS = 2_000
_NAMED_GAPS = 3


class SeriesArgs(ToolArgs):
    """A measure by period; tools add what they do with it."""

    table: TableName
    time_column: ColumnName = Field(description="Column that dates each row.")
    measure: MeasureText = ""
    how: HowField = How.SUM
    grain: Grain = Field(default=Grain.MONTH, description="Length of a period.")
    since: date | None = Field(default=None, description="First day that counts; none for all.")
    until: date | None = Field(default=None, description="Last day that counts; none for all.")
    where: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One period; `value` is None where there was no row, or nothing but NULL."""

    period: Period
    value: float | None
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Every period from the first to the last, oldest first; there is at least one."""

    measure: Measure
    grain: Grain
    points: tuple[Point, ...]
    notes: tuple[str, ...]

    @property
    def complete(self) -> tuple[Point, ...]:
        """Return the points that can be compared: complete, and with a value."""
        return tuple(p for p in self.points if p.complete and p.value is not None)

    def name(self, period: Period) -> str:
        return name_of(period, self.grain)

    def when(self, period: Period) -> str:
        """Name a period as in a sentence: in Jan 2025, on 3 Mar 2025, at 3 Mar 2025 14:00."""
        words = {Grain.DAY: "on", Grain.HOUR: "at"}.get(self.grain, "in")
        return f"{words} {self.name(period)}"

    def table(self, *added: tuple[Column, Sequence[Cell]]) -> Table:
        """Return the points as a table: period, the measure, the added columns, complete."""
        columns = (
            Column("period", ColumnKind.TIME),
            self.measure.column,
            *(column for column, _ in added),
            Column("complete", ColumnKind.DIMENSION),
        )
        rows = (
            (point.period, tidy(point.value), *map(tidy, cells), point.complete)
            for point, *cells in zip(self.points, *(cells for _, cells in added), strict=True)
        )
        return Table(columns=columns, rows=tuple(rows))


async def fetch_series(args: SeriesArgs, ctx: ToolContext) -> Series:
    """Read a measure by period.

    Raises:
        BadArguments: a name or condition that there is not, or a time column without dates.
        NotPossible: no row is dated, or there are more than 2,000 periods.
    """
    source = Source.of(ctx.catalog, args.table)
    measure = measure_of(source, args.measure, args.how)
    dated = await dated_by(source, args.time_column, ctx)
    found = await ctx.fetch(build_series(args, source, measure, dated), max_rows=MOST_PERIODS + 1)
    if len(found.rows) > MOST_PERIODS:
        raise NotPossible(f"More than {MOST_PERIODS:,} {args.grain}s: choose a longer grain.")
    buckets = [each for row in found.rows if (each := _read_bucket(row, args.grain))]
    if not buckets:
        raise NotPossible(_nothing(args))
    periods = _every_period(buckets, args.grain)
    span = Span(since=args.since, until=args.until, today=ctx.today)
    reasons = incomplete(buckets, args.grain, span)
    values = {bucket.period: bucket.value for bucket in buckets}
    missing = [period for period in periods if period not in values]
    return Series(
        measure=measure,
        grain=args.grain,
        points=tuple(
            Point(period=period, value=values.get(period), complete=period not in reasons)
            for period in periods
        ),
        notes=(
            *_notes(reasons, missing, len(periods), args.grain),
            *_undated(found, dated.name),
        ),
    )


def build_series(args: SeriesArgs, source: Source, measure: Measure, dated: Dated) -> Query:
    """Aggregate in the warehouse: one row a period leaves it, with its first and last moment."""
    dialect = source.dialect
    period = builder.bucket(dated.value, args.grain, dialect)
    query = source.grouped(
        {"period": period},
        {
            "value": measure.figure(dialect),
            "row_count": builder.count_rows(),
            "first_at": builder.smallest(dated.value),
            "last_at": builder.largest(dated.value),
        },
        [*in_span(dated, args.since, args.until, dialect), source.condition(args.where)],
    )
    return Query(query.order_by(exp.column("period", quoted=True)))


def _read_bucket(row: Row, grain: Grain) -> Bucket | None:
    period = read_period(row[0], grain)
    if period is None:
        return None
    return Bucket(
        period=period,
        value=None if row[1] is None else number(row[1]),
        first_at=_moment(row[3], period),
        last_at=_moment(row[4], period),
    )


def _moment(cell: Cell, period: Period) -> datetime:
    found = read_period(cell, Grain.HOUR)
    return found if isinstance(found, datetime) else start_of(period)


def _every_period(buckets: Sequence[Bucket], grain: Grain) -> list[Period]:
    first, last = buckets[0].period, buckets[-1].period
    periods = list(islice(periods_from(first, last, grain), MOST_PERIODS + 1))
    if len(periods) > MOST_PERIODS:
        raise NotPossible(
            f"There are more than {MOST_PERIODS:,} {grain}s from {name_of(first, grain)} to "
            f"{name_of(last, grain)}: choose a longer grain, or `since` and `until`."
        )
    return periods


# Words


def _nothing(args: SeriesArgs) -> str:
    chosen = " with these conditions" if args.where or args.since or args.until else ""
    return f"No row of {args.table} has a {args.time_column}{chosen}."


def _notes(
    reasons: Mapping[Period, str], missing: Sequence[Period], periods: int, grain: Grain
) -> Iterator[str]:
    for period, reason in sorted(reasons.items()):
        yield f"Not complete: {name_of(period, grain)} {reason}."
    if missing:
        named = ", ".join(name_of(period, grain) for period in missing[:_NAMED_GAPS])
        more = f" and {len(missing) - _NAMED_GAPS} more" if len(missing) > _NAMED_GAPS else ""
        yield f"No rows in {len(missing)} of {periods} {grain}s: {named}{more}."


def _undated(found: Table, name: str) -> Iterator[str]:
    undated = sum(int(number(row[2])) for row in found.rows if row[0] is None)
    if undated:
        rows = "row has" if undated == 1 else "rows have"
        yield f"{undated:,} {rows} no {name} and are left out."
