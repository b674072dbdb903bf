"""Reads cells and the names of columns as a chart needs them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from core.domain.periods import first_of, length_of, name_of, read_moment
from core.domain.table import PERCENTAGES, Cell, Column, ColumnKind

NAN = math.nan
NO_VALUE = "(no value)"

_TOO_LARGE = 1e300  # infinity is, and so is what would become it on an axis

_YEARS = range(1000, 3000)
_NUMBER_FIRST = re.compile("[-+\N{MINUS SIGN}<>≤≥ ]*[0-9]")
_IN_ORDER = (
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    ("january", "february", "march", "april", "may", "june", "july", "august", "september",
     "october", "november", "december"),
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("very low", "low", "medium", "high", "very high", "critical"),
    ("small", "medium", "large"),
    ("bronze", "silver", "gold", "platinum"),
)  # fmt: skip
_NOT_ADDED_UP = frozenset({
    "avg", "average", "mean", "median", "mode", "min", "max", "minimum", "maximum", "lowest",
    "highest", "distinct", "rate", "ratio", "share", "percent", "percentage", "pct", "price",
    "score", "rating", "rank", "correlation", "deviation", "stddev", "std", "index", "margin",
    "per", "unit", "growth", "change", "quantile", "percentile", "p50", "p90", "p95", "p99",
    "balance", "temperature", "age", "duration",
})  # fmt: skip


def as_number(cell: Cell) -> float:
    """Return a cell as a float, numbers in text too; NaN for what no axis can hold."""
    match cell:
        case bool() | int() | float() | Decimal():
            value = float(cell)
        case str():
            value = _read_number(cell)
        case _:
            return NAN
    return value if abs(value) < _TOO_LARGE else NAN


def _read_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return NAN


def as_name(cell: Cell) -> str:
    """Return a cell as the name of a category."""
    match cell:
        case None | "":
            return NO_VALUE
        case bool():
            return "yes" if cell else "no"
        case float() | Decimal() if cell == cell and abs(cell) < 1e15 and cell % 1 == 0:
            return str(int(cell))
        case datetime():
            return str(cell)
        case _:
            return str(cell).strip() or NO_VALUE


def adds_up(column: Column) -> bool:
    """Say whether sums of this column mean something: of counts and money, not of averages."""
    words = re.findall(r"[a-z]+\d*", re.sub(r"([a-z])([A-Z])", r"\1_\2", column.name).lower())
    return column.unit not in PERCENTAGES and _NOT_ADDED_UP.isdisjoint(words)


def as_moments(column: Column, cells: Sequence[Cell]) -> tuple[datetime | None, ...] | None:
    """Return cells as moments; None where one of them is none, so that this is no time axis."""
    moments = tuple(
        _year(column, cell) if isinstance(cell, int) else read_moment(cell) for cell in cells
    )
    fits = all(
        (cell is None) == (moment is None) for cell, moment in zip(cells, moments, strict=True)
    )
    return moments if fits and any(moments) else None


def _year(column: Column, cell: int) -> datetime | None:
    named_so = column.kind is ColumnKind.TIME or "year" in column.name.casefold()
    return first_of(cell) if named_so and cell in _YEARS else None


def moment_names(column: Column, moments: Sequence[datetime]) -> tuple[str, ...]:
    """Name each moment as the period that it begins."""
    length = length_of(moments, named=column.name)
    return tuple(name_of(moment, length) for moment in moments)


def known_order(names: Sequence[str]) -> tuple[str, ...] | None:
    """Return names in the order that everybody knows (weekdays, sizes), if they have one."""
    folded = [name.casefold() for name in names]
    for order in _IN_ORDER:
        if len(names) > 1 and set(folded) <= set(order):
            return tuple(sorted(names, key=lambda name: order.index(name.casefold())))
    return None


def are_ordered(names: Sequence[str]) -> bool:
    """Say whether the order of names means something: numbers, classes such as "18-24"."""
    beginnings = sum(_NUMBER_FIRST.match(name) is not None for name in names)
    return beginnings * 2 > len(names) or known_order(names) is not None


def unit_words(column: Column) -> str:
    """Name a column with its unit: "revenue (EUR)"; a share says so by its % signs."""
    unit = column.shown_unit
    return f"{column.heading} ({unit})" if unit else column.heading
