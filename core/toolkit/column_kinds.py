"""What each column of a result is good for, from where it comes and what is in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from core.domain.catalog import CatalogColumn
from core.domain.table import Cell, ColumnKind, Table

LONG_TEXT = 60  # characters on average: more is read, not grouped by


def with_kinds(table: Table, origins: Mapping[str, CatalogColumn] | None = None) -> Table:
    """Return the table with the kind of every column set; names, units and rows stay.

    `origins` are the catalog's columns that result columns are copies of, by the result's name:
    what the catalog knows of them (a numeric key is none to add up) counts before the values do.
    """
    known = origins or {}
    columns = tuple(
        replace(
            column,
            kind=kind_of(column.name, table.values(column.name), known=known.get(column.name)),
        )
        for column in table.columns
    )
    return replace(table, columns=columns)


def kind_of(name: str, cells: Sequence[Cell], *, known: CatalogColumn | None = None) -> ColumnKind:
    """Say what a column is good for.

    Numbers are a MEASURE unless the column is named as an id or holds years; dates and text that
    is all dates or periods ('2025-01-31', '2025-01', '2025-Q1') are TIME; long text is TEXT; other
    text, truth values and ids are a DIMENSION.
    """
    present = [cell for cell in cells if cell is not None]
    if not present:
        return known.kind if known else ColumnKind.DIMENSION
    if known and known.kind in {ColumnKind.DIMENSION, ColumnKind.TEXT} and _are_numbers(present):
        return _kind_of_number_that_is_no_measure(name, present)
    if _are_numbers(present):
        return _kind_of_numbers(name, present)
    if all(isinstance(cell, date) for cell in present):
        return ColumnKind.TIME
    if all(isinstance(cell, str) for cell in present):
        return _kind_of_text(name, [str(cell) for cell in present])
    return _kind_of_others(present)


def is_named_as_id(name: str) -> bool:
    """Say whether a name is that of an identity: `id`, `order_id`, `orderId`, `zip code`."""
    words = _words(name)
    return bool(words) and words[-1] in _ID_WORDS and (len(words) > 1 or words[-1] not in _COUNTED)


def are_periods(texts: Sequence[str]) -> bool:
    """Say whether every text is a date, a moment or a period in ISO form, so that it sorts."""
    return bool(texts) and all(_PERIOD.fullmatch(text) for text in texts)


def are_dates(texts: Sequence[str]) -> bool:
    """Say whether every text begins with a whole date, year to day."""
    return bool(texts) and all(_DATE.fullmatch(text) for text in texts)


def is_comparable(column: CatalogColumn) -> bool:
    """Say whether values can be compared and grouped by in every engine: nested ones cannot."""
    return _NESTED.search(column.type.casefold()) is None


def same_words(values: Iterable[str]) -> list[list[str]]:
    """Return the sets of values that differ in letter case and blanks only."""
    by_word: dict[str, list[str]] = defaultdict(list)
    for value in values:
        by_word[" ".join(value.casefold().split())].append(value)
    return [variants for variants in by_word.values() if len(variants) > 1]


_ID_WORDS = {
    "id", "ids", "key", "code", "zip", "postcode", "sku", "isbn", "iban", "phone", "uuid",
    "guid", "no", "nr", "number", "num",
}  # fmt: skip
_COUNTED = {"no", "nr", "number", "num"}  # alone, they name a count

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12]\d|3[01])"
_CLOCK = r"[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?"
_DATE = re.compile(rf"\d{{4}}-{_MONTH}-{_DAY}(?:{_CLOCK})?")
_PERIOD = re.compile(
    rf"\d{{4}}-{_MONTH}(?:-{_DAY}(?:{_CLOCK})?)?|\d{{4}}-?Q[1-4]|\d{{4}}-?W[0-5]\d"
)
_NESTED = re.compile(r"json|xml|struct|map|array|\[\]|record|geometry|geography|variant|super")
_YEARS = range(1800, 2201)
_CALENDAR_PARTS = {"quarter", "month", "week", "weekday", "dow", "day", "doy", "hour"}
_MOST_DAYS_OF_A_YEAR = 366


def _words(name: str) -> list[str]:
    return [word.casefold() for word in re.split(r"[\W_]+", _CAMEL.sub(" ", name)) if word]


def _are_numbers(cells: Sequence[Cell]) -> bool:
    return all(isinstance(cell, int | float | Decimal) for cell in cells) and not any(
        isinstance(cell, bool) for cell in cells
    )


def _kind_of_numbers(name: str, cells: Sequence[Cell]) -> ColumnKind:
    if is_named_as_id(name) or _are_years(name, cells) or _are_calendar_parts(name, cells):
        return _kind_of_number_that_is_no_measure(name, cells)
    return ColumnKind.MEASURE


def _kind_of_number_that_is_no_measure(name: str, cells: Sequence[Cell]) -> ColumnKind:
    return ColumnKind.TIME if _are_years(name, cells) else ColumnKind.DIMENSION


def _are_years(name: str, cells: Sequence[Cell]) -> bool:
    return _words(name)[-1:] in (["year"], ["yr"]) and all(
        isinstance(cell, int | float | Decimal) and cell in _YEARS for cell in cells
    )


def _are_calendar_parts(name: str, cells: Sequence[Cell]) -> bool:
    words = _words(name)
    return (
        words[-1:] != []
        and words[-1] in _CALENDAR_PARTS
        and "per" not in words
        and all(isinstance(cell, int) and 0 <= cell <= _MOST_DAYS_OF_A_YEAR for cell in cells)
    )


def _kind_of_text(name: str, texts: Sequence[str]) -> ColumnKind:
    if are_periods(texts):
        return ColumnKind.TIME
    if _words(name)[-1:] == ["year"] and all(re.fullmatch(r"\d{4}", text) for text in texts):
        return ColumnKind.TIME
    if sum(map(len, texts)) > LONG_TEXT * len(texts) or any("\n" in text for text in texts):
        return ColumnKind.TEXT
    return ColumnKind.DIMENSION


def _kind_of_others(cells: Sequence[Cell]) -> ColumnKind:
    structured = any(isinstance(cell, bytes | Mapping | list | tuple) for cell in cells)
    return ColumnKind.TEXT if structured else ColumnKind.DIMENSION
