"""From a chart to a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from adapters.charts import fonts
from adapters.charts.kinds.bar import draw_bar
from adapters.charts.kinds.heat_map import draw_heat_map
from adapters.charts.kinds.histogram import draw_histogram
from adapters.charts.kinds.line import draw_line
from adapters.charts.kinds.scatter import draw_scatter
from adapters.charts.page import Page
from adapters.charts.theme import on_paper
from core.domain.artifact import BarChart, Chart, HeatMap, Histogram, LineChart, ScatterChart


def draw(chart: Chart) -> bytes:
    """Return a chart as PNG.

    Raises:
        CannotDraw: the table does not hold what the chart shows.
    """
    with on_paper(chart.width):
        return page_of(chart).png()


def page_of(chart: Chart) -> Page:
    """Lay a chart out. Raises CannotDraw as `draw` does."""
    return _laid_out(replace(chart, notes=(*chart.notes, *_letter_notes(chart))))


def _laid_out(chart: Chart) -> Page:
    match chart.spec:
        case LineChart():
            return draw_line(chart.spec, chart)
        case BarChart():
            return draw_bar(chart.spec, chart)
        case ScatterChart():
            return draw_scatter(chart.spec, chart)
        case Histogram():
            return draw_histogram(chart.spec, chart)
        case HeatMap():
            return draw_heat_map(chart.spec, chart)
        case _:
            assert_never(chart.spec)


def _letter_notes(chart: Chart) -> tuple[str, ...]:
    """Say so where this machine has no font for a letter."""
    names = (name for name in chart.table.names if name in chart.spec.columns)
    cells = (cell for row in chart.table.rows for cell in row if isinstance(cell, str))
    if all(map(fonts.has_all, {chart.title, *chart.notes, *names, *cells})):
        return ()
    return ("Letters that no installed font has are shown as □.",)
