"""Says what a chart shows, for those who do not see it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from core.domain.artifact import (
    BarChart,
    Chart,
    ChartSpec,
    HeatMap,
    Histogram,
    LineChart,
    ScatterChart,
)
from core.domain.errors import NotPossible
from core.domain.table import Cell, Column, ColumnKind, Table, json_cell
from core.domain.writing import writing_of, written


def describe(chart: Chart) -> str:
    """Name the kind of a chart, its columns, and the highest and lowest value of each measure.

    The chart's own alt text comes first where it has one.

    Raises:
        NotPossible: its table has nothing to draw: a column is missing, no rows, no numbers.
    """
    missing = sorted(chart.spec.columns.difference(chart.table.names))
    if missing:
        raise NotPossible(f"The result has no column {missing[0]!r} to draw.")
    extremes = [words for measure in _measures(chart.spec) if (words := _extremes(chart, measure))]
    if not extremes:
        raise NotPossible("The result has no number to draw.")
    return " ".join((*_own_words(chart), f"{_headline(chart)}.", *extremes))


def _own_words(chart: Chart) -> Iterator[str]:
    if chart.alt_text:
        yield chart.alt_text if chart.alt_text.endswith(".") else f"{chart.alt_text}."


def _headline(chart: Chart) -> str:
    def called(name: str) -> str:
        return _column(chart.table, name).heading if name else ""

    match chart.spec:
        case LineChart(x=x, y=y, series=series):
            lines = _for_each("line", called(series))
            return f"Line chart of {_named(chart, y)} by {called(x)}{lines}"
        case BarChart(x=x, y=y, series=series, stacked=stacked):
            kind = "Stacked bar chart" if stacked else "Bar chart"
            colors = _for_each("color", called(series))
            return f"{kind} of {_named(chart, y)} by {called(x)}{colors}"
        case ScatterChart(x=x, y=y, label=label):
            points = _for_each("point", called(label))
            return f"Scatter chart of {_named(chart, y)} over {called(x)}{points}"
        case Histogram(lower=lower, upper=upper, count=count):
            edges = f"{called(lower)} to {called(upper)}"
            return f"Histogram of {called(count)} in bins from {edges}"
        case HeatMap(x=x, y=y, value=value):
            across = f" and {called(x)}" if x else ""
            return f"Heat map of {_named(chart, value)} by {called(y)}{across}"


def _for_each(mark: str, column: str) -> str:
    return f", one {mark} for each {column}" if column else ""


def _named(chart: Chart, measure: str | tuple[str, ...]) -> str:
    names = (measure,) if isinstance(measure, str) else measure
    return " and ".join(_with_unit(_column(chart.table, name)) for name in names)


def _with_unit(column: Column) -> str:
    unit = column.shown_unit
    return f"{column.heading} ({unit})" if unit else column.heading


def _measures(spec: ChartSpec) -> tuple[str, ...]:
    match spec:
        case LineChart(y=y) | BarChart(y=y) | ScatterChart(y=y) | HeatMap(value=y):
            return (y,) if isinstance(y, str) else y
        case Histogram(count=count):
            return (count,)


def _extremes(chart: Chart, measure: str) -> str:
    cells = chart.table.values(measure)
    known = [(value, at) for at, cell in enumerate(cells) if (value := _figure(cell)) is not None]
    if not known:
        return ""
    column = _column(chart.table, measure)
    write = _writer(replace(column, kind=ColumnKind.MEASURE), cells)
    high, high_at = max(known, key=lambda each: each[0])
    low, low_at = min(known, key=lambda each: each[0])
    if high == low and len(known) > 1:
        return f"Every {column.heading}: {write(cells[high_at])}."
    highest = f"Highest {column.heading}: {write(cells[high_at])}{_place(chart, high_at)}"
    if len(known) == 1:
        return f"{highest}."
    return f"{highest}; lowest: {write(cells[low_at])}{_place(chart, low_at)}."


def _figure(cell: Cell) -> float | None:
    if not isinstance(cell, bool | int | float | Decimal | str):
        return None
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _writer(column: Column, cells: Sequence[Cell]) -> Callable[[Cell], str]:
    known = [json_cell(cell) for cell in cells]
    writing = writing_of(column.name, column.kind, column.unit, known)
    return lambda cell: written(json_cell(cell), column.unit, writing)


def _place(chart: Chart, at: int) -> str:
    parts = [
        f"{_column(chart.table, name).heading} {_cell(chart.table, name, at)}"
        for name in _places(chart.spec)
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _places(spec: ChartSpec) -> Sequence[str]:
    match spec:
        case LineChart(x=x, series=series) | BarChart(x=x, series=series):
            return [name for name in (x, series) if name]
        case ScatterChart(x=x, label=label):
            return [name for name in (label, x) if name]
        case Histogram(lower=lower, upper=upper):
            return [lower, upper]
        case HeatMap(x=x, y=y):
            return [name for name in (y, x) if name]


def _cell(table: Table, name: str, at: int) -> str:
    cells = table.values(name)
    if cells[at] is None:
        return "without a value"
    return _writer(_column(table, name), cells)(cells[at])


def _column(table: Table, name: str) -> Column:
    return table.columns[table.names.index(name)]
