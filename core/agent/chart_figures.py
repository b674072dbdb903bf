"""The figures of a chart as values, for platforms that draw simple charts themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.domain.answer import ChartFigures, ChartSeries
from core.domain.artifact import BarChart, Chart, LineChart
from core.domain.table import Cell, Column, Table, json_cell
from core.domain.writing import NO_VALUE, writing_of, written

_MOST_CATEGORIES = 50
_MOST_SERIES = 12


def figures_of(chart: Chart) -> ChartFigures | None:
    """Return lines or bars with one finite number of each series in each category, else None.

    A chart with gaps, or with a period that is not over yet, says more as a picture.
    """
    spec = chart.spec
    if not isinstance(spec, LineChart | BarChart) or spec.complete:
        return None
    if isinstance(spec, BarChart) and spec.stacked:
        return None
    measures = [spec.y] if isinstance(spec.y, str) else [*spec.y]
    if spec.series and len(measures) > 1:
        return None
    table, categories = chart.table, _texts(chart.table, spec.x)
    if spec.series:
        series = _by_name(categories, _texts(table, spec.series), table.values(measures[0]))
    else:
        series = _by_measure(table, categories, measures)
    if series is None or len(series) > _MOST_SERIES:
        return None
    return ChartFigures(
        kind="line" if isinstance(spec, LineChart) else "bar",
        categories=tuple(dict.fromkeys(categories)),
        series=series,
        x=_column(table, spec.x).heading,
        y=_column(table, measures[0]).heading if len(measures) == 1 else "",
    )


def _by_measure(
    table: Table, categories: Sequence[str], measures: Sequence[str]
) -> tuple[ChartSeries, ...] | None:
    if not 1 < len(categories) <= _MOST_CATEGORIES or len(set(categories)) < len(categories):
        return None
    lines = {
        _column(table, name).heading: [_finite(cell) for cell in table.values(name)]
        for name in measures
    }
    return _whole(lines)


def _by_name(
    categories: Sequence[str], names: Sequence[str], cells: Sequence[Cell]
) -> tuple[ChartSeries, ...] | None:
    order = tuple(dict.fromkeys(categories))
    if not 1 < len(order) <= _MOST_CATEGORIES:
        return None
    found = {
        (category, name): _finite(cell)
        for category, name, cell in zip(categories, names, cells, strict=True)
    }
    if len(found) < len(cells):
        return None
    lines = {
        name: [found.get((category, name)) for category in order] for name in dict.fromkeys(names)
    }
    return _whole(lines)


def _whole(lines: Mapping[str, Sequence[float | None]]) -> tuple[ChartSeries, ...] | None:
    """Return the lines as series; None where one has a gap."""
    series = tuple(
        ChartSeries(name=name, values=tuple(each for each in values if each is not None))
        for name, values in lines.items()
    )
    whole = all(len(each.values) == len(lines[each.name]) for each in series)
    return series if whole else None


def _texts(table: Table, name: str) -> tuple[str, ...]:
    """Write the cells of a column as its table writes them."""
    column, cells = _column(table, name), [json_cell(cell) for cell in table.values(name)]
    writing = writing_of(column.name, column.kind, column.unit, cells)
    return tuple(written(cell, column.unit, writing) or NO_VALUE for cell in cells)


def _column(table: Table, name: str) -> Column:
    return table.columns[table.names.index(name)]


def _finite(cell: Cell) -> float | None:
    value = json_cell(cell)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)
