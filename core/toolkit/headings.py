"""What stands over the columns of a result, where their names do not say it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.domain.catalog import Catalog, CatalogTable
from core.domain.errors import NotPossible
from core.domain.names import singular
from core.domain.table import PERCENT, SHARE, Column, ColumnKind, Table, in_words, number
from core.toolkit.lineage import Stored, copies

_NAME_ALONE = re.compile(r"name(_\d+)?", re.IGNORECASE)
_ID_ALONE = re.compile(r"id(_\d+)?", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_OUT_OF_A_HUNDRED = {"percent", "percentage", "pct"}
_OUT_OF_ONE = {"share", "fraction", "proportion"}
_RATES_OUT_OF_ONE = {
    "acceptance", "bounce", "cancellation", "churn", "click", "completion", "conversion", "error",
    "failure", "growth", "null", "open", "refund", "response", "retention", "return", "success",
    "win",
}  # fmt: skip


def needs_headings(table: Table) -> bool:
    """Say whether a column is called by a word that fits every table: name, id."""
    return any(_bare(column.name) for column in table.columns)


def with_headings(table: Table, sql: str, catalog: Catalog) -> Table:
    """Return the table with `name` called what it is the name of: a region, a product.

    Two of one kind, such as both ends of a journey, keep their names.
    """
    try:
        known = copies(sql, catalog)
    except NotPossible:
        return table
    called = [_called(column, known) for column in table.columns]
    columns = (
        replace(column, called=words) if words and called.count(words) == 1 else column
        for column, words in zip(table.columns, called, strict=True)
    )
    return replace(table, columns=tuple(columns))


def with_units(table: Table) -> Table:
    """Return the table with the unit of every measure whose name and values leave no doubt.

    `percent` is out of a hundred; a `share` or a `churn_rate` is out of one where all of it lies
    between -1 and 1.
    """
    columns = (replace(each, unit=each.unit or _unit(each, table)) for each in table.columns)
    return replace(table, columns=tuple(columns))


def _called(column: Column, known: Mapping[str, Stored]) -> str:
    stored = known.get(column.name)
    if stored is None or not _bare(column.name):
        return ""
    thing = _thing(stored.table)
    return f"{thing} id" if _ID_ALONE.fullmatch(column.name) else thing


def _bare(name: str) -> bool:
    return bool(_NAME_ALONE.fullmatch(name) or _ID_ALONE.fullmatch(name))


def _thing(table: CatalogTable) -> str:
    *first, last = in_words(_CAMEL.sub("_", table.name)).casefold().split()
    return " ".join((*first, singular(last)))


def _unit(column: Column, table: Table) -> str:
    if column.kind is not ColumnKind.MEASURE:
        return ""
    words = in_words(_CAMEL.sub("_", column.name)).casefold().split()
    if _OUT_OF_A_HUNDRED.intersection(words):
        return PERCENT
    values = [number(cell) for cell in table.values(column.name) if not isinstance(cell, str)]
    within_one = all(-1 <= value <= 1 for value in values)
    return SHARE if _says_share(words) and within_one else ""


def _says_share(words: Sequence[str]) -> bool:
    is_rate = words[-1:] == ["rate"] and not _RATES_OUT_OF_ONE.isdisjoint(words)
    return is_rate or not _OUT_OF_ONE.isdisjoint(words[-1:])
