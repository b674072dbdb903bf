"""Stretches of time as people name them, as dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from adapters.models.offline.reading.numbers import cardinal, ordinal
from adapters.models.offline.reading.tokens import Token, TokenKind


class Grain(StrEnum):
    """How long a period is."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    WEEKDAY = "weekday"
    HOUR = "hour"


# Parts of every week and of every day: they come again, and have no date of their own.
RECURRING = frozenset({Grain.WEEKDAY, Grain.HOUR})


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` to before `end`; None is open. `grain` is the grain that was named.

    A part of every year or week has no dates: `months` (1-12), `weekdays` (Monday is 0).
    """

    text: str
    start: date | None = None
    end: date | None = None
    grain: Grain = Grain.DAY
    months: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = ()
    relative: bool = False

    @property
    def recurring(self) -> bool:
        return bool(self.months or self.weekdays)


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sep sept", "october oct", "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_WEEKDAYS = {
    name: number
    for number, name in enumerate(
        ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    )
}
_GRAINS = {grain.value: grain for grain in Grain if grain not in RECURRING}
_BEFORE_MONTHS = frozenset(
    {"in", "of", "since", "until", "during", "for", "from", "before", "after"}
)
_PAST = frozenset({"last", "past", "previous", "prior", "recent"})
MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
WEEKDAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def period_at(tokens: Sequence[Token], at: int, today: date) -> tuple[Period, int] | None:
    """Return the period that begins at this token and how many tokens name it."""
    for read in (_relative, _dated, _half, _quarter, _monthly, _weekday, _decade, _named_day):
        found = read(tokens, at, today)
        if found is not None:
            period, length = found
            words = " ".join(token.text for token in tokens[at : at + length])
            return replace(period, text=words), length
    return None


def year_period(year: int) -> Period:
    return Period(str(year), date(year, 1, 1), date(year + 1, 1, 1), Grain.YEAR)


def is_year(token: Token) -> bool:
    whole = token.kind is TokenKind.NUMBER and len(token.text) == 4 and token.text.isdigit()
    return whole and 1000 <= int(token.text) <= 2200


def add_months(day: date, months: int) -> date:
    """Return the first of the month so many months from the day's own."""
    at = day.year * 12 + day.month - 1 + months
    year, month = divmod(at, 12)
    return date(min(max(year, 1), 9998), month + 1, 1)


def _words(tokens: Sequence[Token], at: int, count: int) -> tuple[str, ...]:
    return tuple(token.lower for token in tokens[at : at + count])


def _relative(tokens: Sequence[Token], at: int, today: date) -> tuple[Period, int] | None:
    """Read `last year`, `this month`, `past 30 days`, `last two calendar weeks`."""
    word = tokens[at].lower
    length = 1
    if word == "the" and at + 1 < len(tokens):
        word, length = tokens[at + 1].lower, 2
    if word not in _PAST and word not in {"this", "current", "next"}:
        return None
    count, length = _count_at(tokens, at, length)
    calendar = at + length < len(tokens) and tokens[at + length].lower in {
        "calendar",
        "full",
        "iso",
    }
    length += calendar
    unit = tokens[at + length] if at + length < len(tokens) else None
    grain = _GRAINS.get(unit.lemma) if unit else None
    if grain is None:
        return None
    plural = count is not None or (unit is not None and unit.lower != unit.lemma)
    if not plural:
        step = {"this": 0, "current": 0, "next": 1}.get(word, -1)
        return _whole(grain, today, step), length + 1
    if word not in _PAST:
        return None
    return _rolling(grain, count or 1, today, whole=calendar), length + 1


def _count_at(tokens: Sequence[Token], at: int, length: int) -> tuple[int | None, int]:
    token = tokens[at + length] if at + length < len(tokens) else None
    if token is None:
        return None, length
    value = token.value if token.value is not None else cardinal(token.lower)
    if value is None or value < 1 or value > 10_000:
        return None, length
    return int(value), length + 1


def _whole(grain: Grain, today: date, step: int) -> Period:
    """Return the calendar period so many steps from the current one."""
    start = floor(grain, today)
    first = shift(grain, start, step)
    return Period("", first, shift(grain, first, 1), grain, relative=True)


def _rolling(grain: Grain, count: int, today: date, *, whole: bool) -> Period:
    """Return the last so many units up to today; whole ones end with the one before this."""
    if whole:
        end = floor(grain, today)
        return Period("", shift(grain, end, -count), end, grain, relative=True)
    end = today + timedelta(days=1)
    if grain in {Grain.DAY, Grain.WEEK}:
        days = count * (7 if grain is Grain.WEEK else 1)
        return Period("", today - timedelta(days=days), end, grain, relative=True)
    months = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.YEAR: 12}[grain] * count
    first = add_months(today, -months)
    last_day = (add_months(first, 1) - timedelta(days=1)).day
    start = first.replace(day=min(today.day, last_day))
    return Period("", start, end, grain, relative=True)


def floor(grain: Grain, day: date) -> date:
    """Return the first day of the period that a day lies in."""
    match grain:
        case Grain.DAY:
            return day
        case Grain.WEEK:
            return day - timedelta(days=day.weekday())
        case Grain.MONTH:
            return day.replace(day=1)
        case Grain.QUARTER:
            return date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
        case _:
            return date(day.year, 1, 1)


def shift(grain: Grain, day: date, steps: int) -> date:
    """Move the first day of a period by so many periods."""
    if grain in {Grain.DAY, Grain.WEEK}:
        return _days_on(day, steps * (7 if grain is Grain.WEEK else 1))
    months = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.YEAR: 12}[grain]
    return add_months(day, steps * months)


def _dated(tokens: Sequence[Token], at: int, _: date) -> tuple[Period, int] | None:
    """Read a day: `2023-03-15`, `March 15, 2023`, `15 March 2023`, `3/15/2023`."""
    text = tokens[at].text
    if tokens[at].kind is TokenKind.WORD and text[:1].isdigit():
        day = _iso(text) or _slashed(text)
        return (_one_day(day), 1) if day else None
    return _month_day(tokens, at) or _day_month(tokens, at)


def _month_day(tokens: Sequence[Token], at: int) -> tuple[Period, int] | None:
    month = _MONTHS.get(tokens[at].lower)
    if month is None or at + 1 >= len(tokens) or not _is_day(tokens[at + 1]):
        return None
    length = 2 + (_words(tokens, at + 2, 1) in {("st",), ("nd",), ("rd",), ("th",)})
    length += _words(tokens, at + length, 1) == (",",)
    if at + length >= len(tokens) or not is_year(tokens[at + length]):
        return None
    day = _safe(int(tokens[at + length].text), month, int(tokens[at + 1].text))
    return (_one_day(day), length + 1) if day else None


def _day_month(tokens: Sequence[Token], at: int) -> tuple[Period, int] | None:
    if not _is_day(tokens[at]):
        return None
    length = 1 + (_words(tokens, at + 1, 1) in {("st",), ("nd",), ("rd",), ("th",)})
    length += _words(tokens, at + length, 1) == ("of",)
    rest = tokens[at + length : at + length + 2]
    if len(rest) < 2 or rest[0].lower not in _MONTHS or not is_year(rest[1]):
        return None
    day = _safe(int(rest[1].text), _MONTHS[rest[0].lower], int(tokens[at].text))
    return (_one_day(day), length + 2) if day else None


def _is_day(token: Token) -> bool:
    return token.kind is TokenKind.NUMBER and token.text.isdigit() and 1 <= int(token.text) <= 31


def _iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _slashed(text: str) -> date | None:
    parts = text.split("/")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return None
    month, day, year = (int(part) for part in parts)
    return _safe(year, month, day) or _safe(year, day, month)


def _safe(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _one_day(day: date) -> Period:
    return Period("", day, _days_on(day, 1), Grain.DAY)


def _days_on(day: date, days: int) -> date:
    """Move a day, as far as the calendar goes."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def _half(tokens: Sequence[Token], at: int, today: date) -> tuple[Period, int] | None:
    """Read `H1 2023`, `2023 H2`, `the first half of 2023`, `second half of last year`."""
    if is_year(tokens[at]):
        number, length = _half_number(tokens, at + 1)
        return (_half_of(int(tokens[at].text), number), length + 1) if number else None
    number, length = _half_number(tokens, at)
    if not number:
        return None
    skip = 1 if _words(tokens, at + length, 1) in {("of",), ("in",), (",",)} else 0
    rest = at + length + skip
    if rest < len(tokens) and is_year(tokens[rest]):
        return _half_of(int(tokens[rest].text), number), length + skip + 1
    relative = _relative(tokens, rest, today) if rest < len(tokens) else None
    if relative is not None and relative[0].grain is Grain.YEAR and relative[0].start is not None:
        return _half_of(relative[0].start.year, number), length + skip + relative[1]
    return None


def _half_number(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    if at >= len(tokens):
        return 0, 0
    word = tokens[at].lower
    if word in {"h1", "h2"}:
        return int(word[1]), 1
    number = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "last": 2}.get(word, 0)
    return (number, 2) if number and _words(tokens, at + 1, 1) == ("half",) else (0, 0)


def _half_of(year: int, number: int) -> Period:
    start = date(year, number * 6 - 5, 1)
    return Period("", start, add_months(start, 6), Grain.MONTH)


def _quarter(tokens: Sequence[Token], at: int, _: date) -> tuple[Period, int] | None:
    """Read `Q3`, `Q1 2023`, `the first quarter of 2023`, `2023 Q1`."""
    if is_year(tokens[at]):
        number, length = _quarter_number(tokens, at + 1)
        return (_quarter_of(int(tokens[at].text), number), length + 1) if number else None
    number, length = _quarter_number(tokens, at)
    if not number:
        return None
    skip = 1 if _words(tokens, at + length, 1) in {("of",), ("in",), (",",)} else 0
    year = tokens[at + length + skip] if at + length + skip < len(tokens) else None
    if year is not None and is_year(year):
        return _quarter_of(int(year.text), number), length + skip + 1
    months = tuple(range(number * 3 - 2, number * 3 + 1))
    return Period("", grain=Grain.QUARTER, months=months), length


def _quarter_number(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    if at >= len(tokens):
        return 0, 0
    word = tokens[at].lower
    if len(word) == 2 and word[0] == "q" and word[1] in "1234":
        return int(word[1]), 1
    number = ordinal(word) or 0
    if 1 <= number <= 4 and _words(tokens, at + 1, 1) == ("quarter",):
        return number, 2
    digit = tokens[at + 1 : at + 2]
    if word == "quarter" and digit and digit[0].text in {"1", "2", "3", "4"}:
        return int(digit[0].text), 2
    return 0, 0


def _quarter_of(year: int, number: int) -> Period:
    start = date(year, number * 3 - 2, 1)
    return Period("", start, add_months(start, 3), Grain.QUARTER)


def _monthly(tokens: Sequence[Token], at: int, _: date) -> tuple[Period, int] | None:
    """Read `March 2023`, `March of 2023`, and `March` alone as a part of every year."""
    month = _MONTHS.get(tokens[at].lower)
    dated = tokens[at].capital or (at > 0 and tokens[at - 1].lower in _BEFORE_MONTHS)
    if month is None or (len(tokens[at].lower) <= 3 and not dated):
        return None
    skip = 1 if _words(tokens, at + 1, 1) in {("of",), (",",)} else 0
    year = tokens[at + 1 + skip] if at + 1 + skip < len(tokens) else None
    if year is not None and is_year(year):
        start = date(int(year.text), month, 1)
        return Period("", start, add_months(start, 1), Grain.MONTH), 2 + skip
    if tokens[at].lower in {"may", "march"} and not dated:
        return None
    return Period("", grain=Grain.MONTH, months=(month,)), 1


def _weekday(tokens: Sequence[Token], at: int, _: date) -> tuple[Period, int] | None:
    word = tokens[at].lemma
    if word in _WEEKDAYS:
        return Period("", weekdays=(_WEEKDAYS[word],)), 1
    if word == "weekend":
        return Period("", weekdays=(5, 6)), 1
    if word == "weekday":
        return Period("", weekdays=(0, 1, 2, 3, 4)), 1
    return None


def _decade(tokens: Sequence[Token], at: int, _: date) -> tuple[Period, int] | None:
    """Read `the 1990s`."""
    after = _words(tokens, at + 1, 1)
    if not is_year(tokens[at]) or after not in {("s",), ("'s",)} or tokens[at].text[-1] != "0":
        return None
    year = int(tokens[at].text)
    return Period("", date(year, 1, 1), date(year + 10, 1, 1), Grain.YEAR), 2


def _named_day(tokens: Sequence[Token], at: int, today: date) -> tuple[Period, int] | None:
    word = tokens[at].lower
    if word in {"today", "yesterday"}:
        day = today - timedelta(days=word == "yesterday")
        return replace(_one_day(day), relative=True), 1
    if _words(tokens, at, 3) == ("year", "to", "date") or word == "ytd":
        period = Period("", date(today.year, 1, 1), today + timedelta(days=1), Grain.YEAR)
        return replace(period, relative=True), 1 if word == "ytd" else 3
    return None


def shifted(period: Period, grain: Grain, steps: int, *, several: bool) -> Period:
    """Return the period so many units before or after; `several` takes in all on the way."""
    if period.weekdays:
        way = range(1, abs(steps) + 1) if several else (abs(steps),)
        sign = 1 if steps > 0 else -1
        days = tuple(sorted((period.weekdays[0] + sign * step) % 7 for step in way))
        return replace(period, weekdays=days)
    if period.start is None or period.end is None:
        return period
    if several and steps < 0:
        return replace(period, start=shift(grain, period.start, steps), end=period.start)
    if several:
        return replace(period, start=period.end, end=shift(grain, period.end, steps))
    start, end = (shift(grain, day, steps) for day in (period.start, period.end))
    return replace(period, start=start, end=end)
