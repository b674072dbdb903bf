"""The values that a text may speak of: cells, and what follows from them by simple computing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import cached_property
from itertools import accumulate, combinations, pairwise
from statistics import median

from core.domain.table import Cell, ColumnKind, Row, Table
from core.reviewer.figures import Figure, all_numbers
from core.reviewer.values import Values, fits, fits_as_written, is_large_percent, number_of

_MOST_PAIRED = 40  # values of which every pair is compared
_MOST_SUMMED = 5_000
_PERCENT = re.compile(
    r"%|pct|perc|prozent|share|rate|ratio|growth|change|margin|proportion|gpm|roi|yoy|mom",
    re.IGNORECASE,
)
_UNITS = (7.0, 12.0, 24.0, 30.0, 52.0, 60.0, 100.0, 365.0, 1_000.0, 3_600.0, 86_400.0)


class Evidence:
    """What a run has read: tables, and texts whose numbers count as given."""

    def __init__(self, tables: Sequence[Table], texts: Sequence[str] = ()) -> None:
        self._tables = tables
        self._texts = texts

    @property
    def tables(self) -> Sequence[Table]:
        return self._tables

    def supports(self, figure: Figure) -> bool:
        """Say whether a figure stands in the evidence or follows from it."""
        if self.holds(figure):
            return True
        return not self._is_amount_as_percent(figure) and fits(figure, self._derived)

    def _is_amount_as_percent(self, figure: Figure) -> bool:
        """Say whether a text makes a percentage of a cell that is an amount."""
        return is_large_percent(figure) and fits_as_written(figure, self._given)

    def holds(self, figure: Figure) -> bool:
        """Say whether a figure stands in the evidence itself."""
        return fits(figure, self._given) or (
            figure.is_percent and fits_as_written(figure, self._percents)
        )

    @cached_property
    def _percents(self) -> Values:
        """Return what is a percentage by its column's name or unit, or was told before."""
        cells = (
            value
            for table in self._tables
            for at, column in enumerate(table.columns)
            if _PERCENT.search(f"{column.name} {column.unit}")
            for row in table.rows
            if (value := number_of(row[at])) is not None
        )
        return Values((*cells, *(value for text in self._texts for value in all_numbers(text))))

    @cached_property
    def _given(self) -> Values:
        cells = (value for table in self._tables for row in table.rows for value in _of_cells(row))
        told = (value for text in self._texts for value in all_numbers(text))
        counts = (float(len(table.rows)) for table in self._tables)
        return Values((*cells, *told, *counts))

    @cached_property
    def _derived(self) -> Values:
        few = [list(_all_numbers_of(table)) for table in self._tables if len(table.rows) <= 3]
        told = [value for text in self._texts[:1] for value in all_numbers(text)]
        single = [value for values in few for value in values] + told
        return Values(
            (
                *(value for table in self._tables for value in _from_table(table)),
                *_from_pairs(single[:_MOST_PAIRED]),
                *_shares_of(self._tables, single[:_MOST_PAIRED]),
            )
        )


def _of_cells(row: Sequence[Cell]) -> Iterator[float]:
    for cell in row:
        if isinstance(cell, str):
            yield from all_numbers(cell)
        elif (value := number_of(cell)) is not None:
            yield value


def _all_numbers_of(table: Table) -> Iterator[float]:
    return (value for row in table.rows for cell in row if (value := number_of(cell)) is not None)


def _from_table(table: Table) -> Iterator[float]:
    rows = table.rows[:_MOST_SUMMED]
    for at in range(len(table.columns)):
        cells = [row[at] for row in rows]
        yield float(len({str(cell) for cell in cells if cell is not None}))
        yield from _spans(cells)
        numbers = [value for cell in cells if (value := number_of(cell)) is not None]
        if numbers:
            yield from _from_column(numbers)
            yield from _from_groupings(table, rows, at=at)
    for row in rows[: _MOST_PAIRED * 5]:
        yield from _from_pairs([v for cell in row if (v := number_of(cell)) is not None][:8])


def _from_groupings(table: Table, rows: Sequence[Row], *, at: int) -> Iterator[float]:
    for by, column in enumerate(table.columns):
        if by != at and column.kind is not ColumnKind.MEASURE:
            yield from _from_groups(rows, by=by, at=at)


def _from_column(numbers: Sequence[float]) -> Iterator[float]:
    total = sum(numbers)
    yield from (total, total / len(numbers), median(numbers), max(numbers) - min(numbers))
    yield from _in_other_units((*numbers[:_MOST_PAIRED], total))
    sums = list(accumulate(numbers))
    yield from sums
    yield from (total - part for part in sums)
    if total:
        yield from (part / total for part in (*numbers, *sums, *(total - each for each in sums)))
    changes = [(after - before) / before for before, after in pairwise(numbers) if before]
    yield from changes
    yield from (after - before for before, after in pairwise(numbers))
    if changes:
        yield from (sum(changes) / len(changes), median(changes))
        yield from _compound(numbers)
    ends = (
        numbers[0],
        numbers[-1],
        min(numbers),
        max(numbers),
        total / len(numbers),
        median(numbers),
    )
    yield from _from_pairs(numbers if len(numbers) <= _MOST_PAIRED else ends)


def _compound(numbers: Sequence[float]) -> Iterator[float]:
    first, last = numbers[0], numbers[-1]
    if first > 0 and last > 0 and len(numbers) > 1:
        yield (last / first) ** (1 / (len(numbers) - 1)) - 1


def _from_groups(rows: Sequence[Row], *, by: int, at: int) -> Iterator[float]:
    """Return the sums, means and counts of the groups that another column makes."""
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        value = number_of(row[at])
        if value is not None:
            groups[str(row[by])].append(value)
    if not 1 < len(groups) < len(rows):
        return
    sums = [sum(values) for values in groups.values()]
    yield from (sum(values) / len(values) for values in groups.values())
    yield from (float(len(values)) for values in groups.values())
    yield from sums
    yield from _from_pairs(sums[:_MOST_PAIRED])
    total = sum(sums)
    if total:
        yield from (part / total for part in sums)
        for values, part in zip(groups.values(), sums, strict=True):
            yield from (value / part for value in values if part)


def _from_pairs(numbers: Sequence[float]) -> Iterator[float]:
    for one, other in combinations(numbers, 2):
        yield from (one - other, one + other)
        yield from (one * other, one * other / 100)
        if other:
            yield from (one / other, (one - other) / other)
        if one:
            yield from (other / one, (other - one) / one)
        if one + other:
            yield from (one / (one + other), other / (one + other), (one + other) / 2)
    # What is left of a whole: 100 % less a share.
    yield from (1 - number for number in numbers if 0 < number < 1)
    yield from (100 - number for number in numbers if 0 < number < 100)


def _in_other_units(numbers: Iterable[float]) -> Iterator[float]:
    for number in numbers:
        yield from (number / unit for unit in _UNITS)
        yield from (number * unit for unit in (60.0, 100.0, 1_000.0))


def _spans(cells: Sequence[Cell]) -> Iterator[float]:
    days = [
        cell.date() if isinstance(cell, datetime) else cell
        for cell in cells
        if isinstance(cell, date)
    ]
    if days:
        span = (max(days) - min(days)).days
        yield from (float(span), float(span + 1))


def _shares_of(tables: Sequence[Table], wholes: Sequence[float]) -> Iterator[float]:
    """Return the share of each cell in the figures that stand alone, such as a grand total."""
    for table in tables:
        for part in list(_all_numbers_of(table))[: _MOST_PAIRED * 5]:
            yield from (part / whole for whole in wholes if whole)
