"""Bars: which of them there is room for, in which order, and which way they grow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from adapters.charts import axes, cells, numerals
from adapters.charts.frame import Heading, LegendKey
from adapters.charts.grid import (
    Grid,
    NameAxis,
    Series,
    TimeAxis,
    column_of,
    kept,
    read_grid,
)
from adapters.charts.kinds.columns import draw_columns
from adapters.charts.kinds.layout import Bars, color_of, share_a_scale
from adapters.charts.kinds.line import draw_line
from adapters.charts.kinds.rows import draw_rows
from adapters.charts.page import Page
from adapters.charts.periods import every_period
from adapters.charts.theme import PAD, width
from core.domain.artifact import BarChart, Chart, LineChart
from core.domain.periods import Length
from core.domain.table import SHARE, Table

_MOST_NAMES = 20
_MOST_ORDERED_NAMES = 40
_MOST_ORDERED_SHORT_NAMES = 120
_SHORT_NAME = 6  # letters; as long as a number or a class of numbers
_MOST_SERIES = 6
_MOST_PERIODS = 120
_MOST_COLUMNS = 12
_NARROWEST = 14.0  # px for a bar and its gap
_NARROWEST_ORDERED = 5.0
_OTHER = "other"
_GIANT = 2.0  # times the largest bar that has a name


def draw_bar(spec: BarChart, chart: Chart) -> Page:
    """Draw bars upwards for time and few short names, to the right for many or long ones."""
    grid = read_grid(spec, chart.table)
    if isinstance(grid.axis, TimeAxis) and not _fit_as_bars(grid, grid.axis):
        return draw_line(_as_line(spec), chart)
    bars = _chosen(grid, stacked=spec.stacked)
    heading = _heading(spec, chart, bars)
    if not spec.horizontal and _stand_upright(bars):
        return draw_columns(bars, heading)
    return draw_rows(bars, heading, chart.table)


def _fit_as_bars(grid: Grid, axis: TimeAxis) -> bool:
    return len(axis.keys) <= _MOST_PERIODS and share_a_scale(grid.series)


def _as_line(spec: BarChart) -> LineChart:
    return LineChart(x=spec.x, y=spec.y, series=spec.series, complete=spec.complete)


def _chosen(grid: Grid, *, stacked: bool) -> Bars:
    grid = _few_series(_every_period(grid))
    stacked = stacked and len(grid.series) > 1 and _can_be_stacked(grid)
    return Bars(grid=_without_giant(_few_names(grid, stacked=stacked)), stacked=stacked)


def _can_be_stacked(grid: Grid) -> bool:
    return share_a_scale(grid.series) and (
        all(series.adds_up for series in grid.series) or _are_parts_of_one(grid)
    )


def _are_parts_of_one(grid: Grid) -> bool:
    """Say whether shares stand for parts of the same whole at every place."""
    columns = zip(*(series.values for series in grid.series), strict=True)
    return grid.series[0].unit == SHARE and all(map(_is_within_one, columns))


def _is_within_one(values: Sequence[float]) -> bool:
    known = [value for value in values if not math.isnan(value)]
    return all(value >= 0 for value in known) and sum(known) <= 1.0005


# What there is room for


def _every_period(grid: Grid) -> Grid:
    """Give periods without a row an empty place, so that a gap in time is seen."""
    if not isinstance(grid.axis, TimeAxis) or grid.axis.length in {Length.HOUR, Length.MINUTE}:
        return grid
    old = {key: at for at, key in enumerate(grid.axis.keys)}
    keys = tuple(every_period(grid.axis.keys, grid.axis.length, at_most=_MOST_PERIODS))
    series = tuple(
        replace(each, values=tuple(each.values[old[k]] if k in old else math.nan for k in keys))
        for each in grid.series
    )
    moved = frozenset(at for at, key in enumerate(keys) if old.get(key, -1) in grid.unfinished)
    axis = replace(grid.axis, keys=keys)
    return replace(grid, axis=axis, series=series, unfinished=moved)


def _few_series(grid: Grid) -> Grid:
    """Keep the largest groups; the rest becomes one, where it can be added up."""
    if len(grid.series) <= _MOST_SERIES or len({s.measure for s in grid.series}) > 1:
        return grid
    large = sorted(grid.series, key=lambda series: -series.size)[: _MOST_SERIES - 1]
    chosen = tuple(series for series in grid.series if series in large)
    rest = [series for series in grid.series if series not in large]
    if not (all(series.adds_up for series in rest) or _are_parts_of_one(grid)):
        note = f"The {len(chosen)} largest of {len(grid.series)} groups."
        return replace(grid, series=chosen, notes=(*grid.notes, note))
    values = tuple(_sum(column) for column in zip(*(s.values for s in rest), strict=True))
    other = replace(rest[0], name=f"{_OTHER} ({len(rest)})", group=_OTHER, values=values)
    return replace(grid, series=(*chosen, other))


def _few_names(grid: Grid, *, stacked: bool) -> Grid:
    if not isinstance(grid.axis, NameAxis):
        return grid
    places = range(len(grid.axis.keys))
    short = all(len(name) <= _SHORT_NAME for name in grid.axis.keys)
    most = _MOST_ORDERED_SHORT_NAMES if short else _MOST_ORDERED_NAMES
    if grid.axis.ordered and len(places) <= most:
        return grid
    sizes = [_size_at(grid, at, stacked=stacked) for at in places]
    rest = [name.startswith(f"{_OTHER} (") for name in grid.axis.keys]
    order = sorted(places, key=lambda at: (rest[at], 0.0 if _ranked(sizes, rest) else -sizes[at]))
    if len(order) <= _MOST_NAMES + 2:
        return kept(grid, order)
    return _with_other(grid, order)


def _ranked(sizes: Sequence[float], rest: Sequence[bool]) -> bool:
    """Say whether the rows come ranked already, from either end; what is put together is not."""
    named = [size for size, other in zip(sizes, rest, strict=True) if not other]
    return named in (sorted(named), sorted(named, reverse=True))


def _size_at(grid: Grid, at: int, *, stacked: bool) -> float:
    """Return what a category is sorted by: its whole stack, or its first bar."""
    if stacked:
        return _sum([series.values[at] for series in grid.series])
    value = grid.series[0].values[at]
    return -math.inf if math.isnan(value) else value


def _with_other(grid: Grid, order: Sequence[int]) -> Grid:
    first, rest = order[:_MOST_NAMES], order[_MOST_NAMES:]
    shown = kept(grid, first)
    if not isinstance(shown.axis, NameAxis):
        return shown
    addable = all(series.adds_up or _is_within_one(series.values) for series in grid.series)
    if not addable:
        note = f"The first {len(first)} of {len(order)}."
        return replace(shown, notes=(*shown.notes, note))
    series = tuple(
        replace(one, values=(*one.values, _sum([whole.values[at] for at in rest])))
        for one, whole in zip(shown.series, grid.series, strict=True)
    )
    names = (*shown.axis.keys, f"{_OTHER} ({len(rest)})")
    return replace(shown, axis=replace(shown.axis, keys=names), series=series)


def _without_giant(grid: Grid) -> Grid:
    """Leave out what was put together where it would dwarf everything that has a name."""
    first, *others = grid.series
    if not isinstance(grid.axis, NameAxis) or others:
        return grid
    name, values = grid.axis.keys[-1], first.values
    named = [value for value in values[:-1] if not math.isnan(value)]
    dwarfs = bool(named) and values[-1] > _GIANT * max(named)  # never of a NaN
    if not name.startswith(f"{_OTHER} (") or not dwarfs:
        return grid
    total = numerals.write(values[-1], first.unit)
    note = f"Not drawn, because it would dwarf the rest: {name} with {total}."
    shown = kept(grid, range(len(values) - 1))
    return replace(shown, notes=(*shown.notes, note))


def _sum(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) if known else math.nan


# Which way, and the words


def _stand_upright(bars: Bars) -> bool:
    axis = bars.grid.axis
    if isinstance(axis, TimeAxis):
        return True
    if not isinstance(axis, NameAxis) or not share_a_scale(bars.grid.series):
        return False
    slot = (width() - 2 * PAD - 50) / len(axis.keys)
    short = all(len(name) <= _SHORT_NAME for name in axis.keys)
    if axis.ordered and short and slot / bars.beside >= _NARROWEST_ORDERED:
        return True
    if slot / bars.beside < _NARROWEST:
        return False
    fits = axes.category_names(axis.keys, lambda at: at * slot, within=slot - 8) is not None
    return fits and len(axis.keys) <= _MOST_COLUMNS


def _heading(spec: BarChart, chart: Chart, bars: Bars) -> Heading:
    series = bars.grid.series
    notes = (*bars.grid.notes, *chart.notes)
    if bars.grid.unfinished:
        notes = ("Lighter: the period is not over yet.", *notes)
    keys = (LegendKey(name=each.name, color=color_of(bars, at)) for at, each in enumerate(series))
    several = len(series) > 1 and share_a_scale(series)
    return Heading(
        title=chart.title,
        subtitle=_measure_words(series, chart.table, spec) if share_a_scale(series) else "",
        legend=tuple(keys) if several else (),
        notes=notes,
    )


def _measure_words(series: Sequence[Series], table: Table, spec: BarChart) -> str:
    measures = dict.fromkeys(each.measure for each in series)
    axis = column_of(table, spec.x).heading
    group = f" and {column_of(table, spec.series).heading}" if spec.series else ""
    if len(measures) > 1:  # the legend names them
        return f"by {axis}{group}"
    return f"{cells.unit_words(column_of(table, series[0].measure))} by {axis}{group}"
