"""Conditions on dates and times, read as the stretch of time that they leave."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlglot import exp

from core.reviewer.ran import called
from core.reviewer.spans import Span, after, up_to, whole
from core.sql.periods import Grain


@dataclass(frozen=True, slots=True)
class Timed:
    """A column, or the period that it lies in: `grain` None is the moment itself.

    `of_year`: the number of the period within its year, as EXTRACT(MONTH ...) gives.
    `parts` of a date are compared: 1 is the year alone, 2 with the month, 3 with the day.
    """

    column: exp.Column
    grain: Grain | None = None
    of_year: bool = False
    parts: int = 3


def timed(node: exp.Expr) -> Timed | None:
    """Read one side of a comparison; None for what is no simple use of one column."""
    node = _bare(node)
    if isinstance(node, exp.Column):
        return Timed(node)
    if isinstance(node, exp.Cast) and _is_to(node, "date"):
        return _of(node.this, Grain.DAY)
    if isinstance(node, exp.Cast) and _is_to(node, *_NUMBERS):
        found = timed(node.this)
        return found if found and (found.parts == 1 or found.of_year) else None
    if isinstance(node, exp.Cast) and _is_to(node, *_MOMENTS):
        return timed(node.this)
    if isinstance(node, exp.Extract):
        return _of(node.expression, _PARTS.get(node.this.name.lower()), part=True)
    return _called(node)


def span_of(operator: type[exp.Expr], value: exp.Expr, what: Timed, *, days: bool) -> Span | None:
    """Return what a comparison with a literal leaves; None where it cannot be said simply.

    `days`: the column holds days without a time.
    """
    moment = moment_of(value, parts=what.parts)
    grain = what.grain or (Grain.DAY if days else None)
    if moment is None or what.of_year:
        return None
    if grain is None:
        make = _OF_MOMENTS.get(operator)
        return make(moment) if make else None
    period = whole(moment, grain)
    make_whole = _OF_PERIODS.get(operator)
    return make_whole(period) if make_whole and period else None


def moment_of(value: exp.Expr, *, parts: int) -> datetime | None:
    """Read a literal with so many parts of a date; None for all else, and for one with a zone."""
    value = _bare(value)
    if isinstance(value, exp.Cast) and _is_to(value, "date", "timestamptz", *_MOMENTS):
        return moment_of(value.this, parts=parts)
    if isinstance(value, exp.Literal) and (value.is_string or parts == 1):
        return _parsed(value.name, parts)
    if isinstance(value, exp.Date | exp.DateStrToDate | exp.TsOrDsToDate) or called(value) in _DAYS:
        text, *form = _arguments(value)
        if isinstance(text, exp.Literal) and [each.name for each in form] in _PLAIN_FORMS:
            return _parsed(text.name, parts)
    return None


_PLAIN_FORMS: tuple[list[str], ...] = ([], ["YYYY-MM-DD"])
_WRITTEN = {
    1: re.compile(r"\d{4}"),
    2: re.compile(r"\d{4}-\d\d"),
    3: re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{3}(?:\d{3})?)?)?)?"),
}


def _parsed(text: str, parts: int) -> datetime | None:
    if _WRITTEN[parts].fullmatch(text) is None:
        return None
    try:
        return datetime.fromisoformat(text + "-01" * (3 - parts))
    except ValueError:
        return None


_OF_MOMENTS: dict[type[exp.Expr], Callable[[datetime], Span]] = {
    exp.GTE: lambda moment: Span(start=moment),
    exp.GT: after,
    exp.LTE: up_to,
    exp.LT: lambda moment: Span(end=moment),
}
_OF_PERIODS: dict[type[exp.Expr], Callable[[Span], Span]] = {
    exp.EQ: lambda period: period,
    exp.GTE: lambda period: Span(start=period.start),
    exp.GT: lambda period: Span(start=period.end),
    exp.LTE: lambda period: Span(end=period.end),
    exp.LT: lambda period: Span(end=period.start),
}

_NUMBERS = ("int", "bigint", "smallint", "decimal", "double", "float", "ubigint", "uint")
_MOMENTS = ("timestamp", "datetime", "datetime2", "timestampntz")
_DAYS = frozenset({"date", "todate", "to_date"})
_PARTS = {"year": Grain.YEAR, "y": Grain.YEAR, "quarter": Grain.QUARTER, "month": Grain.MONTH}
_FUNCTIONS = {
    "year": (Grain.YEAR, True),
    "toyear": (Grain.YEAR, True),
    "quarter": (Grain.QUARTER, True),
    "toquarter": (Grain.QUARTER, True),
    "month": (Grain.MONTH, True),
    "tomonth": (Grain.MONTH, True),
    "date": (Grain.DAY, False),
    "todate": (Grain.DAY, False),
    "tostartofyear": (Grain.YEAR, False),
    "tostartofquarter": (Grain.QUARTER, False),
    "tostartofmonth": (Grain.MONTH, False),
    "tomonday": (Grain.WEEK, False),
}
_CUTS = frozenset({"date_trunc", "timestamp_trunc", "datetime_trunc"})
_GRAINS = {each.value: each for each in (Grain.DAY, Grain.MONTH, Grain.QUARTER, Grain.YEAR)}
_WRITES = frozenset({"strftime", "date_format", "to_char", "format_date", "time_to_str"})
_FORMATS = {
    "%Y": (Grain.YEAR, 1),
    "YYYY": (Grain.YEAR, 1),
    "yyyy": (Grain.YEAR, 1),
    "%Y-%m": (Grain.MONTH, 2),
    "YYYY-MM": (Grain.MONTH, 2),
    "yyyy-MM": (Grain.MONTH, 2),
    "%Y-%m-01": (Grain.MONTH, 3),
    "%Y-%m-%d": (Grain.DAY, 3),
    "YYYY-MM-DD": (Grain.DAY, 3),
    "yyyy-MM-dd": (Grain.DAY, 3),
}


def _called(node: exp.Expr) -> Timed | None:
    name, arguments = called(node), _arguments(node)
    if isinstance(node, exp.TsOrDsToDate):
        return _of(node.this, Grain.DAY)
    if name in _FUNCTIONS and len(arguments) == 1:
        grain, part = _FUNCTIONS[name]
        return _of(arguments[0], grain, part=part)
    if len(arguments) == len(("what", "how")):
        return _cut(name, arguments)
    return None


def _cut(name: str, pair: list[exp.Expr]) -> Timed | None:
    """Read a call of a column and of how it is cut, in either order."""
    for how, what in (pair, reversed(pair)):
        if name in _CUTS and (grain := _GRAINS.get(how.name.lower())):
            return _of(what, grain)
        if name == "date_part" and (grain := _PARTS.get(how.name.lower())):
            return _of(what, grain, part=True)
        if name in _WRITES and (form := _FORMATS.get(how.name)):
            return _of(what, form[0], parts=form[1])
    return None


def _of(node: exp.Expr, grain: Grain | None, *, part: bool = False, parts: int = 3) -> Timed | None:
    """Return the column of a call; one that is cut to days before is cut further."""
    found = timed(node)
    if grain is None or found is None or found.grain not in {None, Grain.DAY}:
        return None
    is_year = part and grain is Grain.YEAR
    return Timed(found.column, grain, of_year=part and not is_year, parts=1 if is_year else parts)


def _arguments(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Anonymous):
        return list(node.expressions)
    found = (node.args.get(name) for name in ("this", "format", "unit"))
    return [each for each in found if isinstance(each, exp.Expr)]


def _bare(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _is_to(cast: exp.Cast, *types: str) -> bool:
    return cast.to.this.value.lower() in types
