"""Dates as readers know them: read from cells, and named as the period that they begin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from enum import StrEnum

from core.domain.table import Cell

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_YEAR = re.compile(r"[12]\d{3}")
_MONTH = re.compile(r"([12]\d{3})[-/.]?(0[1-9]|1[0-2])")
_QUARTER = re.compile(r"([12]\d{3})[- ]?Q([1-4])", re.IGNORECASE)
_WEEK = re.compile(r"([12]\d{3})-?W(\d{2})", re.IGNORECASE)
_SLASHES = re.compile(r"^([12]\d{3})/(\d{2})/(\d{2})")


class Length(StrEnum):
    """How long the periods of a time axis are, from long to short."""

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    HOUR = "hour"
    MINUTE = "minute"


def read_moment(cell: Cell) -> datetime | None:
    """Return a date, with or without a time of day, also from text.

    What its own clock shows is kept and taken for UTC: an axis knows no other zone.
    """
    match cell:
        case datetime():
            return cell.replace(tzinfo=UTC)
        case date():
            return first_of(cell.year, cell.month, cell.day)
        case str():
            return _read_text(cell.strip())
        case _:
            return None


def first_of(year: int, month: int = 1, day: int = 1) -> datetime:
    """Return the beginning of a year, a month or a day."""
    return datetime(year, month, day, tzinfo=UTC)


def _read_text(text: str) -> datetime | None:
    try:
        return _parse(text)
    except ValueError:
        return None


def _parse(text: str) -> datetime:
    if found := _YEAR.fullmatch(text):
        return first_of(int(found[0]))
    if found := _MONTH.fullmatch(text):
        return first_of(int(found[1]), int(found[2]))
    if found := _QUARTER.fullmatch(text):
        return first_of(int(found[1]), int(found[2]) * 3 - 2)
    if found := _WEEK.fullmatch(text):
        return datetime.fromisocalendar(int(found[1]), int(found[2]), 1).replace(tzinfo=UTC)
    return datetime.fromisoformat(_SLASHES.sub(r"\1-\2-\3", text)).replace(tzinfo=UTC)


def length_of(moments: Sequence[datetime], *, named: str = "") -> Length:
    """Return how long the periods are that begin at these moments.

    `named` is the name of their column, which decides where the moments leave a choice.
    """
    if any(moment.minute or moment.second for moment in moments):
        return Length.MINUTE
    if any(moment.hour for moment in moments):
        return Length.HOUR
    fitting = [length for length in _BY_DAY if all(_begins(each, length) for each in moments)]
    hinted = next((length for length in fitting if length in named.casefold()), None)
    return hinted or _likely(sorted(set(moments)), fitting)


def _likely(moments: list[datetime], fitting: list[Length]) -> Length:
    if len(moments) < 2:
        return Length.DAY
    if Length.WEEK in fitting and not _are_weeks(moments):
        fitting = [length for length in fitting if length is not Length.WEEK]
    if Length.QUARTER in fitting and len(moments) < 3:
        fitting = [length for length in fitting if length is not Length.QUARTER]
    return next(iter(fitting), Length.DAY)


def _are_weeks(moments: list[datetime]) -> bool:
    weekdays = {moment.weekday() for moment in moments}
    return len(weekdays) == 1 and len(moments) > 2


_BY_DAY = (Length.YEAR, Length.QUARTER, Length.MONTH, Length.WEEK)


def _begins(moment: datetime, length: Length) -> bool:
    match length:
        case Length.YEAR:
            return moment.month == moment.day == 1
        case Length.QUARTER:
            return moment.day == 1 and moment.month in {1, 4, 7, 10}
        case Length.MONTH:
            return moment.day == 1
        case _:
            return True


def name_of(moment: datetime, length: Length) -> str:
    """Name a period in full: 2025, Q1 2025, Jan 2025, 3 Mar 2025, 3 Mar 2025 14:00."""
    first, second = parts_of(moment, length)
    if length in {Length.HOUR, Length.MINUTE}:
        return f"{second} {moment.year} {first}"
    return f"{first} {second}".strip()


def parts_of(moment: datetime, length: Length) -> tuple[str, str]:
    """Name a period in two parts: what changes with each, and the larger period around it."""
    match length:
        case Length.YEAR:
            return str(moment.year), ""
        case Length.QUARTER:
            return f"Q{(moment.month + 2) // 3}", str(moment.year)
        case Length.MONTH:
            return _MONTHS[moment.month - 1], str(moment.year)
        case Length.WEEK | Length.DAY:
            return _day(moment), str(moment.year)
        case Length.HOUR | Length.MINUTE:
            return f"{moment:%H:%M}", _day(moment)


def _day(moment: datetime) -> str:
    return f"{moment.day} {_MONTHS[moment.month - 1]}"
