"""What comes back every week, every day or every year."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from core.domain.artifact import BarChart
from core.domain.errors import BadArguments, NotPossible
from core.domain.table import Column, ColumnKind, Row, Table, number
from core.sql.builder import Grain
from core.stats.seasons import Seasons, seasons_of
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.measures import tidy
from core.toolkit.periods import Period
from core.toolkit.series import Point, Series, SeriesArgs, fetch_series
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import change, counted, written

FEWEST_SEASONS = 2
MOST_MISSING = 0.1
CLEAR, STRONG = 0.3, 0.6
SURE = 0.05

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
QUARTERS = ("Q1", "Q2", "Q3", "Q4")
HOURS = tuple(f"{hour:02d}:00" for hour in range(24))
SEASONS = {
    Grain.HOUR: (HOURS, "daily"),
    Grain.DAY: (WEEKDAYS, "weekly"),
    Grain.MONTH: (MONTHS, "yearly"),
    Grain.QUARTER: (QUARTERS, "yearly"),
}


class DetectSeasonalityArgs(SeriesArgs):
    """Which measure; the grain decides which season is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seasonality(ToolResult):
    """One row a position within the season."""

    columns = (
        Column("position", ColumnKind.DIMENSION),
        Column("effect", ColumnKind.MEASURE),
        Column("share", ColumnKind.MEASURE, unit="share"),
        Column("periods", ColumnKind.MEASURE),
    )


@tool(family=Family.TIME, artifact=BarChart(x="position", y="effect"))
async def detect_seasonality(args: DetectSeasonalityArgs, ctx: ToolContext) -> Seasonality:
    """Find what comes back in a measure: by weekday, by month or quarter of the year, by hour.

    Use it for "which weekday is best" or "is there a season", with grain day for weekdays, month
    or quarter for the year, hour for the day. The trend is taken out first (STL).

    Returns one row a position, in the order of the calendar:
        position: Monday to Sunday, Jan to Dec, Q1 to Q4, 00:00 to 23:00
        effect: what it adds to the level on average, in the measure's unit; negative below it
        share: `effect` as a share of the average level; None where that is zero or negative
        periods: how many periods of the series have this position

    Raises:
        BadArguments: a name that there is not, a time column without dates, or a grain of week or
            year, within which no season is looked for.
        NotPossible: fewer than two whole seasons, or more than a tenth of the periods are missing.
    """
    if args.grain not in SEASONS:
        raise BadArguments("Choose grain day (weekdays), month or quarter (the year), or hour.")
    series = await fetch_series(args, ctx)
    points = within(series.points)
    names, season = SEASONS[args.grain]
    missing = sum(point.value is None for point in points)
    if len(points) < FEWEST_SEASONS * len(names) or missing > MOST_MISSING * len(points):
        raise NotPossible(
            f"A {season} season needs {FEWEST_SEASONS * len(names)} complete {args.grain}s in a "
            f"row with few gaps; there are {len(points)}, {missing} of them without a value."
        )
    values = filled([point.value for point in points])
    seasons = await asyncio.to_thread(seasons_of, values, len(names))
    rows = tuple(as_rows(points, seasons, names, level=sum(values) / len(values)))
    return Seasonality(
        finding=describe(series, seasons, rows, season),
        table=Table(columns=Seasonality.columns, rows=rows),
        notes=(*series.notes, *remarks(len(points) // len(names), missing)),
    )


def within(points: Sequence[Point]) -> list[Point]:
    """Return the points from the first to the last that is complete and has a value."""
    known = [at for at, p in enumerate(points) if p.complete and p.value is not None]
    return list(points[known[0] : known[-1] + 1]) if known else []


def filled(values: Sequence[float | None]) -> list[float]:
    """Put a straight line over gaps; the ends have values."""
    known = [(at, value) for at, value in enumerate(values) if value is not None]
    whole = [value for _, value in known[:1]]
    for (start, low), (end, high) in pairwise(known):
        step = (high - low) / (end - start)
        whole.extend(low + step * at for at in range(1, end - start + 1))
    return whole


def as_rows(
    points: Sequence[Point], seasons: Seasons, names: Sequence[str], *, level: float
) -> Iterator[Row]:
    first = place_of(points[0].period, len(names))
    for place, name in enumerate(names):
        effect = seasons.effects[(place - first) % len(names)]
        share = effect / level if level > 0 else None
        periods = sum(place_of(point.period, len(names)) == place for point in points)
        yield name, tidy(effect), share, periods


def place_of(period: Period, length: int) -> int:
    """Return where in its season a period lies, from 0."""
    if isinstance(period, datetime):
        return period.hour
    if length == len(WEEKDAYS):
        return period.weekday()
    return (period.month - 1) * length // 12


def describe(series: Series, seasons: Seasons, rows: Sequence[Row], season: str) -> str:
    words = series.measure.words
    sure = f"strength {seasons.strength:.2f} of 1, p {_probability(seasons.p_value)}"
    if seasons.p_value >= SURE or seasons.strength < CLEAR:
        return f"The {words} has no clear {season} season ({sure})."
    high = max(rows, key=lambda row: number(row[1]))
    low = min(rows, key=lambda row: number(row[1]))
    much = "strong" if seasons.strength >= STRONG else "moderate"
    return (
        f"The {words} has a {much} {season} season ({sure}): highest for {high[0]} "
        f"({_effect(high)}), lowest for {low[0]} ({_effect(low)})."
    )


def _effect(row: Row) -> str:
    effect = number(row[1])
    amount = f"{'+' if effect > 0 else ''}{written(effect)}"
    return f"{amount}, {change(number(row[2]))}" if row[2] is not None else amount


def _probability(p_value: float) -> str:
    return "< 0.001" if p_value < 0.001 else f"= {p_value:.3f}"


def remarks(seasons: int, missing: int) -> Iterator[str]:
    if seasons <= FEWEST_SEASONS:
        yield "There are only two whole seasons, so what looks like one may be chance."
    if missing:
        yield f"{counted(missing, 'period')} without a value lie on a straight line between others."
