"""The calendar: periods of each length, in Python's own dates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from core.domain.table import Cell
from core.sql.builder import Grain

Period = date  # its first day; for hours a datetime, which is a date, too

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS_OF = {Grain.YEAR: 12, Grain.QUARTER: 3, Grain.MONTH: 1}
_DAYS_OF = {Grain.WEEK: 7, Grain.DAY: 1}


def read_period(cell: Cell, grain: Grain) -> Period | None:
    """Return the period that a query gave: SQLite writes dates as text. None of NULL."""
    match cell:
        case datetime():
            moment = cell.replace(tzinfo=None)
        case date():
            moment = datetime.combine(cell, time())
        case str():
            moment = datetime.fromisoformat(cell).replace(tzinfo=None)
        case _:
            return None
    return moment if grain is Grain.HOUR else moment.date()


def first_of(day: date, grain: Grain) -> date:
    """Return the first day of the period that a day lies in (of an hour: the day)."""
    match grain:
        case Grain.YEAR:
            return date(day.year, 1, 1)
        case Grain.QUARTER:
            return date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
        case Grain.MONTH:
            return date(day.year, day.month, 1)
        case Grain.WEEK:
            return day - timedelta(days=day.weekday())
        case _:
            return day


def moved(period: Period, count: int, grain: Grain) -> Period:
    """Return the period so many later, or earlier where `count` is negative."""
    if isinstance(period, datetime):
        return period + timedelta(hours=count)
    if grain in _DAYS_OF:
        return period + timedelta(days=_DAYS_OF[grain] * count)
    months = period.year * 12 + period.month - 1 + _MONTHS_OF[grain] * count
    return date(months // 12, months % 12 + 1, 1)


def periods_from(first: Period, last: Period, grain: Grain) -> Iterator[Period]:
    """Yield every period from the first to the last."""
    period = first
    while period <= last:
        yield period
        period = moved(period, 1, grain)


def name_of(period: Period, grain: Grain) -> str:
    """Name a period: 2025, Q1 2025, Jan 2025, week of 3 Mar 2025, 3 Mar 2025, 3 Mar 2025 14:00."""
    day = f"{period.day} {_MONTHS[period.month - 1]} {period.year}"
    match grain:
        case Grain.YEAR:
            return str(period.year)
        case Grain.QUARTER:
            return f"Q{(period.month + 2) // 3} {period.year}"
        case Grain.MONTH:
            return f"{_MONTHS[period.month - 1]} {period.year}"
        case Grain.WEEK:
            return f"the week of {day}"
        case Grain.DAY:
            return day
        case Grain.HOUR:
            return f"{day} {period:%H:%M}"
