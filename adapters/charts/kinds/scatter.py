"""Points over two measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.charts import axes, cells, fonts
from adapters.charts.axes import ValueAxis
from adapters.charts.frame import Heading, LegendKey, Room, open_page
from adapters.charts.grid import CannotDraw, column_of
from adapters.charts.page import Box, Dots, Page
from adapters.charts.theme import (
    INK,
    PALETTE,
    SUBTITLE,
    TICK,
    TextStyle,
    color_at,
)
from core.domain.artifact import Chart, ScatterChart

_NAME = TextStyle(12.5, INK)
_MOST_POINTS = 20_000
_MOST_NAMED = 14
_MOST_GROUPS = len(PALETTE) - 1
_TALL = 340.0


@dataclass(frozen=True, slots=True)
class _Spot:
    x: float
    y: float
    name: str


def draw_scatter(spec: ScatterChart, chart: Chart) -> Page:
    """Draw every row; names colour the points where they repeat, else they stand beside some."""
    spots, missing = _read(spec, chart)
    groups = _groups(spots)
    x_axis = axes.value_axis(
        (spot.x for spot in spots), column_of(chart.table, spec.x).unit, from_zero=False, about=7
    )
    y_axis = axes.value_axis(
        (spot.y for spot in spots), column_of(chart.table, spec.y).unit, from_zero=False
    )
    room = Room(left=y_axis.width, bottom=TICK.line_height + 34)
    page, plot = open_page(_heading(spec, chart, groups, missing), room, plot_height=_TALL)
    axes.draw_value_axis(page, plot, y_axis)
    axes.draw_bottom_numbers(page, plot, x_axis, lines=True)
    axes.draw_baseline(page, (plot.left, plot.bottom), (plot.right, plot.bottom))
    placed = _place(spots, plot, x_axis, y_axis)
    _draw_spots(page, placed, groups)
    if not groups:
        _name_some(page, plot, placed)
    words = cells.unit_words(column_of(chart.table, spec.x))
    at = ((plot.left + plot.right) / 2, plot.bottom + TICK.line_height + 28)
    page.words(words, at, SUBTITLE, "middle")
    return page


def _read(spec: ScatterChart, chart: Chart) -> tuple[list[_Spot], int]:
    xs = [cells.as_number(cell) for cell in chart.table.values(spec.x)]
    ys = [cells.as_number(cell) for cell in chart.table.values(spec.y)]
    names = [cells.as_name(cell) for cell in chart.table.values(spec.label)] if spec.label else ()
    spots = [
        _Spot(x, y, names[at] if names else "")
        for at, (x, y) in enumerate(zip(xs, ys, strict=True))
        if not math.isnan(x) and not math.isnan(y)
    ]
    if not spots:
        raise CannotDraw("No row has a number in both columns.")
    return spots[:_MOST_POINTS], len(xs) - len(spots)


def _groups(spots: Sequence[_Spot]) -> list[str]:
    names = list(dict.fromkeys(spot.name for spot in spots))
    return names if 1 < len(names) <= _MOST_GROUPS and len(names) * 2 < len(spots) else []


def _heading(spec: ScatterChart, chart: Chart, groups: Sequence[str], missing: int) -> Heading:
    rows = "row" if missing == 1 else "rows"
    notes = (f"{missing} {rows} without both values left out.",) if missing else ()
    legend = (LegendKey(name=name, color=color_at(at)) for at, name in enumerate(groups))
    return Heading(
        title=chart.title,
        subtitle=cells.unit_words(column_of(chart.table, spec.y)),
        legend=tuple(legend),
        notes=(*notes, *chart.notes),
    )


def _place(spots: Sequence[_Spot], plot: Box, x_axis: ValueAxis, y_axis: ValueAxis) -> list[_Spot]:
    to_x = x_axis.scale(plot.left, plot.right)
    to_y = y_axis.scale(plot.bottom, plot.top)
    return [_Spot(to_x(spot.x), to_y(spot.y), spot.name) for spot in spots]


def _draw_spots(page: Page, placed: Sequence[_Spot], groups: Sequence[str]) -> None:
    many = len(placed) > 300
    size, alpha = (4.5, 0.35) if many else (7.5, 0.7)
    for at, group in enumerate(groups or [""]):
        mine = [(spot.x, spot.y) for spot in placed if not groups or spot.name == group]
        page.dots(mine, Dots(color=color_at(at), size=size, alpha=alpha))


def _name_some(page: Page, plot: Box, placed: Sequence[_Spot]) -> None:
    """Write names beside points, those furthest from the middle first, where there is room."""
    middle_x = sum(spot.x for spot in placed) / len(placed)
    middle_y = sum(spot.y for spot in placed) / len(placed)
    far = sorted(placed, key=lambda s: -math.hypot(s.x - middle_x, (s.y - middle_y) * 2))
    taken = list[Box]()
    for spot in far[: _MOST_NAMED * 3]:
        if spot.name and len(taken) < _MOST_NAMED and (box := _free_box(spot, plot, placed, taken)):
            taken.append(box)
            page.words_beside(spot.name, (box.left, (box.top + box.bottom) / 2), _NAME, "start")


def _free_box(spot: _Spot, plot: Box, placed: Sequence[_Spot], taken: Sequence[Box]) -> Box | None:
    width, half = fonts.width(spot.name, _NAME), 8.0
    for left in (spot.x + 8, spot.x - 8 - width):
        box = Box(left, spot.y - half, left + width, spot.y + half)
        inside = plot.left - 4 <= box.left and box.right <= plot.right + 12
        hidden = any(_holds(box, each) for each in placed if each is not spot)
        if inside and not hidden and not any(_overlap(box, other) for other in taken):
            return box
    return None


def _holds(box: Box, spot: _Spot) -> bool:
    return box.left < spot.x < box.right and box.top < spot.y < box.bottom


def _overlap(one: Box, other: Box) -> bool:
    apart = one.right < other.left or other.right < one.left
    return not apart and one.top < other.bottom and other.top < one.bottom
