"""Which columns hold percentages, and which one a word names."""

from __future__ import annotations

import re

from core.domain.table import Column, Table
from core.reviewer.values import number_of

_PERCENT = re.compile(
    r"%|pct|perc|prozent|share|rate|ratio|growth|change|margin|proportion|gpm|roi|yoy|mom"
    r"|conversion|churn|retention|utili[sz]ation|discount|completeness|coverage",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"revenue|amount|total|sum|price|cost|count|number|sales|orders|units|quantity|fee|salary"
    r"|value|users|customers|days|hours|minutes|seconds|age|year|weight|height|length",
    re.IGNORECASE,
)
_WHOLE = 100


def says_percentage(column: Column) -> bool:
    """Say whether a column is one of percentages, shares or ratios by its name or unit."""
    return _PERCENT.search(f"{column.name} {column.unit}") is not None


def is_percentage(table: Table, at: int) -> bool:
    """Say whether a column holds percentages: by its name, or as numbers that may well be some."""
    column = table.columns[at]
    if says_percentage(column):
        return True
    if _AMOUNT.search(column.name):
        return False
    numbers = [value for row in table.rows if (value := number_of(row[at])) is not None]
    return any(value != int(value) for value in numbers) and all(
        abs(value) <= _WHOLE for value in numbers
    )


def words_of(column: Column) -> set[str]:
    """Return the words and years in a column's name, as singulars."""
    return {singular(word) for word in re.findall(r"[a-z]{3,}|\d{4}", column.name.lower())}


def column_called(table: Table, word: str) -> int | None:
    """Return the place of the one column of figures that a word names; None where none is."""
    said = singular(word.lower())
    places = [
        at
        for at, column in enumerate(table.columns)
        if said in words_of(column) and any(number_of(row[at]) is not None for row in table.rows)
    ]
    return places[0] if len(places) == 1 else None


def singular(word: str) -> str:
    return word.rstrip("s")
