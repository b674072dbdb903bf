"""Fills a time axis with its periods, and marks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from core.domain.periods import Length


def after(moment: datetime, length: Length, count: int = 1) -> datetime:
    """Return the moment so many periods later."""
    if moment.year + count > _LAST_YEAR:
        return _END
    if length in _MONTHS_OF:
        months = moment.year * 12 + moment.month - 1 + _MONTHS_OF[length] * count
        return moment.replace(year=months // 12, month=months % 12 + 1, day=1)
    return moment + _SPANS[length] * count


_END = datetime(9999, 12, 31, tzinfo=UTC)
_LAST_YEAR = 9990  # what some call "for ever" must not overflow the calendar


_MONTHS_OF = {Length.YEAR: 12, Length.QUARTER: 3, Length.MONTH: 1}
_SPANS = {
    Length.WEEK: timedelta(weeks=1),
    Length.DAY: timedelta(days=1),
    Length.HOUR: timedelta(hours=1),
    Length.MINUTE: timedelta(minutes=1),
}


def every_period(moments: Sequence[datetime], length: Length, *, at_most: int) -> list[datetime]:
    """Return the periods from the first to the last, also those without a row.

    Where that would be more than `at_most`, or where a moment is not the beginning of a period
    counted from the first, the moments themselves.
    """
    known = sorted(set(moments))
    filled = list[datetime]()
    period = known[0]
    while period <= known[-1] and len(filled) <= at_most:
        filled.append(period)
        period = after(period, length)
    return filled if len(filled) <= at_most and set(known) <= set(filled) else known


@dataclass(frozen=True, slots=True)
class Marks:
    """Moments to be named on an axis, each as a period of this length."""

    moments: tuple[datetime, ...]
    length: Length


def marks(first: datetime, last: datetime, length: Length) -> Iterator[Marks]:
    """Yield what could be marked between two moments, from many marks to few."""
    unwanted = Length.MONTH if length is Length.QUARTER else Length.QUARTER
    for each, count in _STEPS[_STEPS.index((length, 1)) :: -1]:
        too_many = (last - first) / (_about(each) * count) > _MOST_MARKS
        if each is unwanted or too_many:
            continue
        if moments := tuple(_aligned(first, last, each, count)):
            yield Marks(moments, each)


_MOST_MARKS = 60
_STEPS = (
    *((Length.YEAR, count) for count in (500, 200, 100, 50, 20, 10, 5, 2, 1)),
    (Length.MONTH, 6),
    (Length.QUARTER, 1),
    *((Length.MONTH, count) for count in (3, 2, 1)),
    *((Length.WEEK, count) for count in (2, 1)),
    *((Length.DAY, count) for count in (2, 1)),
    *((Length.HOUR, count) for count in (12, 6, 3, 2, 1)),
    *((Length.MINUTE, count) for count in (30, 15, 5, 1)),
)


def _about(length: Length) -> timedelta:
    return timedelta(days=30 * _MONTHS_OF[length]) if length in _MONTHS_OF else _SPANS[length]


def _aligned(first: datetime, last: datetime, length: Length, count: int) -> Iterator[datetime]:
    """Yield round moments: every second year is an even one, every third month begins in January.

    Weeks and days are counted from the first, so that the marks of weeks stand at their rows.
    """
    moment = _floor(first, length, count)
    while moment <= last and moment < _END:
        if moment >= first:
            yield moment
        moment = after(moment, length, count)


def _floor(moment: datetime, length: Length, count: int) -> datetime:
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    match length:
        case Length.YEAR:
            return midnight.replace(year=max(moment.year // count * count, 1), month=1, day=1)
        case Length.QUARTER:
            return midnight.replace(month=(moment.month - 1) // 3 * 3 + 1, day=1)
        case Length.MONTH:
            return midnight.replace(month=(moment.month - 1) // count * count + 1, day=1)
        case _:
            return midnight
