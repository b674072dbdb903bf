"""Moments compared with a mere day as their upper end: that day is lost but for its midnight."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from sqlglot import exp

from core.reviewer.ran import Ran
from core.reviewer.remark import Remark

_MOMENT = re.compile(r"timestamp|datetime")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def last_day_cut_off(ran: Ran) -> Iterator[Remark]:
    """Find `moment BETWEEN day AND day` and `moment <= day` where the last day counts."""
    for tested, end in _upper_ends(ran):
        day = _written_day(end)
        # Up to the first of a month is the other custom: the end of a month that is over.
        if day is None or day.day == 1 or not _is_moment(tested, ran):
            continue
        name = tested.sql(dialect=ran.dialect)
        yield Remark(
            f"{name} has times of day, so a range up to {day} ends with the first moment of that"
            f" day: use {name} < '{day + timedelta(days=1)}' for the whole of it.",
            for_reader=True,
        )


def _upper_ends(ran: Ran) -> Iterator[tuple[exp.Expr, exp.Expr]]:
    for between in ran.nodes(exp.Between):
        yield between.this, between.args["high"]
    for least in ran.nodes(exp.LTE):
        yield least.left, least.right


def _written_day(value: exp.Expr) -> date | None:
    inner = value.this if isinstance(value, exp.Cast) else value
    if not isinstance(inner, exp.Literal) or not _DAY.fullmatch(inner.name):
        return None
    try:
        return date.fromisoformat(inner.name)
    except ValueError:
        return None


def _is_moment(tested: exp.Expr, ran: Ran) -> bool:
    stored = ran.stored(tested)
    return stored is not None and _MOMENT.search(stored.column.type.casefold()) is not None
