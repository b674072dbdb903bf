"""Axes: scales, round marks, and names that never touch each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from adapters.charts import fonts, numerals, periods
from adapters.charts.grid import Axis, NameAxis, NumberAxis, TimeAxis
from adapters.charts.page import Box, Page, Point, Stroke
from adapters.charts.theme import BASELINE, TICK, width
from core.domain.periods import Length, name_of, parts_of
from core.domain.table import SHARE

_GAP = 10.0  # px between two names on an axis, at least
_WIDEST_NAME = 120.0
_EDGE = 6.0  # px between a name and the end of the paper


@dataclass(frozen=True, slots=True)
class Scale:
    """Takes a number to a place on the page."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = self.high - self.low
        share = (value - self.low) / span if span else 0.5
        return self.start + share * (self.end - self.start)


@dataclass(frozen=True, slots=True)
class ValueAxis:
    """Round marks that hold all values between them."""

    marks: tuple[float, ...]
    names: tuple[str, ...]

    @property
    def width(self) -> float:
        return max(fonts.width(name, TICK) for name in self.names) + 10

    def scale(self, start: float, end: float) -> Scale:
        return Scale(self.marks[0], self.marks[-1], start, end)


def value_axis(
    values: Iterable[float], unit: str, *, from_zero: bool = True, about: int = 5
) -> ValueAxis:
    """Return an axis for values; `from_zero` makes it begin there however far they are off."""
    known = tuple(values)
    low, high = min(known), max(known)
    if from_zero or low == high or _is_near_zero(low, high):
        low, high = min(low, 0.0), max(high, 0.0)
    whole = unit != SHARE and all(value == int(value) for value in known)
    marks = numerals.marks(low, high, about=about, whole=whole)
    write = numerals.for_marks(marks, unit)
    return ValueAxis(marks, tuple(write.write(mark) for mark in marks))


def _is_near_zero(low: float, high: float) -> bool:
    return 0 < low <= high * 0.5 or 0 > high >= low * 0.5


def draw_value_axis(page: Page, box: Box, axis: ValueAxis) -> None:
    """Draw lines across the plot with their numbers at its left."""
    scale = axis.scale(box.bottom, box.top)
    page.grid([((box.left, scale(mark)), (box.right, scale(mark))) for mark in axis.marks])
    for mark, name in zip(axis.marks, axis.names, strict=True):
        page.words_beside(name, (box.left - 10, scale(mark)), TICK, "end")


def draw_baseline(page: Page, start: Point, end: Point) -> None:
    page.line([start, end], Stroke(color=BASELINE, width=1.2))


def draw_bottom_numbers(page: Page, box: Box, axis: ValueAxis, *, lines: bool) -> None:
    """Draw numbers under the plot, and `lines` up through it."""
    scale = axis.scale(box.left, box.right)
    if lines:
        page.grid([((scale(mark), box.top), (scale(mark), box.bottom)) for mark in axis.marks])
    for mark, name in zip(axis.marks, axis.names, strict=True):
        _write_below(page, Named(scale(mark), (name,)), box.bottom)


@dataclass(frozen=True, slots=True)
class Named:
    """A place on the axis below the plot, with one or two lines of words."""

    x: float
    lines: tuple[str, ...]

    @property
    def width(self) -> float:
        return max(fonts.width(line, TICK) for line in self.lines)


def height_of(names: Sequence[Named]) -> float:
    """Return how much room these names take below the plot."""
    return max((len(named.lines) for named in names), default=0) * TICK.line_height + 10


def draw_names(page: Page, box: Box, names: Sequence[Named]) -> None:
    for named in names:
        _write_below(page, named, box.bottom)


def _write_below(page: Page, named: Named, y: float) -> None:
    half = named.width / 2
    x = min(max(named.x, _EDGE + half), width() - _EDGE - half)
    for at, line in enumerate(named.lines):
        page.words(line, (x, y + 7 + TICK.size * 0.8 + at * TICK.line_height), TICK, "middle")


def are_apart(names: Sequence[Named]) -> bool:
    """Say whether no two neighbours touch."""
    return all(
        (one.width + other.width) / 2 + _GAP <= other.x - one.x for one, other in pairwise(names)
    )


def time_names(
    first: datetime, last: datetime, length: Length, x_of: Callable[[datetime], float | None]
) -> tuple[Named, ...]:
    """Name as many periods as fit; `x_of` gives a moment its place, None where it has none."""
    for marks in periods.marks(first, last, length):
        placed = [(x, moment) for moment in marks.moments if (x := x_of(moment)) is not None]
        few = len(placed) <= _FEW[marks.length]
        for names in (
            _in_full(placed if few else (), marks.length),
            _in_two_lines(placed, marks.length),
        ):
            if names and are_apart(names):
                return names
    ends = [(x, moment) for moment in (first, last) if (x := x_of(moment)) is not None]
    return _in_full(ends[:1], length) if len(ends) < 2 else _both_or_first(ends, length)


# Up to so many marks are named in full; after that the year or the day is named where it begins.
_FEW = {
    Length.YEAR: 100,
    Length.QUARTER: 8,
    Length.MONTH: 8,
    Length.WEEK: 3,
    Length.DAY: 3,
    Length.HOUR: 2,
    Length.MINUTE: 2,
}


def _both_or_first(ends: list[tuple[float, datetime]], length: Length) -> tuple[Named, ...]:
    both = _in_full(ends, length)
    return both if are_apart(both) else both[:1]


def _in_full(placed: Sequence[tuple[float, datetime]], length: Length) -> tuple[Named, ...]:
    return tuple(Named(x, (name_of(moment, length),)) for x, moment in placed)


def _in_two_lines(placed: Sequence[tuple[float, datetime]], length: Length) -> tuple[Named, ...]:
    names, before = list[Named](), ""
    for x, moment in placed:
        first, second = parts_of(moment, length)
        names.append(Named(x, (first, second) if second not in {"", before} else (first,)))
        before = second
    return tuple(names)


def slot_names(axis: Axis, left: float, right: float) -> tuple[Named, ...]:
    """Name the places of an axis that have the same width each."""
    slot = (right - left) / len(axis.keys)

    def center(at: int) -> float:
        return left + slot * (at + 0.5)

    match axis:
        case TimeAxis(keys, length):
            places = {key: center(at) for at, key in enumerate(keys)}
            return time_names(keys[0], keys[-1], length, places.get)
        case NameAxis(keys):
            return category_names(keys, center, within=slot - 8) or some_names(keys, center)
        case NumberAxis(keys):
            return some_names([numerals.write(key) for key in keys], center)


def category_names(
    names: Sequence[str], x_of: Callable[[int], float], *, within: float
) -> tuple[Named, ...] | None:
    """Write every name below its place in at most two lines; None if one does not fit."""
    lines = [fonts.wrapped(name, TICK, within=within, at_most=2) for name in names]
    if any(fonts.is_cut(name, wrapped) for name, wrapped in zip(names, lines, strict=True)):
        return None
    return tuple(Named(x_of(at), wrapped) for at, wrapped in enumerate(lines))


def some_names(names: Sequence[str], x_of: Callable[[int], float]) -> tuple[Named, ...]:
    """Write every second, third ... name, as many as fit on one line each."""
    short = [fonts.shortened(name, TICK, within=_WIDEST_NAME) for name in names]
    for step in range(1, len(short) + 1):
        placed = [Named(x_of(at), (short[at],)) for at in range(0, len(short), step)]
        if are_apart(placed):
            return tuple(placed)
    return ()
