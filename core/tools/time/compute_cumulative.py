"""A running total."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from pydantic import Field

from core.domain.artifact import LineChart, Sheet
from core.domain.errors import BadArguments
from core.domain.table import Column, ColumnKind
from core.sql.builder import Grain
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.periods import Period, first_of
from core.toolkit.series import Series, SeriesArgs, fetch_series
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import written


class Restart(StrEnum):
    """When a running total begins again at zero."""

    NEVER = "never"
    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"


class ComputeCumulativeArgs(SeriesArgs):
    """Which measure, by which period, counted anew when."""

    restart: Restart = Field(
        default=Restart.NEVER, description="When it begins again, such as every year."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cumulative(ToolResult):
    """One row a period; the second column is named after the measure."""


@tool(family=Family.TIME, artifact=Sheet())
async def compute_cumulative(args: ComputeCumulativeArgs, ctx: ToolContext) -> Cumulative:
    """Add a measure up from period to period.

    Use it for running totals and year to date (restart every year). Averages, extremes and
    distinct counts cannot be added up; for those use `compute_trend`.

    Returns one row a period, oldest first, without holes; columns:
        period: its first day (date; a timestamp for hours)
        the measure, such as total_amount: of this period alone; None where there are no rows
        running_total: sum of the periods so far since the last restart; None counts as nothing
        complete: false where the period is not over or cut off

    Raises:
        BadArguments: a name that there is not, a time column without dates, a `how` that does not
            add up, or a restart within a period.
    """
    if args.restart is not Restart.NEVER and not _fits(args.grain, args.restart):
        raise BadArguments(f"A {args.grain} is longer than the {args.restart} to restart with.")
    series = await fetch_series(args, ctx)
    if not series.measure.adds_up:
        raise BadArguments(
            f"The {args.how} of each {args.grain} cannot be added up: choose how=sum or how=count."
        )
    running = list(running_totals(series, args.restart))
    return Cumulative(
        finding=describe(series, running, args.restart),
        table=series.table((Column("running_total", ColumnKind.MEASURE), running)),
        chart=LineChart(x="period", y="running_total", complete="complete"),
        notes=series.notes,
    )


_LENGTHS = [Grain.HOUR, Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.YEAR]


def _fits(grain: Grain, restart: Restart) -> bool:
    return _LENGTHS.index(grain) <= _LENGTHS.index(Grain(restart))


def running_totals(series: Series, restart: Restart) -> Iterator[float]:
    total, began = 0.0, None
    for point in series.points:
        if (span := _span(point.period, restart)) != began:
            total, began = 0.0, span
        total += point.value or 0.0
        yield total


def _span(period: Period, restart: Restart) -> date | None:
    return None if restart is Restart.NEVER else first_of(period, Grain(restart))


def describe(series: Series, running: list[float], restart: Restart) -> str:
    first, last = series.points[0], series.points[-1]
    began = _span(last.period, restart)
    start = max(first.period, began) if began and series.grain is not Grain.HOUR else first.period
    so_far = "" if last.complete else ", which is not complete"
    return (
        f"From {series.name(start)} to {series.name(last.period)}{so_far}, the "
        f"{series.measure.words} adds up to {written(running[-1])}."
    )
