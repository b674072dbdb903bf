"""Reads a table as an axis, and one value of each series at each place on it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from adapters.charts import cells, numerals
from adapters.charts.cells import NAN
from core.domain.artifact import BarChart, LineChart
from core.domain.periods import Length, length_of, name_of
from core.domain.table import Cell, Column, Table

Key = datetime | float | str


class CannotDraw(Exception):
    """The table does not hold what the chart asks for; the message says why, for the reader."""


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """Moments, oldest first, each the beginning of a period."""

    keys: tuple[datetime, ...]
    length: Length


@dataclass(frozen=True, slots=True)
class NumberAxis:
    """Numbers, smallest first."""

    keys: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class NameAxis:
    """Names; `ordered` says that their order means something (weekdays, classes of age)."""

    keys: tuple[str, ...]
    ordered: bool


Axis = TimeAxis | NumberAxis | NameAxis


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One value for each key of the axis, NaN where there is none.

    It is called after its `measure`, its `group` (where there are several), or both. `adds_up`
    says that a sum of the values means something (not for an average).
    """

    name: str
    measure: str
    group: str
    values: tuple[float, ...]
    unit: str = ""
    adds_up: bool = True

    @property
    def known(self) -> tuple[float, ...]:
        return tuple(value for value in self.values if not math.isnan(value))

    @property
    def size(self) -> float:
        """Return how much of the picture belongs to it, to choose the most important ones."""
        return sum(abs(value) for value in self.known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """What is drawn. `unfinished` are the places on the axis whose period is not complete."""

    axis: Axis
    series: tuple[Series, ...]
    unfinished: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()

    @property
    def known(self) -> tuple[float, ...]:
        return tuple(value for each in self.series for value in each.known)


def column_of(table: Table, name: str) -> Column:
    found = next((column for column in table.columns if column.name == name), None)
    if found is None:
        raise CannotDraw(f"The result has no column {name!r}.")
    return found


def read_grid(spec: LineChart | BarChart, table: Table) -> Grid:
    """Read what a line or bar chart shows.

    Raises:
        CannotDraw: no numbers, or several rows for one place of a series that cannot be added up.
    """
    column = column_of(table, spec.x)
    axis, keys = read_axis(column, table.values(spec.x), numbers=isinstance(spec, LineChart))
    notes = _left_out(column, keys)
    series, summed = _read_series(spec, table, keys, axis.keys)
    if not any(each.known for each in series):
        raise CannotDraw("There is no number to draw.")
    if summed:
        notes = (*notes, f"Several rows for one {column_of(table, spec.x).heading} are added up.")
    return Grid(
        axis=axis,
        series=tuple(each for each in series if each.known),
        unfinished=_unfinished(spec, table, keys, axis.keys),
        notes=notes,
    )


def read_axis(
    column: Column, values: Sequence[Cell], *, numbers: bool = False
) -> tuple[Axis, tuple[Key | None, ...]]:
    """Return the axis that a column makes, and the place on it of each row (None: nowhere).

    `numbers` are only wanted where distances between them count, as under a line.
    """
    keys = _keys(column, values, numbers=numbers)
    places = _in_order(keys)
    if not places:
        raise CannotDraw(f"{column.heading} is empty in every row.")
    return _axis(column, places), keys


def _keys(column: Column, values: Sequence[Cell], *, numbers: bool) -> tuple[Key | None, ...]:
    moments = cells.as_moments(column, values)
    if moments is not None:
        return moments
    if numbers and all(isinstance(value, int | float | Decimal | None) for value in values):
        read = (cells.as_number(value) for value in values)
        return tuple(None if math.isnan(value) else value for value in read)
    return tuple(cells.as_name(value) for value in values)


def _in_order(keys: Sequence[Key | None]) -> tuple[Key, ...]:
    known = dict.fromkeys(key for key in keys if key is not None)
    names = [key for key in known if isinstance(key, str)]
    if names:
        return cells.known_order(names) or tuple(names)
    return (
        *sorted(key for key in known if isinstance(key, datetime)),
        *sorted(key for key in known if isinstance(key, float)),
    )


def _left_out(column: Column, keys: Sequence[Key | None]) -> tuple[str, ...]:
    missing = keys.count(None)
    rows = "row" if missing == 1 else "rows"
    return (f"{missing} {rows} without {column.heading} left out.",) if missing else ()


def _axis(column: Column, places: Sequence[Key]) -> Axis:
    moments = tuple(place for place in places if isinstance(place, datetime))
    if moments:
        return TimeAxis(moments, length_of(moments, named=column.name))
    names = tuple(place for place in places if isinstance(place, str))
    if names:
        return NameAxis(names, cells.are_ordered(names))
    return NumberAxis(tuple(place for place in places if isinstance(place, float)))


def _read_series(
    spec: LineChart | BarChart, table: Table, keys: Sequence[Key | None], places: Sequence[Key]
) -> tuple[list[Series], bool]:
    measures = (spec.y,) if isinstance(spec.y, str) else spec.y
    groups = _groups(spec, table)
    found, summed = list[Series](), False
    for measure in measures:
        column = column_of(table, measure)
        values = [cells.as_number(cell) for cell in table.values(measure)]
        for group, points in _by_group(groups, keys, values).items():
            summed = summed or _is_summed(column, points)
            name = _name(column, group, alone=len(measures) == 1)
            found.append(
                Series(
                    name=name,
                    measure=measure,
                    group=group,
                    values=_at_places(_added_up(points), places),
                    unit=column.unit,
                    adds_up=cells.adds_up(column),
                )
            )
    return found, summed


def _by_group(
    groups: Sequence[str], keys: Sequence[Key | None], values: Sequence[float]
) -> dict[str, list[tuple[Key, float]]]:
    points = {group: list[tuple[Key, float]]() for group in groups}
    for group, key, value in zip(groups, keys, values, strict=True):
        if key is not None and not math.isnan(value):
            points[group].append((key, value))
    return points


def _groups(spec: LineChart | BarChart, table: Table) -> tuple[str, ...]:
    if not spec.series:
        return ("",) * len(table.rows)
    column = column_of(table, spec.series)
    values = table.values(spec.series)
    moments = cells.as_moments(column, values)
    if moments is None or None in moments:
        return tuple(cells.as_name(value) for value in values)
    return cells.moment_names(column, [moment for moment in moments if moment is not None])


def _name(column: Column, group: str, *, alone: bool) -> str:
    if not group:
        return column.heading
    return group if alone else f"{group}, {column.heading}"


def _is_summed(column: Column, values: Sequence[tuple[Key, float]]) -> bool:
    """Say whether values share a place; where they do, they have to be ones that add up."""
    if not values or max(Counter(key for key, _ in values).values()) == 1:
        return False
    if not cells.adds_up(column):
        raise CannotDraw(
            f"{column.heading} has several rows for one place on the axis and cannot be "
            "added up: name the column that tells them apart."
        )
    return True


def _added_up(values: Sequence[tuple[Key, float]]) -> dict[Key, float]:
    sums = dict[Key, float]()
    for key, value in values:
        sums[key] = sums.get(key, 0.0) + value
    return sums


def _at_places(values: Mapping[Key, float], places: Sequence[Key]) -> tuple[float, ...]:
    return tuple(values.get(place, NAN) for place in places)


def _unfinished(
    spec: LineChart | BarChart, table: Table, keys: Sequence[Key | None], places: Sequence[Key]
) -> frozenset[int]:
    if not spec.complete:
        return frozenset()
    complete = table.values(spec.complete)
    open_keys = {key for key, done in zip(keys, complete, strict=True) if done in (False, 0)}
    return frozenset(at for at, place in enumerate(places) if place in open_keys)


def kept(grid: Grid, at: Sequence[int]) -> Grid:
    """Return a grid of names with these places only, in this order."""
    if not isinstance(grid.axis, NameAxis):
        return grid
    names = tuple(grid.axis.keys[i] for i in at)
    series = tuple(replace(s, values=tuple(s.values[i] for i in at)) for s in grid.series)
    return replace(grid, axis=replace(grid.axis, keys=names), series=series)


def first_keys(axis: Axis, count: int) -> Axis:
    """Return the axis with its first places only."""
    match axis:
        case TimeAxis(keys):
            return replace(axis, keys=keys[:count])
        case NumberAxis(keys):
            return replace(axis, keys=keys[:count])
        case NameAxis(keys):
            return replace(axis, keys=keys[:count])


def key_names(axis: Axis) -> tuple[str, ...]:
    """Name every place of an axis in full."""
    match axis:
        case TimeAxis(keys, length):
            return tuple(name_of(key, length) for key in keys)
        case NumberAxis(keys):
            return tuple(numerals.write(key) for key in keys)
        case NameAxis(keys):
            return keys
