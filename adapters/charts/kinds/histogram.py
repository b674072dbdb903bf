"""How often values fall into each bin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.charts import axes, cells, numerals
from adapters.charts.axes import Named, Scale
from adapters.charts.frame import Heading, Room, open_page
from adapters.charts.grid import CannotDraw, column_of
from adapters.charts.page import Box, Page
from adapters.charts.theme import SUBTITLE, TICK, color_at
from core.domain.artifact import Chart, Histogram

_EDGES_UP_TO = 14  # bins that are so few have all their edges named


@dataclass(frozen=True, slots=True)
class _Bin:
    lower: float
    upper: float
    count: float


def draw_histogram(spec: Histogram, chart: Chart) -> Page:
    """Draw bins side by side from zero; a bin without an edge goes on for one width."""
    bins = _read(spec, chart)
    unit = column_of(chart.table, spec.lower).unit
    y_axis = axes.value_axis((each.count for each in bins), column_of(chart.table, spec.count).unit)
    title = 24.0
    room = Room(left=y_axis.width, bottom=TICK.line_height + 10 + title)
    heading = Heading(
        title=chart.title,
        subtitle=cells.unit_words(column_of(chart.table, spec.count)),
        notes=(*_open_notes(spec, chart), *chart.notes),
    )
    page, plot = open_page(heading, room)
    axes.draw_value_axis(page, plot, y_axis)
    to_x = Scale(bins[0].lower, max(each.upper for each in bins), plot.left + 4, plot.right - 4)
    to_y = y_axis.scale(plot.bottom, plot.top)
    boxes = [
        Box(to_x(each.lower) + 0.5, to_y(each.count), to_x(each.upper) - 0.5, to_y(0))
        for each in bins
    ]
    page.boxes(boxes, color_at(0))
    axes.draw_baseline(page, (plot.left, plot.bottom), (plot.right, plot.bottom))
    axes.draw_names(page, plot, _names(bins, to_x, unit))
    words = _axis_words(spec, chart)
    at = ((plot.left + plot.right) / 2, plot.bottom + TICK.line_height + 28)
    page.words(words, at, SUBTITLE, "middle")
    return page


def _read(spec: Histogram, chart: Chart) -> list[_Bin]:
    table = chart.table
    rows = zip(
        table.values(spec.lower), table.values(spec.upper), table.values(spec.count), strict=True
    )
    read = [tuple(map(cells.as_number, row)) for row in rows]
    known = [row for row in read if not math.isnan(row[2]) and not all(map(math.isnan, row[:2]))]
    widths = [upper - lower for lower, upper, _ in known if upper > lower]
    width = sorted(widths)[len(widths) // 2] if widths else 1.0
    bins = [
        _Bin(
            upper - width if math.isnan(lower) else lower,
            lower + width if math.isnan(upper) or upper <= lower else upper,
            count,
        )
        for lower, upper, count in known
    ]
    if not bins:
        raise CannotDraw("There is no bin to draw.")
    return sorted(bins, key=lambda each: each.lower)


def _open_notes(spec: Histogram, chart: Chart) -> tuple[str, ...]:
    edges = (*chart.table.values(spec.lower), *chart.table.values(spec.upper))
    return ("The outermost bin goes on without an end.",) if None in edges else ()


def _names(bins: Sequence[_Bin], to_x: Scale, unit: str) -> tuple[Named, ...]:
    edges = sorted({edge for each in bins for edge in (each.lower, each.upper)})
    write = numerals.for_marks(edges, unit)
    if len(bins) <= _EDGES_UP_TO and write.decimals <= 2:
        named = tuple(Named(to_x(edge), (write.write(edge),)) for edge in edges)
        if axes.are_apart(named):
            return named
    marks = numerals.marks(edges[0], edges[-1], about=7)
    write = numerals.for_marks(marks, unit)
    inside = [mark for mark in marks if edges[0] <= mark <= edges[-1]]
    return tuple(Named(to_x(mark), (write.write(mark),)) for mark in inside)


def _axis_words(spec: Histogram, chart: Chart) -> str:
    """Name what was measured: "amount from" and "amount to" are the edges of amounts."""
    column = column_of(chart.table, spec.lower)
    words = column.heading.removesuffix(" from")
    named = "" if words.casefold() in _EDGE_NAMES else words
    shown_unit = column.shown_unit
    return f"{named} ({shown_unit})" if named and shown_unit else named or shown_unit


_EDGE_NAMES = {"from", "lower", "lo", "low", "min", "start", "bin", "lower edge"}
