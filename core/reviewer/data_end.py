"""A period in which nothing was found: the data may end before it begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from sqlglot import exp

from core.domain.query import Query
from core.domain.table import Cell, Table
from core.reviewer.ran import Ran, Stored
from core.reviewer.remark import Remark
from core.reviewer.time_conditions import span_of, timed
from core.sql.builder import column_of

_MOST_ASKED = 2
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
DAY_FIRST = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?:[ T].*)?")
_NOW = re.compile(r"\b(?:CURRENT_|NOW\b|TODAY\b|GETDATE\b|SYSDATE)|'now'", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EndLookUp:
    """A small query for the last day of a date, of which nothing was found since `since`."""

    stored: Stored
    since: date
    query: Query

    def remark(self, found: Table) -> Remark | None:
        """Say where the data ends; None where it goes on into the period."""
        last = found.rows[0][0] if found.rows else None
        if isinstance(last, str) and DAY_FIRST.fullmatch(last):
            return Remark(
                f"{self.stored.column.name} holds dates as text such as {last!r}, which a range of"
                " days does not fit: make dates of them first.",
                for_reader=True,
            )
        end = _day(last)
        if end is None or end >= self.since:
            return None
        name = f"{self.stored.table.name}.{self.stored.column.name}"
        return Remark(f"The data ends on {end.isoformat()} ({name}).", for_reader=True)


def end_look_ups(ran: Ran) -> tuple[EndLookUp, ...]:
    """Return the queries for the last days of the dates that a fruitless statement asks for."""
    if not ran.found_nothing:
        return ()
    since: dict[tuple[str, str], tuple[Stored, date]] = {}
    for column, day in _since(ran):
        stored = ran.stored(column)
        if stored is not None and not stored.column.masked:
            since.setdefault((stored.table.qualified_name, stored.column.name), (stored, day))
    return tuple(EndLookUp(*each, _query(each[0])) for each in since.values())[:_MOST_ASKED]


def _since(ran: Ran) -> Iterator[tuple[exp.Column, date]]:
    """Return the columns that have to lie on or after a day, with that day."""
    for compared in ran.nodes(exp.GTE, exp.GT, exp.EQ):
        yield from _begins(ran, compared.left, type(compared), compared.right)
    for between in ran.nodes(exp.Between):
        yield from _begins(ran, between.this, exp.GTE, between.args["low"])


def _begins(
    ran: Ran, left: exp.Expr, operator: type[exp.Expr], right: exp.Expr
) -> Iterator[tuple[exp.Column, date]]:
    what = timed(left)
    if what is None:
        return
    span = span_of(operator, right, what, days=True)
    if span is not None and span.start is not None:
        yield what.column, span.start.date()
    elif _NOW.search(right.sql(dialect=ran.dialect)):
        # How far back it reaches is not reckoned: that nothing is there today is worth a look.
        yield what.column, ran.today


def _query(stored: Stored) -> Query:
    table = stored.table
    last = exp.alias_(exp.Max(this=column_of(stored.column)), "last_day")
    return Query(
        exp.select(last).from_(exp.table_(table.name, db=table.schema or None, quoted=True))
    )


def _day(cell: Cell) -> date | None:
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date):
        return cell
    written = _DAY.match(cell) if isinstance(cell, str) else None
    try:
        return date.fromisoformat(written.group()) if written else None
    except ValueError:
        return None
