"""What follows from the cells of a result by one step of computing: amounts, and ratios of them.

A percentage in a text has to be a ratio; a plain number may be either.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import accumulate, combinations, pairwise
from statistics import median

from core.domain.table import Cell, ColumnKind, Row, Table
from core.reviewer.periods_read import day_of
from core.reviewer.values import number_of

_MOST_PAIRED = 40  # values of which every pair is compared
_MOST_ROWS_PAIRED = 200
_MOST_SUMMED = 5_000
_MOST_TOTALS = 8
_CORRELATION = re.compile(r"r|rho|.*corr.*|.*pearson.*|.*spearman.*", re.IGNORECASE)
_UNITS = (7.0, 12.0, 24.0, 30.0, 52.0, 60.0, 100.0, 365.0, 1_000.0, 3_600.0, 86_400.0)

Groups = list[list[float]]


def amounts_in(table: Table, *, pairs: bool) -> Iterator[float]:
    """Return counts, spans of days, and the amounts of columns, groups, periods and rows.

    With `pairs`, any two cells of a column are set beside each other, too.
    """
    rows = table.rows[:_MOST_SUMMED]
    for at in range(len(table.columns)):
        cells = [row[at] for row in rows]
        yield float(len({str(cell) for cell in cells if cell is not None}))
        yield from _spans(cells)
        numbers = _numbers(cells)
        if numbers:
            yield from amounts_of(numbers)
            yield from amounts_of_pairs(_to_pair(numbers, all_of_few=pairs))
            for groups in _groupings(table, rows, at=at):
                yield from _amounts_of_groups(groups, pairs=pairs)
    yield from amounts_of_pairs(_totals(rows))
    for row in rows[:_MOST_ROWS_PAIRED]:
        yield from amounts_of_pairs(_numbers(row)[:8], products=True)


def ratios_in(table: Table, *, pairs: bool) -> Iterator[float]:
    """Return shares, growth and quotients of columns, groups, periods and rows; as above."""
    yield from shares_in(table, pairs=pairs)
    for numbers in _columns(table):
        yield from _growth_of(numbers)
    yield from _of_pairs(table, changes_of_pairs, pairs=pairs)


def shares_in(table: Table, *, pairs: bool) -> Iterator[float]:
    """Return the ratios that say which part of another an amount is; as above."""
    for at, column in enumerate(table.columns):
        numbers = _numbers([row[at] for row in table.rows[:_MOST_SUMMED]])
        yield from _parts_of(numbers)
        if _CORRELATION.fullmatch(column.name):
            yield from (number**2 for number in numbers)  # what it explains of the variance
    yield from _of_pairs(table, quotients_of_pairs, pairs=pairs)
    for groups in _all_groupings(table):
        yield from _parts_of_groups(groups)


def shares_of_column(table: Table, at: int) -> Iterator[float]:
    """Return what is a part of a column: its own parts, and what stands beside it in a row."""
    rows = table.rows[:_MOST_SUMMED]
    yield from _parts_of(_numbers([row[at] for row in rows]))
    for groups in _groupings(table, rows, at=at):
        yield from _parts_of_groups(groups)
    for cells in (*rows[:_MOST_ROWS_PAIRED], _sums(rows)):
        whole = number_of(cells[at])
        if whole:
            parts = [number / whole for number in _numbers(cells)]
            yield from (*parts, *(1 - part for part in parts))


Ratios = Callable[[Sequence[float]], Iterator[float]]


def _of_pairs(table: Table, ratios: Ratios, *, pairs: bool) -> Iterator[float]:
    rows = table.rows[:_MOST_SUMMED]
    for numbers in _columns(table):
        yield from ratios(_to_pair(numbers, all_of_few=pairs))
    for groups in _all_groupings(table) if pairs else ():
        yield from ratios([sum(values) for values in groups][:_MOST_PAIRED])
    yield from ratios(_totals(rows))
    for row in rows[:_MOST_ROWS_PAIRED]:
        yield from ratios(_numbers(row)[:8])


def _columns(table: Table) -> Iterator[list[float]]:
    for at in range(len(table.columns)):
        numbers = _numbers([row[at] for row in table.rows[:_MOST_SUMMED]])
        if numbers:
            yield numbers


def _all_groupings(table: Table) -> Iterator[Groups]:
    rows = table.rows[:_MOST_SUMMED]
    for at in range(len(table.columns)):
        if _numbers([row[at] for row in rows]):
            yield from _groupings(table, rows, at=at)


def amounts_of(numbers: Sequence[float]) -> Iterator[float]:
    """Return sums, means, gaps and other units of the numbers of one column."""
    total = sum(numbers)
    yield from (total, total / len(numbers), median(numbers), max(numbers) - min(numbers))
    yield from _in_other_units((*numbers[:_MOST_PAIRED], total))
    sums = list(accumulate(numbers))
    yield from sums
    yield from (total - part for part in sums)
    yield from (total - number for number in numbers)
    yield from (after - before for before, after in pairwise(numbers))


def _parts_of(numbers: Sequence[float]) -> Iterator[float]:
    total, sums = sum(numbers), list(accumulate(numbers))
    if total:
        yield from (part / total for part in (*numbers, *sums, *(total - each for each in sums)))


def gaps_of_ratios(numbers: Sequence[float]) -> Iterator[float]:
    """Return how far shares of the total, and steps of growth, lie from each other."""
    few, total = numbers[:_MOST_PAIRED], sum(numbers)
    shares = [each / total for each in few] if total else []
    for those in (shares, _steps(few)):
        yield from (one - other for one, other in combinations(those, 2))


def _steps(numbers: Sequence[float]) -> list[float]:
    return [(after - before) / before for before, after in pairwise(numbers) if before]


def _growth_of(numbers: Sequence[float]) -> Iterator[float]:
    changes = _steps(numbers)
    yield from changes
    if changes:
        yield from (sum(changes) / len(changes), median(changes))
        yield from _compound(numbers)


def _to_pair(numbers: Sequence[float], *, all_of_few: bool) -> Sequence[float]:
    """Return the outstanding ones of many numbers, and all of a few."""
    if all_of_few and len(numbers) <= _MOST_PAIRED:
        return numbers
    ends = (numbers[0], numbers[-1], min(numbers), max(numbers))
    return (*ends, sum(numbers) / len(numbers), median(numbers))


def amounts_of_pairs(numbers: Sequence[float], *, products: bool = False) -> Iterator[float]:
    """Return sums, differences and means of two, and products where they make sense."""
    for one, other in combinations(numbers, 2):
        yield from (one - other, one + other, (one + other) / 2)
        if products:
            yield from (one * other, one * other / 100)


def ratios_of_pairs(numbers: Sequence[float]) -> Iterator[float]:
    """Return what each is of each other, how much more or less, and what share of both."""
    yield from quotients_of_pairs(numbers)
    yield from changes_of_pairs(numbers)


def changes_of_pairs(numbers: Sequence[float]) -> Iterator[float]:
    """Return how much more or less each is than each other, as a share of the other."""
    for one, other in combinations(numbers, 2):
        if other:
            yield (one - other) / other
        if one:
            yield (other - one) / one


def quotients_of_pairs(numbers: Sequence[float]) -> Iterator[float]:
    """Return what each is of each other, what share of both, and what is left of a share."""
    for one, other in combinations(numbers, 2):
        if other:
            yield one / other
        if one:
            yield other / one
        if one + other:
            yield from (one / (one + other), other / (one + other))
    # What is left of a whole: 100 % less a share.
    yield from (1 - number for number in numbers if 0 < number < 1)
    yield from ((100 - number) / 100 for number in numbers if 0 < number < 100)


def _compound(numbers: Sequence[float]) -> Iterator[float]:
    first, last = numbers[0], numbers[-1]
    if first > 0 and last > 0 and len(numbers) > 1:
        yield (last / first) ** (1 / (len(numbers) - 1)) - 1


def _groupings(table: Table, rows: Sequence[Row], *, at: int) -> Iterator[Groups]:
    """Return the numbers of a column by what other columns say, and by quarter and year."""
    for by, column in enumerate(table.columns):
        if by != at and column.kind is not ColumnKind.MEASURE:
            for name in (str, _quarter_of, _half_of, _year_of):
                groups: defaultdict[object, list[float]] = defaultdict(list)
                for row in rows:
                    value, key = number_of(row[at]), name(row[by])
                    if value is not None and key is not None:
                        groups[key].append(value)
                if 1 < len(groups) < len(rows):
                    yield list(groups.values())


def _quarter_of(cell: Cell) -> object:
    day = day_of(cell)
    return None if day is None else (day.year, (day.month + 2) // 3)


def _half_of(cell: Cell) -> object:
    day = day_of(cell)
    return None if day is None else (day.year, (day.month + 5) // 6)


def _year_of(cell: Cell) -> object:
    day = day_of(cell)
    return None if day is None else day.year


def _amounts_of_groups(groups: Groups, *, pairs: bool) -> Iterator[float]:
    sums = [sum(values) for values in groups]
    yield from sums
    yield from (total / len(values) for values, total in zip(groups, sums, strict=True))
    yield from (float(len(values)) for values in groups)
    yield from amounts_of_pairs(sums[:_MOST_PAIRED] if pairs else ())


def _parts_of_groups(groups: Groups) -> Iterator[float]:
    sums = [sum(values) for values in groups]
    if total := sum(sums):
        yield from (part / total for part in sums)
        for values, part in zip(groups, sums, strict=True):
            yield from (value / part for value in values if part)


def _in_other_units(numbers: Iterable[float]) -> Iterator[float]:
    for number in numbers:
        yield from (number / unit for unit in _UNITS)
        yield from (number * unit for unit in (60.0, 100.0))


def _spans(cells: Sequence[Cell]) -> Iterator[float]:
    days = [
        cell.date() if isinstance(cell, datetime) else cell
        for cell in cells
        if isinstance(cell, date)
    ]
    if days:
        span = (max(days) - min(days)).days
        yield from (float(span), float(span + 1))


def _totals(rows: Sequence[Row]) -> list[float]:
    return [each for each in _sums(rows) if each is not None][:_MOST_TOTALS]


def _sums(rows: Sequence[Row]) -> list[float | None]:
    """Return the sum of each column; None where it holds no number."""
    columns = (_numbers(column) for column in zip(*rows, strict=True))
    return [sum(numbers) if numbers else None for numbers in columns]


def _numbers(cells: Sequence[Cell]) -> list[float]:
    return [value for cell in cells if (value := number_of(cell)) is not None]
