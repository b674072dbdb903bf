"""Says what a chart shows, for those who do not see it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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
from core.domain.table import Cell, Column, Row, Table, json_cell


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
    match chart.spec:
        case LineChart(x=x, y=y, series=series):
            return f"Line chart of {_named(chart, y)} by {x}{_for_each('line', series)}"
        case BarChart(x=x, y=y, series=series, stacked=stacked):
            kind = "Stacked bar chart" if stacked else "Bar chart"
            return f"{kind} of {_named(chart, y)} by {x}{_for_each('color', series)}"
        case ScatterChart(x=x, y=y, label=label):
            return f"Scatter chart of {_named(chart, y)} over {x}{_for_each('point', label)}"
        case Histogram(lower=lower, upper=upper, count=count):
            return f"Histogram of {count} in bins from {lower} to {upper}"
        case HeatMap(x=x, y=y, value=value):
            across = f" and {x}" if x else ""
            return f"Heat map of {_named(chart, value)} by {y}{across}"


def _for_each(mark: str, column: str) -> str:
    return f", one {mark} for each {column}" if column else ""


def _named(chart: Chart, measure: str | tuple[str, ...]) -> str:
    names = (measure,) if isinstance(measure, str) else measure
    return " and ".join(_with_unit(_column(chart.table, name)) for name in names)


def _with_unit(column: Column) -> str:
    unit = "" if column.unit == "share" else column.unit
    return f"{column.name} ({unit})" if unit else column.name


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
    unit = _column(chart.table, measure).unit
    high, high_at = max(known, key=lambda each: each[0])
    low, low_at = min(known, key=lambda each: each[0])
    if high == low and len(known) > 1:
        return f"Every {measure}: {_written(high, unit)}."
    highest = f"Highest {measure}: {_written(high, unit)}{_place(chart, high_at)}"
    if len(known) == 1:
        return f"{highest}."
    return f"{highest}; lowest: {_written(low, unit)}{_place(chart, low_at)}."


def _figure(cell: Cell) -> float | None:
    if not isinstance(cell, bool | int | float | Decimal | str):
        return None
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _written(value: float, unit: str) -> str:
    if unit == "share":
        return f"{value * 100:.3g} %" if abs(value) < 10 else f"{value * 100:,.0f} %"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.2f}" if 1 <= abs(value) < 1e15 else f"{value:.3g}"


def _place(chart: Chart, at: int) -> str:
    names = _places(chart.spec)
    row = chart.table.rows[at]
    parts = [f"{name} {_cell(chart.table, row, name)}" for name in names]
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


def _cell(table: Table, row: Row, name: str) -> str:
    cell = json_cell(row[table.names.index(name)])
    return "without a value" if cell is None else str(cell)


def _column(table: Table, name: str) -> Column:
    return table.columns[table.names.index(name)]
