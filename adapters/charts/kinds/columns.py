"""Bars that grow upwards: over time, or for a few short names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.charts import axes, fonts, numerals
from adapters.charts.axes import Scale
from adapters.charts.frame import Heading, Room, open_page
from adapters.charts.kinds.layout import TOTAL, VALUE, Bars, color_of, total_of, write_inside
from adapters.charts.page import Box, Page
from adapters.charts.theme import PAD, width

_FILLED = 0.74  # of a place; the rest parts it from the next
_WIDEST = 84.0
_MOSTVALUES = 16  # bars that are so few bear their numbers, and then need no axis


def draw_columns(bars: Bars, heading: Heading) -> Page:
    numbered = _bears_numbers(bars)
    value_axis = axes.value_axis(bars.ends(), bars.grid.series[0].unit)
    left = 0.0 if numbered else value_axis.width
    room = Room(
        left=left, bottom=axes.height_of(axes.slot_names(bars.grid.axis, PAD + left, width() - PAD))
    )
    page, plot = open_page(heading, room)
    box = Box(plot.left, plot.top + 14, plot.right, plot.bottom) if numbered else plot
    if numbered:
        low, high = min(0.0, *bars.ends()), max(0.0, *bars.ends())
        bottom = box.bottom - 18 if low < 0 else box.bottom
        scale = Scale(low, high or 1.0, bottom, box.top)
    else:
        axes.draw_value_axis(page, box, value_axis)
        scale = value_axis.scale(box.bottom, box.top)
    columns = _Columns(bars, box, scale)
    columns.draw(page)
    if numbered:
        columns.draw_numbers(page)
    axes.draw_baseline(page, (box.left, scale(0)), (box.right, scale(0)))
    axes.draw_names(page, plot, axes.slot_names(bars.grid.axis, plot.left, plot.right))
    return page


def _bears_numbers(bars: Bars) -> bool:
    if bars.places * bars.beside > _MOSTVALUES:
        return False
    free = (width() - 2 * PAD) / bars.places * (1.0 if bars.beside == 1 else _FILLED / bars.beside)
    unit = bars.grid.series[0].unit
    return all(fonts.width(numerals.write(end, unit), VALUE) + 5 <= free for end in bars.ends())


@dataclass(frozen=True, slots=True)
class _Columns:
    bars: Bars
    box: Box
    scale: Scale

    def draw(self, page: Page) -> None:
        drawn = [*self._stacks()] if self.bars.stacked else [*self._groups()]
        page.boxes([box for box, _ in drawn], [color for _, color in drawn])

    def draw_numbers(self, page: Page) -> None:
        if self.bars.stacked:
            self._number_stacks(page)
            return
        for index, series in enumerate(self.bars.grid.series):
            for at, value in enumerate(series.values):
                if not math.isnan(value):
                    left, right = self._sides(at, index)
                    self._number(page, (left + right) / 2, value, series.unit)

    def _number(self, page: Page, x: float, value: float, unit: str) -> None:
        y = self.scale(value) + (15 if value < 0 else -5)
        page.words(numerals.write(value, unit), (x, y), VALUE, "middle")

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
        left, right = self._sides(at, index)
        ys = sorted((self.scale(start), self.scale(end)))
        # A hair of paper between the parts of a stack parts colours that are alike in print.
        seam = 1.0 if start and ys[1] - ys[0] > 3 else 0.0
        return Box(left, ys[0], right, ys[1] - seam if end > 0 else ys[1])

    def _sides(self, at: int, index: int) -> tuple[float, float]:
        slot = self.box.width / self.bars.places
        beside = self.bars.beside
        filled = min(slot * _FILLED, _WIDEST * beside)
        bar = filled / beside
        left = self.box.left + slot * (at + 0.5) - filled / 2 + bar * index
        return left, left + bar - (1.0 if bar > 3 and beside > 1 else 0.0)

    def _number_stacks(self, page: Page) -> None:
        unit = self.bars.grid.series[0].unit
        for at in range(self.bars.places):
            parts = [*self.bars.stack(at)]
            for index, start, end in parts:
                box = self._box(at, 0, start, end)
                write_inside(
                    page, box, numerals.write(end - start, unit), color_of(self.bars, index)
                )
            if words := total_of(parts, unit):
                left, right = self._sides(at, 0)
                top = self.scale(max(end for _, _, end in parts))
                page.words(words, ((left + right) / 2, top - 5), TOTAL, "middle")
