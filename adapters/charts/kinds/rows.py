"""Bars that grow to the right: for many or long names, and for measures that share no scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.charts import axes, cells, fonts, numerals
from adapters.charts.axes import Scale
from adapters.charts.frame import Heading, Room, open_page
from adapters.charts.grid import Series, column_of, key_names
from adapters.charts.kinds.layout import (
    TOTAL,
    VALUE,
    Bars,
    color_of,
    share_a_scale,
    total_of,
    write_inside,
)
from adapters.charts.page import Box, Page
from adapters.charts.theme import LABEL, SUBTITLE
from core.domain.table import Table

_WIDEST_NAME = 210.0
_ROW = 27.0
_BESIDE = 15.0  # the height of a bar among others of the same name
_MOST_PANELS = 4
_PANEL_GAP = 26.0


def draw_rows(bars: Bars, heading: Heading, table: Table) -> Page:
    """Draw a row for each name; a panel for each measure where they share no scale."""
    names = [
        fonts.shortened(name, LABEL, within=_WIDEST_NAME) for name in key_names(bars.grid.axis)
    ]
    panels = _panels(bars)
    heads = [cells.unit_words(column_of(table, each[0].measure)) for each in panels]
    above = SUBTITLE.line_height + 4 if len(panels) > 1 else 0.0
    height = _row_height(bars, panels) * bars.places + above
    room = Room(left=max(fonts.width(name, LABEL) for name in names) + 10)
    page, plot = open_page(heading, room, plot_height=height)
    for at, name in enumerate(names):
        middle = plot.top + above + _row_height(bars, panels) * (at + 0.5)
        page.words_beside(name, (plot.left - 10, middle), LABEL, "end")
    width = (plot.width - _PANEL_GAP * (len(panels) - 1)) / len(panels)
    for at, (panel, head) in enumerate(zip(panels, heads, strict=True)):
        left = plot.left + at * (width + _PANEL_GAP)
        if above:
            words = fonts.shortened(head, SUBTITLE, within=width)
            page.words(words, (left, plot.top + SUBTITLE.size * 0.8), SUBTITLE)
        box = Box(left, plot.top + above, left + width, plot.bottom)
        _draw_panel(page, box, replace(bars, grid=replace(bars.grid, series=tuple(panel))))
    return page


def _panels(bars: Bars) -> list[list[Series]]:
    series = bars.grid.series
    if share_a_scale(series):
        return [list(series)]
    measures = list(dict.fromkeys(each.measure for each in series))[:_MOST_PANELS]
    return [[each for each in series if each.measure == measure] for measure in measures]


def _row_height(bars: Bars, panels: Sequence[Sequence[Series]]) -> float:
    beside = 1 if bars.stacked else max(map(len, panels))
    return _ROW if beside == 1 else beside * _BESIDE + 12


def _draw_panel(page: Page, box: Box, bars: Bars) -> None:
    rows = _Rows(bars, box, _scale(bars, box))
    rows.draw(page)
    rows.draw_numbers(page)
    zero = rows.scale(0)
    axes.draw_baseline(page, (zero, box.top), (zero, box.bottom))


def _scale(bars: Bars, box: Box) -> Scale:
    """Leave room at the ends of the bars for their numbers."""
    ends, unit = bars.ends(), bars.grid.series[0].unit
    low, high = min(0.0, *ends), max(0.0, *ends)
    style = TOTAL if bars.stacked else VALUE
    widest = max(fonts.width(numerals.write(end, unit), style) for end in ends) + 10
    left = box.left + (widest if low < 0 else 0.0)
    right = box.right - (widest if high > 0 else 0.0)
    return Scale(low, high if high > low else low + 1.0, left, right)


@dataclass(frozen=True, slots=True)
class _Rows:
    bars: Bars
    box: Box
    scale: Scale

    def draw(self, page: Page) -> None:
        drawn = [*self._stacks()] if self.bars.stacked else [*self._groups()]
        page.boxes([box for box, _ in drawn], [color for _, color in drawn])

    def draw_numbers(self, page: Page) -> None:
        unit = self.bars.grid.series[0].unit
        if self.bars.stacked:
            self._number_stacks(page, unit)
            return
        for index, series in enumerate(self.bars.grid.series):
            for at, value in enumerate(series.values):
                top, bottom = self._sides(at, index)
                self._number(page, (top + bottom) / 2, value, unit)

    def _number(self, page: Page, y: float, value: float, unit: str) -> None:
        if math.isnan(value):
            page.words_beside(numerals.NOTHING, (self.scale(0) + 6, y), VALUE, "start")
            return
        x = self.scale(value) + (-6 if value < 0 else 6)
        words = numerals.write(value, unit)
        page.words_beside(words, (x, y), VALUE, "end" if value < 0 else "start")

    def _number_stacks(self, page: Page, unit: str) -> None:
        for at in range(self.bars.places):
            parts = [*self.bars.stack(at)]
            for index, start, end in parts:
                box = self._box(at, 0, start, end)
                write_inside(
                    page, box, numerals.write(end - start, unit), color_of(self.bars, index)
                )
            if words := total_of(parts, unit):
                top, bottom = self._sides(at, 0)
                right = self.scale(max(end for _, _, end in parts))
                page.words_beside(words, (right + 6, (top + bottom) / 2), TOTAL, "start")

    def _groups(self) -> Sequence[tuple[Box, str]]:
        return [
            (self._box(at, index, 0.0, value), color_of(self.bars, index, at))
            for index, series in enumerate(self.bars.grid.series)
            for at, value in enumerate(series.values)
            if not math.isnan(value)
        ]

    def _stacks(self) -> Sequence[tuple[Box, str]]:
        return [
            (self._box(at, 0, start, end), color_of(self.bars, index, at))
            for at in range(self.bars.places)
            for index, start, end in self.bars.stack(at)
        ]

    def _box(self, at: int, index: int, start: float, end: float) -> Box:
        top, bottom = self._sides(at, index)
        left, right = sorted((self.scale(start), self.scale(end)))
        seam = 1.0 if start and right - left > 3 else 0.0
        return Box(left + (seam if end > 0 else 0.0), top, right, bottom)

    def _sides(self, at: int, index: int) -> tuple[float, float]:
        row = self.box.height / self.bars.places
        beside = self.bars.beside
        filled = row * 0.7 if beside == 1 else row - 10
        bar = filled / beside
        top = self.box.top + row * (at + 0.5) - filled / 2 + bar * index
        return top, top + bar - (1.0 if beside > 1 else 0.0)
