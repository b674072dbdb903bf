"""Where a measure moved to another level."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.artifact import LineChart, Sheet
from core.domain.errors import NotPossible
from core.domain.table import Column, ColumnKind
from core.stats.breaks import SHORTEST, Break, breaks_in, levels_of, line_fits_better
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.series import Point, Series, SeriesArgs, fetch_series
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import change, listed, written


class DetectChangePointsArgs(SeriesArgs):
    """Which measure, by which period."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePoints(ToolResult):
    """One row a period; the second column is named after the measure."""


@tool(family=Family.TIME, artifact=Sheet())
async def detect_change_points(args: DetectChangePointsArgs, ctx: ToolContext) -> ChangePoints:
    """Find the periods in which a measure moved to another level and stayed there.

    Use it for "when did this change". For single odd periods use another tool, for a steady rise or
    fall `compute_trend`; a season can look like a change of level.

    Returns one row a period, oldest first, without holes; columns:
        period: its first day (date; a timestamp for hours)
        the measure, such as total_amount: in its own unit; None where there are no rows
        level: mean of the complete periods between two changes; None for the others
        complete: false where the period is not over or cut off

    Raises:
        BadArguments: a name that there is not, or a time column without dates.
        NotPossible: fewer than eight complete periods have a value.
    """
    series = await fetch_series(args, ctx)
    known = series.complete
    if len(known) < 2 * SHORTEST:
        raise NotPossible(
            f"Only {len(known)} complete {args.grain}s have a value; {2 * SHORTEST} are needed. "
            "Choose a shorter grain or an earlier `since`."
        )
    values = [point.value for point in known if point.value is not None]
    breaks = await asyncio.to_thread(breaks_in, values)
    levels = levels_of(values, breaks)
    by_period = {point.period: level for point, level in zip(known, levels, strict=True)}
    shown = [by_period.get(point.period) for point in series.points]
    return ChangePoints(
        finding=describe(series, known, breaks, levels),
        table=series.table((Column("level", ColumnKind.MEASURE), shown)),
        chart=LineChart(x="period", y=(series.measure.name, "level"), complete="complete"),
        notes=(*series.notes, *remarks(values, breaks)),
    )


def describe(
    series: Series, known: Sequence[Point], breaks: Sequence[Break], levels: Sequence[float]
) -> str:
    if not breaks:
        return (
            f"The {series.measure.words} did not change its level over {len(known)} complete "
            f"{series.grain}s; it is {written(levels[0])} on average."
        )
    moves = [
        f"{series.when(known[each.at].period)} from {written(levels[each.at - 1])} to "
        f"{written(levels[each.at])}{_share(levels[each.at - 1], levels[each.at])}, "
        f"{each.confidence:.0%} sure"
        for each in breaks
    ]
    return f"The level of the {series.measure.words} changed {listed(moves)}."


def _share(before: float, after: float) -> str:
    return f" ({change((after - before) / before)})" if before > 0 else ""


def remarks(values: Sequence[float], breaks: Sequence[Break]) -> Iterator[str]:
    if breaks and line_fits_better(values, breaks):
        yield "A steady trend explains the series better than steps do: see `compute_trend`."
    if breaks:
        yield "How sure a change is does not take seasons into account."
