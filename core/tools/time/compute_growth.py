"""Change of a measure from one period to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pydantic import Field

from core.domain.artifact import LineChart, Sheet
from core.domain.errors import BadArguments, NotPossible
from core.domain.table import Column, ColumnKind
from core.sql.builder import Grain
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.series import Point, Series, SeriesArgs, fetch_series
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import change, written

A_YEAR_OF = {Grain.YEAR: 1, Grain.QUARTER: 4, Grain.MONTH: 12}


class Against(StrEnum):
    """Which period a period is compared with."""

    PREVIOUS = "previous"
    YEAR_AGO = "year_ago"


class ComputeGrowthArgs(SeriesArgs):
    """Which measure, by which period, against which one."""

    against: Against = Field(
        default=Against.PREVIOUS,
        description="The period before, or the same one a year ago (months and longer).",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth(ToolResult):
    """One row a period; the second column is named after the measure."""


@tool(family=Family.TIME, artifact=Sheet())
async def compute_growth(args: ComputeGrowthArgs, ctx: ToolContext) -> Growth:
    """Compare a measure with the period before, or with the same period a year ago.

    Use it for growth or decline over time, and for the compound rate from the first period to the
    last. For two periods only, or by groups, use `compare_periods`.

    Returns one row a period, oldest first, without holes; columns:
        period: its first day (date)
        the measure, such as total_amount: in its own unit; None where there are no rows
        change: share of the value compared with, 0.12 is +12 %; None where there is none, where it
            is zero or negative, and where one of the two periods is not complete
        complete: false where the period is not over or cut off

    Raises:
        BadArguments: a name that there is not, a time column without dates, or a year ago in weeks.
        NotPossible: no period can be compared with another one.
    """
    if args.against is Against.YEAR_AGO and args.grain not in A_YEAR_OF:
        raise BadArguments(f"A year is no whole number of {args.grain}s: choose month or longer.")
    series = await fetch_series(args, ctx)
    back = A_YEAR_OF[args.grain] if args.against is Against.YEAR_AGO else 1
    changes = list(changes_of(series, back=back))
    if not any(each is not None for each in changes):
        raise NotPossible(
            f"No two complete {args.grain}s with a value above zero stand side by side"
            f"{' a year apart' if back > 1 else ''}: choose a shorter grain or an earlier `since`."
        )
    return Growth(
        finding=describe(series, changes, args.against),
        table=series.table((Column("change", ColumnKind.MEASURE, unit="share"), changes)),
        chart=LineChart(x="period", y=(series.measure.name, "change"), complete="complete"),
        notes=series.notes,
    )


def changes_of(series: Series, *, back: int) -> Iterator[float | None]:
    for at, point in enumerate(series.points):
        yield share_of_change(series.points[at - back], point) if at >= back else None


def share_of_change(before: Point, now: Point) -> float | None:
    if not (before.complete and now.complete) or before.value is None or now.value is None:
        return None
    # From zero or from a loss there is no share that reads as growth.
    return (now.value - before.value) / before.value if before.value > 0 else None


def describe(series: Series, changes: list[float | None], against: Against) -> str:
    [*_, (point, latest)] = [
        (point, each)
        for point, each in zip(series.points, changes, strict=True)
        if each is not None
    ]
    than = f"the {series.grain} before" if against is Against.PREVIOUS else "a year before"
    sentence = (
        f"The {series.measure.words} of {series.name(point.period)} was "
        f"{written(point.value or 0)}, {change(latest)} against {than}."
    )
    return f"{sentence} {compound(series)}".rstrip()


def compound(series: Series) -> str:
    """Say at which rate the first complete period would have become the last; "" if none."""
    first, last = series.complete[0], series.complete[-1]
    steps = series.points.index(last) - series.points.index(first)
    if steps < 2 or not first.value or not last.value or first.value < 0 or last.value < 0:
        return ""
    rate = (last.value / first.value) ** (1 / steps) - 1
    return (
        f"From {series.name(first.period)} ({written(first.value)}) to "
        f"{series.name(last.period)} ({written(last.value)}) that is {change(rate)} "
        f"per {series.grain} on average, compounded over {steps} {series.grain}s."
    )
