"""A period against an earlier one, like for like."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from pydantic import Field
from sqlglot import exp

from core.domain.artifact import BarChart, Sheet
from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Query
from core.domain.table import Cell, Column, ColumnKind, Row, Table, json_cell, number
from core.sql import builder
from core.sql.builder import Grain
from core.toolkit.args import ColumnName, Condition, TableName, ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.dates import Dated, dated_by
from core.toolkit.family import Family
from core.toolkit.measures import How, HowField, Measure, MeasureText, measure_of, tidy
from core.toolkit.periods import first_of, moved, name_of, read_period
from core.toolkit.sources import Picked, Source
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import change, written

QUIET_DAYS = 3  # without a row at the end of a period: then the data stops there


class Against(StrEnum):
    """Which earlier period."""

    PREVIOUS = "previous"
    YEAR_AGO = "year_ago"


class ComparePeriodsArgs(ToolArgs):
    """Which measure, which period, and against which one."""

    table: TableName
    time_column: ColumnName = Field(description="Column that dates each row.")
    measure: MeasureText = ""
    how: HowField = How.SUM
    grain: Grain = Field(default=Grain.MONTH, description="Length of a period, a day or longer.")
    day: date | None = Field(
        default=None, description="Any day of the later period; none for the period of today."
    )
    against: Against = Field(
        default=Against.PREVIOUS, description="The period before, or the same one a year ago."
    )
    by: str = Field(
        default="", max_length=300, description="Column to compare group by group; empty for none."
    )
    where: Condition = ""
    limit: int = Field(default=20, ge=1, le=100, description="How many groups to show.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(ToolResult):
    """One row a group, with a column for each period."""


@dataclass(frozen=True, slots=True)
class Days:
    """From the first to the last day, both counted."""

    first: date
    last: date
    grain: Grain

    def holds(self, dated: Dated, source: Source) -> exp.Expr:
        until = self.last + timedelta(days=1)
        return builder.between_dates(dated.value, source.dialect, first=self.first, until=until)

    @property
    def is_whole(self) -> bool:
        return self.last == moved(self.first, 1, self.grain) - timedelta(days=1)

    @property
    def name(self) -> str:
        if self.is_whole:
            return name_of(self.first, self.grain).removeprefix("the ")
        last = name_of(self.last, Grain.DAY)
        same_month = (self.first.year, self.first.month) == (self.last.year, self.last.month)
        first = str(self.first.day) if same_month else name_of(self.first, Grain.DAY)
        return f"{first} to {last}" if self.first != self.last else last


@tool(family=Family.TIME, artifact=Sheet())
async def compare_periods(args: ComparePeriodsArgs, ctx: ToolContext) -> Comparison:
    """Compare a measure of one period with an earlier one, like for like, all in all or by groups.

    Use it for "this month against last month" or "against a year ago". A period that is not over,
    or where the data stops, is compared with the same days of the earlier one. For more than two
    periods use `compute_growth`.

    Returns one row a group (one row in all without `by`), the largest first; columns:
        the group, or "measure" without one
        the earlier period, named as such ("May 2026", "1 to 12 May 2026"): the measure in it
        the later period, named as such: the measure in it
        difference: later less earlier, in the measure's unit
        change: `difference` as a share of the earlier value; None where that is zero or negative

    Raises:
        BadArguments: a name that there is not, a time column without dates, or hours.
        NotPossible: the later period has no rows; the advice says when the last one was.
    """
    if args.grain is Grain.HOUR:
        raise BadArguments("Hours are too short to be compared: choose day or longer.")
    source = Source.of(ctx.catalog, args.table)
    measure = measure_of(source, args.measure, args.how)
    group = source.column(args.by) if args.by else None
    dated = await dated_by(source, args.time_column, ctx)
    last_row = await _last_day(args, source, dated, ctx)
    later = later_days(args, today=ctx.today, last_row=last_row)
    earlier = earlier_days(later, args.against)
    whole = await ctx.fetch(build_query(args, source, measure, dated, (earlier, later)))
    total = (measure.words, *compared(whole.rows[0], measure))
    if group is None:
        found, rows = whole, (total,)
    else:
        query = build_query(args, source, measure, dated, (earlier, later), group)
        found = await ctx.fetch(query, max_rows=args.limit)
        rows = tuple((row[0], *compared(row[1:], measure)) for row in found.rows)
    columns = columns_of(group, earlier, later)
    return Comparison(
        finding=describe(total, rows if group else (), earlier, later),
        table=Table(columns=columns, rows=rows, truncated=found.truncated),
        chart=BarChart(x=columns[0].name, y=(columns[1].name, columns[2].name)),
        notes=tuple(remarks(later, last_row, today=ctx.today)),
    )


async def _last_day(
    args: ComparePeriodsArgs, source: Source, dated: Dated, ctx: ToolContext
) -> date:
    query = source.rows({"last": builder.largest(dated.value)}, [source.condition(args.where)])
    found = (await ctx.fetch(Query(query))).rows[0][0]
    last = read_period(found, Grain.DAY)
    if last is None:
        raise NotPossible(f"No row of {args.table} has a {args.time_column}.")
    return last


def later_days(args: ComparePeriodsArgs, *, today: date, last_row: date) -> Days:
    """Return the days of the later period that have passed and that the data reaches.

    Raises:
        NotPossible: the data ends before it.
    """
    first = first_of(args.day or today, args.grain)
    end = moved(first, 1, args.grain) - timedelta(days=1)
    if last_row < first:
        raise NotPossible(
            f"There is no row in {name_of(first, args.grain)} or later; the last one is of "
            f"{last_row}. Compare the period of that day: day={last_row}."
        )
    passed = max(first, today - timedelta(days=1)) if first <= today <= end else end
    stops = last_row < passed - timedelta(days=QUIET_DAYS)
    return Days(first, last_row if stops else passed, args.grain)


def earlier_days(later: Days, against: Against) -> Days:
    """Return the same days of the earlier period: all of it where the later one is whole."""
    first = _back(later.first, later.grain, against)
    end = moved(first, 1, later.grain) - timedelta(days=1)
    last = end if later.is_whole else min(end, _back(later.last, later.grain, against))
    return Days(first, last, later.grain)


def _back(day: date, grain: Grain, against: Against) -> date:
    """Move a day back; the 31st becomes the last of a shorter month, and weeks stay weeks."""
    if grain is Grain.WEEK:
        return day - timedelta(weeks=1 if against is Against.PREVIOUS else 52)
    if grain is Grain.DAY and against is Against.PREVIOUS:
        return day - timedelta(days=1)
    months = 12 if against is Against.YEAR_AGO else _MONTHS_OF[grain]
    month = moved(date(day.year, day.month, 1), -months, Grain.MONTH)
    return month.replace(day=min(day.day, monthrange(month.year, month.month)[1]))


_MONTHS_OF = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.YEAR: 12}


def build_query(
    args: ComparePeriodsArgs,
    source: Source,
    measure: Measure,
    dated: Dated,
    periods: tuple[Days, Days],
    group: Picked | None = None,
) -> Query:
    """Read both periods in one pass; one row a group leaves the warehouse."""
    earlier, later = (days.holds(dated, source) for days in periods)
    query = source.grouped(
        {"group": group.value} if group else {},
        {
            "before": measure.figure(source.dialect, when=earlier),
            "now": measure.figure(source.dialect, when=later),
        },
        [exp.or_(earlier, later), source.condition(args.where)],
    )
    if group is None:
        return Query(query)
    return Query(
        query.order_by(
            exp.column("now", quoted=True).desc(nulls_first=False),
            exp.column("before", quoted=True).desc(nulls_first=False),
        )
    )


def compared(row: Row, measure: Measure) -> tuple[Cell, Cell, Cell, Cell]:
    """Return both values, their difference and the share of change."""
    before, now = (_value(cell, measure) for cell in row)
    if before is None or now is None:
        return tidy(before), tidy(now), None, None
    difference = now - before
    share = difference / before if before > 0 else None
    return tidy(before), tidy(now), tidy(difference), share


def _value(cell: Cell, measure: Measure) -> float | None:
    # Nothing sold is zero sold; but nothing has no average.
    if cell is None:
        return 0 if measure.adds_up else None
    return number(cell)


def columns_of(group: Picked | None, earlier: Days, later: Days) -> tuple[Column, ...]:
    return (
        Column(group.name if group else "measure", ColumnKind.DIMENSION),
        Column(earlier.name, ColumnKind.MEASURE),
        Column(later.name, ColumnKind.MEASURE),
        Column("difference", ColumnKind.MEASURE),
        Column("change", ColumnKind.MEASURE, unit="share"),
    )


def describe(total: Row, groups: tuple[Row, ...], earlier: Days, later: Days) -> str:
    words, before, now, _, share = total
    against = f"{_written(before)} for {earlier.name}"
    how = f"{change(number(share))} against" if share is not None else "after"
    sentence = f"{words} for {later.name}: {_written(now)}, {how} {against}."
    return " ".join((sentence[0].upper() + sentence[1:], *_movers(groups)))


def _movers(groups: tuple[Row, ...]) -> Iterator[str]:
    known = [(number(row[3]), row[0]) for row in groups if row[3] is not None]
    if len(known) < 2:
        return
    rise, fall = max(known, key=lambda each: each[0]), min(known, key=lambda each: each[0])
    if rise[0] > 0:
        yield f"The largest rise is {_named(rise[1])} (+{written(rise[0])})."
    if fall[0] < 0:
        yield f"The largest fall is {_named(fall[1])} ({written(fall[0])})."


def _named(cell: Cell) -> str:
    return "no value" if cell is None else str(json_cell(cell))


def _written(cell: Cell) -> str:
    return "no value" if cell is None else written(number(cell))


def remarks(later: Days, last_row: date, *, today: date) -> Iterator[str]:
    if later.is_whole:
        return
    if later.last == last_row and last_row < today - timedelta(days=1):
        yield f"The last row is of {last_row}, so both periods are counted up to that day."
    else:
        yield f"The period is not over on {today}, so both are counted up to the same day."
