"""Finds tables and their columns by the words of a question, as the prompt's tables are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.memory.recall import INDEXES
from core.memory.words import words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A table that fits, with the columns that made it fit, best first."""

    table: CatalogTable
    columns: tuple[CatalogColumn, ...]
    score: float


def search_schema(catalog: Catalog, text: str, *, at_most: int) -> tuple[Hit, ...]:
    """Return the tables that fit a text, best first; none where no word of it is known."""
    index = INDEXES.of(catalog)
    meanings = index.meanings(text)
    return tuple(
        Hit(
            table=found.table,
            columns=tuple(_columns_that_fit(found.table, meanings)),
            score=found.score,
        )
        for found in index.search(meanings, at_most=at_most)
    )


def _columns_that_fit(
    table: CatalogTable, meanings: Mapping[str, float]
) -> Iterator[CatalogColumn]:
    def fit(column: CatalogColumn) -> float:
        named = sum(2 * meanings.get(word, 0.0) for word in set(words_of(column.name)))
        said = {word for text in (column.comment, *column.values) for word in words_of(text)}
        return named + sum(meanings.get(word, 0.0) for word in said)

    fitting = [(fit(column), column) for column in table.columns]
    best = sorted(fitting, key=lambda pair: -pair[0])
    yield from (column for score, column in best if score > 0)
