"""The names that a text gives to periods and to days of the week, and the rows that they mean."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from core.domain.table import Cell
from core.reviewer.periods_read import day_of, is_quarter

Named = Iterator[tuple[str, tuple[int, ...]]]

_FORMS = ("%B %Y", "%b %Y", "%b. %Y", "%B, %Y", "%B of %Y", "%Y-%m", "%m/%Y", "%b '%y", "%B '%y")
_ORDINALS = ("first", "second", "third", "fourth")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")
_WEEKEND = ("saturday", "sunday")


def period_names(cells: Sequence[Cell]) -> dict[str, tuple[int, ...]] | None:
    """Return the rows of each name, where the cells are first days of periods; else None.

    Several months are the quarter or half that they make, and quarters the year.
    """
    days = [day_of(cell) for cell in cells]
    whole = [day for day in days if day is not None and day.day == 1]
    if not cells or len(whole) < len(cells):
        return None
    if len(set(whole)) < len(whole):
        return {}
    if all(map(is_quarter, cells)):
        return dict(_of_quarters(whole))
    if all(day.month == 1 for day in whole):
        return {f"{day:%Y}": (at,) for at, day in enumerate(whole)}
    return dict(_of_months(whole))


def week_names(cells: Sequence[Cell]) -> Named:
    """Return the rows of weekends and weekdays, where the cells are all days of a week."""
    places = {str(cell).casefold(): at for at, cell in enumerate(cells)}
    if places.keys() == {*_WEEKDAYS, *_WEEKEND}:
        for name, days in (("weekend", _WEEKEND), ("weekday", _WEEKDAYS)):
            for written in (name, f"{name}s"):
                yield written, tuple(places[day] for day in days)


def _of_months(days: Sequence[date]) -> Named:
    alone = len({day.month for day in days}) == len(days)
    for at, day in enumerate(days):
        for name in _month_names(day, alone=alone):
            yield name, (at,)
    yield from _parts(days, quarter_names, alone=alone)
    yield from _parts(days, _half_names, alone=alone)


def _of_quarters(days: Sequence[date]) -> Named:
    alone = len({day.month for day in days}) == len(days)
    yield from _parts(days, quarter_names, alone=alone)
    yield from _parts(days, _half_names, alone=alone)
    if not alone:
        yield from _parts(days, lambda day: (f"{day:%Y}",), alone=False)


def _parts(
    days: Sequence[date], names_of: Callable[[date], Sequence[str]], *, alone: bool
) -> Named:
    """Return the rows of each part; where no part comes twice, also under its name alone."""
    parts: defaultdict[str, list[int]] = defaultdict(list)
    for at, day in enumerate(days):
        with_year = names_of(day)
        for name in (*with_year, *((with_year[0].split()[0],) if alone else ())):
            parts[name].append(at)
    yield from ((name, tuple(places)) for name, places in parts.items())


def quarter_names(day: date) -> tuple[str, ...]:
    """Return what the quarter of a day is called with its year, the shortest name first."""
    number = (day.month + 2) // 3
    ordinal = f"{_ORDINALS[number - 1]} quarter of"
    short = (f"Q{number} {{}}", f"Q{number}/{{}}", f"Q{number} of {{}}", f"{{}} Q{number}")
    forms = (*short, f"{{}}-Q{number}", f"{ordinal} {{}}")
    return tuple(each.format(day.year) for each in forms)


def _half_names(day: date) -> tuple[str, ...]:
    number = (day.month + 5) // 6
    return (f"H{number} {day.year}", f"{_ORDINALS[number - 1]} half of {day.year}")


def _month_names(day: date, *, alone: bool) -> dict[str, None]:
    names = [day.strftime(form) for form in _FORMS]
    return dict.fromkeys([*names, *((f"{day:%B}", f"{day:%b}") if alone else ())])
