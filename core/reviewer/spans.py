"""Stretches of time that conditions leave, and how a person says them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from core.sql.periods import Grain

_INSTANT = timedelta(microseconds=1)
_LAST_SECOND = time(23, 59, 59)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS_OF = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.YEAR: 12}
_LAST_YEAR = 9_998


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` up to, not with, `end`; open where one is None.

    A moment that is itself included, or left out, is the bound with an instant added.
    """

    start: datetime | None = None
    end: datetime | None = None

    def within(self, other: Span) -> Span:
        """Return what both leave."""
        starts = [each for each in (self.start, other.start) if each is not None]
        ends = [each for each in (self.end, other.end) if each is not None]
        return Span(max(starts, default=None), min(ends, default=None))

    @property
    def is_empty(self) -> bool:
        return self.start is not None and self.end is not None and self.start >= self.end

    @property
    def year(self) -> int | None:
        """Return the year that it is exactly; None for any other stretch."""
        if self.start is None or self != whole(self.start, Grain.YEAR):
            return None
        return self.start.year


ALWAYS = Span()


def whole(start: datetime, grain: Grain) -> Span | None:
    """Return the period that begins at `start`; None where none begins there."""
    if start.time() != time.min or start.year > _LAST_YEAR:
        return None
    if grain is Grain.DAY:
        return Span(start, start + timedelta(days=1))
    if grain is Grain.WEEK:
        return Span(start, start + timedelta(days=7)) if start.weekday() == 0 else None
    months = _MONTHS_OF.get(grain)
    if months is None or start.day != 1 or (start.month - 1) % months:
        return None
    ahead = start.month - 1 + months
    return Span(start, start.replace(year=start.year + ahead // 12, month=ahead % 12 + 1))


def after(moment: datetime) -> Span:
    return Span(start=moment + _INSTANT)


def up_to(moment: datetime) -> Span:
    """Return all until a moment and with it; the last second of a day ends the day."""
    if moment.time() >= _LAST_SECOND:
        return Span(end=datetime.combine(moment.date(), time.min) + timedelta(days=1))
    return Span(end=moment + _INSTANT)


def said(span: Span) -> str:
    """Return a stretch that is not empty in words: "2025", "Q3 2025", "since 1 Jul 2025"."""
    match span:
        case Span(start=None, end=None):
            return ""
        case Span(start=datetime() as start, end=None):
            return _since(start)
        case Span(start=None, end=datetime() as end):
            return _until(end)
        case Span(start=datetime() as start, end=datetime() as end):
            return _period(start, end) or _from_to(start, end)
        case _:
            return ""


def _since(start: datetime) -> str:
    return f"{'after' if start.microsecond == 1 else 'since'} {_first(start)}"


def _until(end: datetime) -> str:
    if _is_day(end) or end.microsecond == 1:
        return f"until {_last(end)}"
    return f"before {_moment(end)}"


def _period(start: datetime, end: datetime) -> str:
    names = {
        Grain.DAY: _day(start),
        Grain.MONTH: f"{_MONTHS[start.month - 1]} {start.year}",
        Grain.QUARTER: f"Q{(start.month + 2) // 3} {start.year}",
        Grain.YEAR: str(start.year),
    }
    for grain, name in names.items():
        if whole(start, grain) == Span(start, end):
            return name
    whole_years = whole(start, Grain.YEAR) and whole(end, Grain.YEAR)
    return f"{start.year} to {end.year - 1}" if whole_years else ""


def _from_to(start: datetime, end: datetime) -> str:
    last = end - timedelta(days=1)
    if _is_day(start) and _is_day(end) and start.year == last.year:
        return f"{start.day} {_MONTHS[start.month - 1]} to {_day(last)}"
    if start.microsecond == 1 or not (_is_day(end) or end.microsecond == 1):
        return f"{_since(start)}, {_until(end)}"  # one of the two moments is left out
    return f"{_first(start)} to {_last(end)}"


def _first(start: datetime) -> str:
    return _day(start) if _is_day(start) else _moment(start)


def _last(end: datetime) -> str:
    return _day(end - timedelta(days=1)) if _is_day(end) else _moment(end)


def _is_day(moment: datetime) -> bool:
    return moment.time() == time.min


def _day(moment: datetime) -> str:
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def _moment(moment: datetime) -> str:
    shown = "%H:%M:%S" if moment.second else "%H:%M"
    return f"{_day(moment)}, {moment.strftime(shown)}"
