"""One line on its way over an axis: where it breaks, is dashed, and bears dots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from adapters.charts.axes import Scale
from adapters.charts.grid import Grid, Series, TimeAxis
from adapters.charts.page import Dots, Page, Point, Stroke
from core.domain.periods import Length

_THICK_UP_TO = 200  # more points than that need a finer stroke
_SPARSE = 0.6  # of the places of a short grain; a line over fewer would be dust


@dataclass(frozen=True, slots=True)
class Line:
    """A series in its colour; a `faint` one stands behind the others."""

    series: Series
    color: str
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Course:
    """Where the places of the axis are on the page, and where lines break between them."""

    grid: Grid
    xs: Sequence[float]

    def breaks_after(self, at: int) -> bool:
        axis = self.grid.axis
        if not isinstance(axis, TimeAxis) or axis.length not in _LONGEST_STEPS:
            return False
        return axis.keys[at + 1] - axis.keys[at] > _LONGEST_STEPS[axis.length]


_LONGEST_STEPS = {
    Length.YEAR: timedelta(days=366),
    Length.QUARTER: timedelta(days=92),
    Length.MONTH: timedelta(days=31),
    Length.WEEK: timedelta(days=7),
    Length.DAY: timedelta(days=4),  # rows of working days have no gap at a weekend
}


def draw_course(page: Page, line: Line, scale: Scale, course: Course, *, dotted: bool) -> None:
    ys = [scale(value) for value in line.series.values]
    places = list(zip(course.xs, ys, strict=True))
    connected = _joined_over_missing(line.series, course.grid)
    runs = _runs(places, course, connected=connected)
    width = _width(line)
    whole, open_ = _parted(runs, {places[at] for at in course.grid.unfinished})
    for run in whole:
        page.line(run, Stroke(color=line.color, width=width))
    for run in open_:
        page.line(run, Stroke(color=line.color, width=width, dashes=(4.0, 4.0)))
    if not line.faint:
        _draw_dots(page, line, runs, places, course, dotted=dotted)


def _width(line: Line) -> float:
    if line.faint:
        return 1.2
    return 2.4 if len(line.series.known) <= _THICK_UP_TO else 1.5


def _joined_over_missing(series: Series, grid: Grid) -> bool:
    """Say whether a line goes on over places without a row: when most of a short grain has none."""
    axis = grid.axis
    short = isinstance(axis, TimeAxis) and axis.length in {Length.DAY, Length.HOUR, Length.MINUTE}
    return short and len(series.known) < _SPARSE * len(series.values)


def _runs(places: Sequence[Point], course: Course, *, connected: bool) -> list[list[Point]]:
    """Part places where the line breaks."""
    runs, run = list[list[Point]](), list[Point]()
    for at, place in enumerate(places):
        missing = math.isnan(place[1])
        if not missing:
            run.append(place)
        elif not connected and run:
            runs.append(run)
            run = []
        if run and not connected and at + 1 < len(places) and course.breaks_after(at):
            runs.append(run)
            run = []
    return [*runs, run] if run else runs


def _parted(
    runs: Sequence[list[Point]], unfinished: set[Point]
) -> tuple[list[list[Point]], list[list[Point]]]:
    if not unfinished:
        return [run for run in runs if len(run) > 1], []
    whole, open_ = list[list[Point]](), list[list[Point]]()
    for run in runs:
        for one, other in pairwise(run):
            target = open_ if one in unfinished or other in unfinished else whole
            if target and target[-1][-1] == one:
                target[-1].append(other)
            else:
                target.append([one, other])
    return whole, open_


def _draw_dots(
    page: Page,
    line: Line,
    runs: Sequence[Sequence[Point]],
    places: Sequence[Point],
    course: Course,
    *,
    dotted: bool,
) -> None:
    unfinished = {places[at] for at in course.grid.unfinished}
    alone = [run[0] for run in runs if len(run) == 1]
    last = runs[-1][-1]
    points = [point for run in runs for point in run] if dotted else [*alone, last]
    solid = [point for point in points if point not in unfinished]
    if solid:
        page.dots(solid, Dots(color=line.color, size=5.5))
    if last not in unfinished:
        page.dots([last], Dots(color=line.color, size=7.5))
    if hollow := [point for run in runs for point in run if point in unfinished]:
        page.dots(hollow, Dots(color=line.color, size=7.0, hollow=True))
