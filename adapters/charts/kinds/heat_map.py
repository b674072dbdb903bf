"""A shade for each pair of two categories."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from adapters.charts import axes, cells, fonts, numerals
from adapters.charts.frame import Heading, Room, open_page
from adapters.charts.grid import (
    Axis,
    CannotDraw,
    Key,
    column_of,
    first_keys,
    key_names,
    read_axis,
)
from adapters.charts.page import Box, Page
from adapters.charts.theme import (
    ABOVE_ZERO,
    BELOW_ZERO,
    EMPTY_CELL,
    LABEL,
    PAD,
    SHADES,
    TICK,
    TextStyle,
    ink_on,
    shade,
    width,
)
from core.domain.artifact import Chart, HeatMap
from core.domain.table import Column, ColumnKind

_WIDEST_NAME = 190.0
_MOST_ROWS = 30
_MOST_COLUMNS = 40
_LOWEST_ROW, _HIGHEST_ROW = 22.0, 44.0
_PLOT_HEIGHT = 330.0
_KEY = 120.0
_VALUE = TextStyle(12.5)


@dataclass(frozen=True, slots=True)
class _Cells:
    x_axis: Axis
    y_axis: Axis
    values: Mapping[tuple[Key, Key], float]
    unit: str
    correlates: bool

    @property
    def xs(self) -> Sequence[Key]:
        return self.x_axis.keys[:_MOST_COLUMNS]

    @property
    def ys(self) -> Sequence[Key]:
        return self.y_axis.keys[:_MOST_ROWS]

    def at(self, x: Key, y: Key) -> float:
        return self.values.get((x, y), math.nan)

    @property
    def known(self) -> list[float]:
        return [value for value in self.values.values() if not math.isnan(value)]


def draw_heat_map(spec: HeatMap, chart: Chart) -> Page:
    """Draw a grid; blue grows with the value, brown is below zero, grey holds nothing."""
    table, notes = _read(spec, chart)
    row = min(max(_PLOT_HEIGHT / len(table.ys), _LOWEST_ROW), _HIGHEST_ROW)
    names = [
        fonts.shortened(name, LABEL, within=_WIDEST_NAME)
        for name in key_names(table.y_axis)[: len(table.ys)]
    ]
    left = max(fonts.width(name, LABEL) for name in names) + 12
    x_axis = first_keys(table.x_axis, len(table.xs))
    below = axes.height_of(axes.slot_names(x_axis, PAD + left, width() - PAD))
    room = Room(left=left, bottom=below + 30)
    heading = Heading(
        title=chart.title,
        subtitle=_words(spec, chart),
        notes=(*notes, *chart.notes),
    )
    page, plot = open_page(heading, room, plot_height=row * len(table.ys))
    _draw_cells(page, plot, table)
    for at, name in enumerate(names):
        page.words_beside(name, (plot.left - 10, plot.top + row * (at + 0.5)), LABEL, "end")
    axes.draw_names(page, plot, axes.slot_names(x_axis, plot.left, plot.right))
    _draw_key(page, plot.right, plot.bottom + below + 16, table)
    return page


def _words(spec: HeatMap, chart: Chart) -> str:
    names = (spec.value,) if isinstance(spec.value, str) else ()
    measure = ", ".join(cells.unit_words(column_of(chart.table, name)) for name in names)
    across = f" and {column_of(chart.table, spec.x).heading}" if spec.x else ""
    return f"{measure} by {column_of(chart.table, spec.y).heading}{across}".lstrip()


def _read(spec: HeatMap, chart: Chart) -> tuple[_Cells, tuple[str, ...]]:
    x_axis, y_axis, known = _cross(spec, chart) if not spec.x else _pairs(spec, chart)
    values = dict[tuple[Key, Key], float]()
    for x, y, value in known:
        if x is None or y is None or math.isnan(value):
            continue
        if (x, y) in values and not _adds_up(spec, chart):
            raise CannotDraw("There are several rows for one cell, and they cannot be added up.")
        values[x, y] = values.get((x, y), 0.0) + value
    if not values:
        raise CannotDraw("There is no number to draw.")
    column = column_of(chart.table, _first_value(spec))
    correlates = "correlation" in column.name.casefold() and all(
        -1 <= v <= 1 for v in values.values()
    )
    table = _Cells(x_axis, y_axis, values, column.unit, correlates)
    whole = len(x_axis.keys), len(y_axis.keys)
    shown = len(table.xs), len(table.ys)
    note = f"The first {shown[1]} rows of {whole[1]} and {shown[0]} columns of {whole[0]}."
    return table, (note,) if shown != whole else ()


_Known = Iterator[tuple[Key | None, Key | None, float]]


def _pairs(spec: HeatMap, chart: Chart) -> tuple[Axis, Axis, _Known]:
    """Read one pair of categories a row."""
    x_axis, xs = read_axis(column_of(chart.table, spec.x), chart.table.values(spec.x))
    y_axis, ys = read_axis(column_of(chart.table, spec.y), chart.table.values(spec.y))
    numbers = map(cells.as_number, chart.table.values(_first_value(spec)))
    return x_axis, y_axis, zip(xs, ys, numbers, strict=True)


def _cross(spec: HeatMap, chart: Chart) -> tuple[Axis, Axis, _Known]:
    """Read a cross table: its columns are the one axis."""
    names = (spec.value,) if isinstance(spec.value, str) else spec.value
    x_axis, xs = read_axis(Column("", ColumnKind.DIMENSION), names)
    y_axis, ys = read_axis(column_of(chart.table, spec.y), chart.table.values(spec.y))
    known = (
        (x, y, cells.as_number(cell))
        for x, name in zip(xs, names, strict=True)
        for y, cell in zip(ys, chart.table.values(name), strict=True)
    )
    return x_axis, y_axis, known


def _first_value(spec: HeatMap) -> str:
    return spec.value if isinstance(spec.value, str) else spec.value[0]


def _adds_up(spec: HeatMap, chart: Chart) -> bool:
    return cells.adds_up(column_of(chart.table, _first_value(spec)))


def _draw_cells(page: Page, plot: Box, table: _Cells) -> None:
    width, height = plot.width / len(table.xs), plot.height / len(table.ys)
    boxes, colors = list[Box](), list[str]()
    for row, y in enumerate(table.ys):
        for at, x in enumerate(table.xs):
            left, top = plot.left + at * width, plot.top + row * height
            boxes.append(Box(left + 0.75, top + 0.75, left + width - 0.75, top + height - 0.75))
            colors.append(_color(table, table.at(x, y)))
    page.boxes(boxes, colors)
    words = [_word(table, x, y) for y in table.ys for x in table.xs]
    if max(fonts.width(word, _VALUE) for word in words) + 8 > width:
        return
    for box, color, word in zip(boxes, colors, words, strict=True):
        middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        page.words_beside(word, middle, TextStyle(_VALUE.size, ink_on(color)), "middle")


def _word(table: _Cells, x: Key, y: Key) -> str:
    value = table.at(x, y)
    if math.isnan(value):
        return numerals.NOTHING
    return _CORRELATION.write(value) if table.correlates else numerals.write(value, table.unit)


_CORRELATION = numerals.Numerals(decimals=2)


def _color(table: _Cells, value: float) -> str:
    if math.isnan(value):
        return EMPTY_CELL
    low, high = _ends(table)
    if low < 0:
        half = (value - low) / (high - low) * 2
        return shade(BELOW_ZERO, half) if value < 0 else shade(ABOVE_ZERO, half - 1)
    return shade(SHADES, (value - low) / (high - low)) if high > low else SHADES[3]


def _ends(table: _Cells) -> tuple[float, float]:
    """Return the values of the two outermost shades; around zero they are equally far from it."""
    low, high = min(table.known), max(table.known)
    if table.correlates:
        return -1.0, 1.0
    if low >= 0:
        return low, high
    far = max(-low, high)
    return -far, far


def _draw_key(page: Page, right: float, y: float, table: _Cells) -> None:
    low, high = _ends(table)
    high_words, low_words = numerals.write(high, table.unit), numerals.write(low, table.unit)
    start = right - fonts.width(high_words, TICK) - 8 - _KEY
    steps = 48
    width = _KEY / steps
    boxes = [Box(start + at * width, y, start + (at + 1.3) * width, y + 10) for at in range(steps)]
    span = high - low
    page.boxes(boxes, [_color(table, low + span * at / (steps - 1)) for at in range(steps)])
    page.words_beside(low_words, (start - 8, y + 5), TICK, "end")
    page.words_beside(high_words, (start + _KEY + 8, y + 5), TICK, "start")
