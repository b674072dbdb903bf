"""Columns that hold a time, however the database keeps it."""

from __future__ import annotations

import re

from sqlglot import exp

from core.domain.catalog import CatalogColumn
from core.domain.query import Dialect
from core.sql.builder import column_of

_TEXT = re.compile(r"char|text|string|clob")
_MONTH = "YYYY-MM"


def is_text(column: CatalogColumn) -> bool:
    """Say whether the engine keeps a column as text."""
    return _TEXT.search(column.type.casefold()) is not None


def moment_of(column: CatalogColumn, dialect: Dialect, *, of: str = "") -> exp.Expr:
    """Return a column as a time that periods can be made of; `of` is the table's alias.

    A column of dates is itself. Text becomes a time: '2025-01' counts as the first of its month,
    and what is no date is NULL, where the engine can do that, and an error where it cannot.
    """
    value = column_of(column, of=of)
    if not is_text(column):
        return value
    whole = exp.case().when(
        exp.EQ(this=exp.Length(this=value.copy()), expression=exp.convert(len(_MONTH))),
        exp.func("CONCAT", value.copy(), exp.Literal.string("-01")),
    )
    dated = whole.else_(value.copy())
    if dialect is Dialect.SQLITE:
        return dated
    return exp.TryCast(this=dated, to=exp.DataType.build("timestamp"))
