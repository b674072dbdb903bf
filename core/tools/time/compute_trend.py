"""Where a measure is going."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.artifact import LineChart, Sheet
from core.domain.errors import NotPossible
from core.domain.table import Column, ColumnKind
from core.stats.line import Line, fit_line
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.series import Series, SeriesArgs, fetch_series
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import written

FEWEST_PERIODS = 3
CLEAR = 0.05


class ComputeTrendArgs(SeriesArgs):
    """Which measure, by which period."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend(ToolResult):
    """One row a period; the second column is named after the measure."""


@tool(family=Family.TIME, artifact=Sheet())
async def compute_trend(args: ComputeTrendArgs, ctx: ToolContext) -> Trend:
    """Show a measure by period, with the straight line through it.

    Use it for the course of one measure and whether it rises or falls. For change from one period
    to the next use `compute_growth`, for noisy series `compute_moving_average`, for several groups
    `compute_aggregation` with a grain.

    Returns one row a period, oldest first, without holes; columns:
        period: its first day (date; a timestamp for hours)
        the measure, such as total_amount: in its own unit; None where there are no rows
        trend: the fitted line at that period; incomplete periods do not bend it
        complete: false where the period is not over, is cut by `since` or `until`, or its rows
            begin late or end early in it

    Raises:
        BadArguments: a name that there is not, or a time column without dates.
        NotPossible: fewer than three complete periods have a value.
    """
    series = await fetch_series(args, ctx)
    if len(series.complete) < FEWEST_PERIODS:
        raise NotPossible(
            f"Only {len(series.complete)} complete {series.grain}s have a value; a trend needs "
            f"{FEWEST_PERIODS}. Choose a shorter grain or an earlier `since`."
        )
    line = fit(series)
    trend = Column("trend", ColumnKind.MEASURE)
    return Trend(
        finding=describe(series, line),
        table=series.table((trend, [line.at(at) for at in range(len(series.points))])),
        chart=LineChart(x="period", y=(series.measure.name, "trend"), complete="complete"),
        notes=series.notes,
    )


def fit(series: Series) -> Line:
    """Fit over the complete periods, each at its place in time."""
    known = [
        (float(at), point.value)
        for at, point in enumerate(series.points)
        if point.complete and point.value is not None
    ]
    return fit_line([x for x, _ in known], [y for _, y in known])


def describe(series: Series, line: Line) -> str:
    first, last = series.complete[0], series.complete[-1]
    ends = (
        f"from {written(first.value or 0)} {series.when(first.period)} to "
        f"{written(last.value or 0)} {series.when(last.period)}"
    )
    sure = f"R² {line.r_squared:.2f}, {_probability(line.p_value)}"
    words, periods = series.measure.words, f"{len(series.complete)} complete {series.grain}s"
    if line.p_value >= CLEAR:
        return f"The {words} shows no clear trend over {periods} ({sure}): {ends}."
    way = "rises" if line.slope > 0 else "falls"
    step = f"{'an' if series.grain == 'hour' else 'a'} {series.grain}"
    return (
        f"The {words} {way} by about {written(abs(line.slope))} {step} over {periods} ({sure}): "
        f"{ends}."
    )


def _probability(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"
