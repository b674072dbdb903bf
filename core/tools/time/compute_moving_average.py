"""A measure smoothed over several periods."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import Field

from core.domain.artifact import LineChart, Sheet
from core.domain.errors import NotPossible
from core.domain.table import Column, ColumnKind
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.series import Series, SeriesArgs, fetch_series
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import written


class ComputeMovingAverageArgs(SeriesArgs):
    """Which measure, by which period, over how many of them."""

    window: int = Field(default=3, ge=2, le=366, description="How many periods are averaged.")


@dataclass(frozen=True, slots=True, kw_only=True)
class MovingAverage(ToolResult):
    """One row a period; the second column is named after the measure."""


@tool(family=Family.TIME, artifact=Sheet())
async def compute_moving_average(args: ComputeMovingAverageArgs, ctx: ToolContext) -> MovingAverage:
    """Smooth a measure: the mean of each period and those before it.

    Use it where single periods jump, such as days (a window of 7 evens out the week). For the
    overall direction use `compute_trend`.

    Returns one row a period, oldest first, without holes; columns:
        period: its first day (date; a timestamp for hours)
        the measure, such as total_amount: in its own unit; None where there are no rows
        moving_average: mean of the `window` periods up to this one; None where one of them has no
            value or is not complete
        complete: false where the period is not over or cut off

    Raises:
        BadArguments: a name that there is not, or a time column without dates.
        NotPossible: nowhere do `window` complete periods follow each other.
    """
    series = await fetch_series(args, ctx)
    averages = list(averages_of(series, args.window))
    if not any(each is not None for each in averages):
        raise NotPossible(
            f"Nowhere do {args.window} complete {args.grain}s with a value follow each other: "
            "choose a smaller window, a longer grain or an earlier `since`."
        )
    added = Column("moving_average", ColumnKind.MEASURE)
    return MovingAverage(
        finding=describe(series, averages, args.window),
        table=series.table((added, averages)),
        chart=LineChart(x="period", y=(series.measure.name, "moving_average"), complete="complete"),
        notes=series.notes,
    )


def averages_of(series: Series, window: int) -> Iterator[float | None]:
    values = [point.value if point.complete else None for point in series.points]
    for end in range(1, len(values) + 1):
        last = values[max(0, end - window) : end]
        known = [value for value in last if value is not None]
        yield sum(known) / window if len(known) == window else None


def describe(series: Series, averages: list[float | None], window: int) -> str:
    known = [
        (average, point.period)
        for average, point in zip(averages, series.points, strict=True)
        if average is not None
    ]
    (low, low_at), (high, high_at), (last, last_at) = min(known), max(known), known[-1]
    return (
        f"Averaged over {window} {series.grain}s, the {series.measure.words} is {written(last)} "
        f"{series.when(last_at)}; it was highest {series.when(high_at)} ({written(high)}) and "
        f"lowest {series.when(low_at)} ({written(low)})."
    )
