"""Which chart says a table best, by the kinds of its columns; often none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeGuard

from core.domain.artifact import BarChart, ChartSpec, LineChart, ScatterChart
from core.domain.table import Cell, Column, ColumnKind, Table, json_cell

MOST_LINES = 4
MOST_SERIES = 10
MOST_BARS = 60
MOST_ROWS = 2_000  # above, a chart is a smear, and choosing one takes long
LONG_LABEL = 14
MANY_BARS = 8
LEAST_POINTS = 5
_SAME_SCALE = 30.0  # above this ratio the smaller measure would be a flat line

_ID = re.compile(r"(?:^|_)(?:id|key|uuid|code|zip|postcode|phone|number|no|nr)$", re.IGNORECASE)
_CAMEL_ID = re.compile(r"[a-z](?:Id|ID|Key|Code)$")
_CALENDAR = re.compile(r"(?:^|_)(?:year|quarter|month|week|day|hour|weekday|dow)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Axes:
    """The columns of a table by what they are good for in a chart."""

    times: Sequence[Column]
    categories: Sequence[Column]
    measures: Sequence[Column]


def choose_chart(table: Table) -> ChartSpec | None:
    """Return the chart that shows the rows, or None where a table alone is better.

    A measure over time is a line, with one line for each value of a second dimension; a measure
    by category is bars; two measures are points. One row, ids and raw rows are no chart.
    """
    if not 2 <= len(table.rows) <= MOST_ROWS:
        return None
    axes = _axes(table)
    if not axes.measures:
        return None
    if axes.times:
        return _with_time(table, axes)
    if axes.categories:
        return _with_categories(table, axes)
    return _points(table, axes.measures) if len(axes.measures) == 2 else None


def _with_time(table: Table, axes: _Axes) -> ChartSpec | None:
    # "year, month" is one axis in two columns: the table is clearer than a wrong line.
    if len(axes.times) > 1 or len(axes.categories) > 1:
        return None
    if axes.categories:
        return _series_over_time(table, axes.times[0], axes.categories[0], axes.measures[0])
    return _over_time(table, axes.times[0], axes.measures)


def _with_categories(table: Table, axes: _Axes) -> ChartSpec | None:
    match len(axes.categories):
        case 1:
            return _by_category(table, axes.categories[0], axes.measures)
        case 2:
            return _by_two(table, axes.categories, axes.measures[0])
        case _:
            return None


def _axes(table: Table) -> _Axes:
    times, categories, measures = list[Column](), list[Column](), list[Column]()
    for column in table.columns:
        values = table.values(column.name)
        if column.kind is ColumnKind.TIME or _is_calendar(column, values):
            times.append(column)
        elif _is_measure(column, values):
            measures.append(column)
        elif column.kind is not ColumnKind.MEASURE or not _is_id(column.name):
            categories.append(column)
    return _Axes(times, categories, measures)


def _is_calendar(column: Column, values: Sequence[Cell]) -> bool:
    return _CALENDAR.search(column.name) is not None and all(
        isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 3_000
        for value in values
    )


def _is_measure(column: Column, values: Sequence[Cell]) -> bool:
    return (
        column.kind is ColumnKind.MEASURE
        and not _is_id(column.name)
        and any(_is_number(value) for value in values)
        and all(value is None or _is_number(value) for value in values)
    )


def _is_id(name: str) -> bool:
    return _ID.search(name) is not None or _CAMEL_ID.search(name) is not None


def _is_number(cell: Cell) -> TypeGuard[int | float | Decimal]:
    return isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)


def _over_time(table: Table, time: Column, measures: Sequence[Column]) -> ChartSpec | None:
    if not _unique(table, time):
        return None
    shown = _of_one_scale(table, measures)
    return LineChart(x=time.name, y=shown[0] if len(shown) == 1 else shown)


def _series_over_time(
    table: Table, time: Column, series: Column, measure: Column
) -> ChartSpec | None:
    if not _unique(table, time, series):
        return None
    lines = len(set(_labels(table, series)))
    if len(set(_labels(table, time))) == 1:
        return _by_category(table, series, (measure,))
    if lines > MOST_SERIES:
        return None
    return LineChart(x=time.name, y=measure.name, series=series.name)


def _by_category(table: Table, category: Column, measures: Sequence[Column]) -> ChartSpec | None:
    labels = _labels(table, category)
    if not _unique(table, category):
        both_measured = len(measures) == 2 and len(labels) >= LEAST_POINTS
        return _points(table, measures, label=category.name) if both_measured else None
    if len(labels) > MOST_BARS:
        return None
    shown = _of_one_scale(table, measures)
    return BarChart(
        x=category.name,
        y=shown[0] if len(shown) == 1 else shown,
        horizontal=_wants_room(labels),
    )


def _by_two(table: Table, categories: Sequence[Column], measure: Column) -> ChartSpec | None:
    if not _unique(table, *categories):
        return None
    by_size = sorted(categories, key=lambda column: -len(set(_labels(table, column))))
    x, series = by_size
    labels = tuple(dict.fromkeys(_labels(table, x)))
    if len(set(_labels(table, series))) > MOST_SERIES or len(labels) > MOST_BARS:
        return None
    return BarChart(x=x.name, y=measure.name, series=series.name, horizontal=_wants_room(labels))


def _points(table: Table, measures: Sequence[Column], *, label: str = "") -> ChartSpec | None:
    if len(table.rows) < LEAST_POINTS:
        return None
    x, y = measures
    return ScatterChart(x=x.name, y=y.name, label=label)


def _wants_room(labels: Sequence[str]) -> bool:
    return len(labels) > MANY_BARS or any(len(label) > LONG_LABEL for label in labels)


def _of_one_scale(table: Table, measures: Sequence[Column]) -> tuple[str, ...]:
    """Return the first measure and those that can share its axis: same unit, like size."""
    first = measures[0]
    size = _size(table, first)
    return tuple(
        column.name
        for column in measures
        if column is first or (column.unit == first.unit and _alike(size, _size(table, column)))
    )[:MOST_LINES]


def _size(table: Table, column: Column) -> float:
    values = table.values(column.name)
    return max((abs(float(value)) for value in values if _is_number(value)), default=0.0)


def _alike(one: float, other: float) -> bool:
    small, large = sorted((one, other))
    return small > 0 and large / small <= _SAME_SCALE


def _labels(table: Table, column: Column) -> tuple[str, ...]:
    return tuple(str(json_cell(value)) for value in table.values(column.name))


def _unique(table: Table, *columns: Column) -> bool:
    keys = list(zip(*(_labels(table, column) for column in columns), strict=True))
    return len(set(keys)) == len(keys)
