"""Finds the series whose last period goes on beyond today, so that it looks small."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from core.domain.table import Cell, Column, ColumnKind, Table
from core.reviewer.remark import Remark

_LEAST_PERIODS = 3  # that make a series
_OF_A_YEAR = re.compile(r"(?:^|_|[a-z](?=Y))(?:years?|yr)(?:$|_)|^period$", re.IGNORECASE)
_YEARS = range(1900, 2200)


@dataclass(frozen=True, slots=True)
class _Period:
    """`end` is the day after it; None where only the others tell how long it is."""

    begin: date
    end: date | None = None


def unfinished_period(table: Table, today: date) -> Iterator[Remark]:
    """Say that the last period of a series is not over: of the first column that has periods."""
    for at, column in enumerate(table.columns):
        periods = _periods_of(column, (row[at] for row in table.rows))
        if periods is None:
            continue
        begin, end = _last(sorted(set(periods), key=_begin))
        if end is not None and begin <= today < end:
            yield Remark(
                f"The last period ({_named(begin, end)}) is not over yet.", for_reader=True
            )
        return


def _periods_of(column: Column, cells: Iterable[Cell]) -> list[_Period] | None:
    """Return the periods that a column names; None of one that is something else."""
    if column.kind is ColumnKind.TIME:
        return [period for cell in cells if (period := _day(cell) or _label(cell)) is not None]
    read = _year if _OF_A_YEAR.search(column.name) else _label
    periods: list[_Period] = []
    for cell in cells:
        period = read(cell)
        if period is not None:
            periods.append(period)
        elif cell is not None:
            return None
    return periods or None


def _day(cell: Cell) -> _Period | None:
    """Read the first day of a period: a date, a timestamp at midnight, or "2026-11"."""
    if isinstance(cell, datetime):
        return _Period(cell.date()) if cell.time() == datetime.min.time() else None
    if isinstance(cell, date):
        return _Period(cell)
    return _written_day(cell.strip()) if isinstance(cell, str) else None


def _written_day(text: str) -> _Period | None:
    found = re.fullmatch(r"(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ]00:00(?::00)?)?", text)
    if found is None:
        return None
    try:
        return _Period(date(int(found[1]), int(found[2]), int(found[3] or 1)))
    except ValueError:
        return None


def _year(cell: Cell) -> _Period | None:
    """Read a year that is a number, or written with four digits."""
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal | str):
        return _day(cell)
    text = str(cell).strip().removesuffix(".0")
    if not re.fullmatch(r"\d{4}", text) or int(text) not in _YEARS:
        return _label(cell)
    return _Period(date(int(text), 1, 1), date(int(text) + 1, 1, 1))


def _label(cell: Cell) -> _Period | None:
    """Read a quarter ("2026-Q4", "Q4 2026") or a week of ISO 8601 ("2026-W48")."""
    if not isinstance(cell, str):
        return None
    for form, made in _LABELS:
        if found := form.fullmatch(cell.strip()):
            return made(int(found["year"]), int(found["number"]))
    return None


def _quarter(year: int, number: int) -> _Period:
    begin = date(year, number * 3 - 2, 1)
    return _Period(begin, _months_later(begin, 3))


def _week(year: int, number: int) -> _Period | None:
    try:
        begin = date.fromisocalendar(year, number, 1)
    except ValueError:
        return None
    return _Period(begin, begin + timedelta(days=7))


_LABELS: tuple[tuple[re.Pattern[str], Callable[[int, int], _Period | None]], ...] = (
    (re.compile(r"(?P<year>\d{4})[- /]?Q(?P<number>[1-4])", re.IGNORECASE), _quarter),
    (re.compile(r"Q(?P<number>[1-4])[- /]?(?P<year>\d{4})", re.IGNORECASE), _quarter),
    (re.compile(r"(?P<year>\d{4})[- /]?(?:W|KW)(?P<number>\d{1,2})", re.IGNORECASE), _week),
)


def _begin(period: _Period) -> date:
    return period.begin


def _last(periods: Sequence[_Period]) -> tuple[date, date | None]:
    """Return the last period of a series; it has no end where it is none, or of odd lengths."""
    if len(periods) < _LEAST_PERIODS:
        return date.min, None
    last = periods[-1]
    return last.begin, last.end or _end_by_the_others([each.begin for each in periods])


def _end_by_the_others(begins: Sequence[date]) -> date | None:
    """Return the day after the last period, where all begin as weeks, months or years do."""
    last = begins[-1]
    if all(day.day == 1 for day in begins):
        months = _months_apart(begins)
        return None if months is None else _months_later(last, months)
    gaps = {(after - before).days for before, after in itertools.pairwise(begins)}
    return (
        last + timedelta(days=7) if min(gaps) == 7 and all(gap % 7 == 0 for gap in gaps) else None
    )


def _months_apart(begins: Sequence[date]) -> int | None:
    gaps = [
        (after.year - before.year) * 12 + after.month - before.month
        for before, after in itertools.pairwise(begins)
    ]
    return min(gaps) if min(gaps) in (1, 3, 12) else None


def _months_later(day: date, months: int) -> date:
    at = day.year * 12 + day.month - 1 + months
    return date(at // 12, at % 12 + 1, 1)


def _named(begin: date, end: date) -> str:
    match (end - begin).days:
        case 7:
            return f"week of {begin.isoformat()}"
        case days if days <= 31:
            return f"{begin:%Y-%m}"
        case days if days <= 92:
            return f"quarter from {begin:%Y-%m}"
        case _:
            return str(begin.year)
