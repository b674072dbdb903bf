"""Columns of dates, whatever they are kept as."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from sqlglot import exp

from core.domain.errors import BadArguments
from core.domain.query import Dialect, Query
from core.domain.table import Row
from core.sql import builder
from core.toolkit.context import ToolContext
from core.toolkit.sources import Picked, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A column of dates as a query uses it: `value` is a date or timestamp in this engine."""

    name: str
    value: exp.Expr


async def dated_by(source: Source, name: str, ctx: ToolContext) -> Dated:
    """Read a time column; dates in text and years in numbers are turned into dates.

    Raises:
        BadArguments: there is no such column, or what it holds are no dates in ISO form.
    """
    picked = source.column(name)
    if _is_date_type(picked):
        return Dated(name=picked.name, value=picked.value)
    query = Query(
        source.rows(
            {
                "first": builder.smallest(picked.value),
                "last": builder.largest(picked.value),
            }
        )
    )
    [ends] = (await ctx.fetch(query)).rows
    return Dated(name=picked.name, value=_as_date(picked, ends, source.dialect))


def _is_date_type(picked: Picked) -> bool:
    word = picked.column.type.casefold()
    return "date" in word or "timestamp" in word


def _as_date(picked: Picked, ends: Row, dialect: Dialect) -> exp.Expr:
    texts = [str(cell) for cell in ends if cell is not None]
    for pattern, missing, kind in _FORMS:
        if all(pattern.fullmatch(text) for text in texts):
            return _completed(picked.value, missing, kind, dialect)
    raise BadArguments(
        f"{picked.name} holds no dates that can be read ({texts[0]!r} is one of its values). "
        "Choose another column, or write the query with run_query."
    )


_FORMS = (
    (re.compile(r"\d{4}-\d{2}-\d{2}"), "", "date"),
    (re.compile(r"\d{4}-\d{2}-\d{2}[ T].*"), "", "timestamp"),
    (re.compile(r"\d{4}-\d{2}"), "-01", "date"),
    (re.compile(r"[12]\d{3}"), "-01-01", "date"),
)


def _completed(value: exp.Expr, missing: str, kind: str, dialect: Dialect) -> exp.Expr:
    if missing:
        text = builder.as_text(value, dialect)
        value = exp.Concat(expressions=[text, exp.Literal.string(missing)], safe=False)
    return value if dialect is Dialect.SQLITE else exp.cast(value, kind)


def in_span(
    dated: Dated, since: date | None, until: date | None, dialect: Dialect
) -> Iterator[exp.Expr]:
    """Yield the conditions that keep rows from the first to the last day, both with all hours."""
    if since is not None:
        yield builder.on_or_after(dated.value, since, dialect)
    if until is not None:
        yield builder.before(dated.value, until + timedelta(days=1), dialect)
