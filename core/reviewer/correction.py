"""Advice on a query that the database rejected: its words, the names meant, the tables read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.catalog import Catalog, CatalogTable
from core.domain.names import nearest

_WORD = re.compile(r"[^\W\d]\w*")
_LONGEST_WORDS = 600
_MOST_TABLES = 4


def tables_named(text: str, catalog: Catalog) -> tuple[CatalogTable, ...]:
    """Return the tables of the catalog whose names stand in a text, as whole words."""
    found: dict[str, CatalogTable] = {}
    for word in _WORD.findall(text):
        table = catalog.table(word)
        if table is not None:
            found.setdefault(table.qualified_name, table)
    return tuple(found.values())[:_MOST_TABLES]


def names_meant(words: str, tables: tuple[CatalogTable, ...], catalog: Catalog) -> tuple[str, ...]:
    """Say for each name in the database's words that does not exist which ones are near it."""
    return tuple(_meant(words, tables, catalog))


def _meant(words: str, tables: tuple[CatalogTable, ...], catalog: Catalog) -> Iterator[str]:
    columns = {column.name: table for table in tables for column in table.columns}
    folded = {name.casefold() for name in columns}
    for name in dict.fromkeys(re.findall(r"[\"'`]([^\"'`]{1,100})[\"'`]|: ([\w.]+)$", words)):
        given = (name[0] or name[1]).rsplit(".", 1)[-1]
        if given.casefold() in folded or catalog.table(given) is not None:
            continue
        near = [f"{columns[each].name}.{each}" for each in nearest(given, columns, at_most=3)]
        if near:
            yield f"There is no {given!r} in these tables; near it are {', '.join(near)}."


def shortened(words: str) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= _LONGEST_WORDS else flat[:_LONGEST_WORDS] + " …"
