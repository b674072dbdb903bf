"""Finds the tables that a question is likely about, by the words of names, comments and values."""

from __future__ import annotations

import asyncio
import heapq
import math
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from core.domain.catalog import Catalog, CatalogTable
from core.memory.words import asked_words, could_mean, is_shortened, words_of

_NAME, _COLUMN, _COMMENT, _VALUE = 4.0, 1.0, 0.7, 0.5
_PREFIX_LETTERS = 3
_LIKELY = 0.6  # what a shortening counts beside the word itself
_SATURATION, _LENGTH_MATTERS = 1.2, 0.4  # of BM25
_INDEXED_AT_ONCE = 300  # tables that are indexed within a few milliseconds
_KEPT_INDEXES = 32
_READ_FREELY = 1_500  # entries of words that a question may read, so that it takes no 2 ms


class TableIndex:
    """The words of one catalog, weighed: BM25 with shortened names understood."""

    def __init__(self, catalog: Catalog) -> None:
        self._tables = catalog.tables
        self._postings = _postings([_weighed(table) for table in catalog.tables])
        self._by_prefix: defaultdict[str, list[str]] = defaultdict(list)
        self._shortened: defaultdict[str, list[str]] = defaultdict(list)
        for word in self._postings:
            self._by_prefix[word[:_PREFIX_LETTERS]].append(word)
            if is_shortened(word):
                self._shortened[word[0]].append(word)

    def find(self, question: str, *, at_most: int) -> tuple[CatalogTable, ...]:
        """Return the tables whose words fit best, best first; none where no word fits."""
        scores: defaultdict[int, float] = defaultdict(float)
        read = 0
        for known, weight in self._rarest_first(question):
            impacts = self._postings[known]
            # Words that very many tables have only decide between those that rarer ones found.
            if read and read + len(impacts) > _READ_FREELY:
                for at in scores.keys() & impacts.keys():
                    scores[at] += weight * impacts[at]
                continue
            read += len(impacts)
            for at, impact in impacts.items():
                scores[at] += weight * impact
        best = heapq.nlargest(at_most, scores.items(), key=lambda each: (each[1], -each[0]))
        return tuple(self._tables[at] for at, _ in best)

    def _rarest_first(self, question: str) -> list[tuple[str, float]]:
        meanings: dict[str, float] = {}
        for word in asked_words(question):
            for known, weight in self._meanings(word).items():
                meanings[known] = max(weight, meanings.get(known, 0.0))
        return sorted(meanings.items(), key=lambda each: len(self._postings[each[0]]))

    def _meanings(self, word: str) -> dict[str, float]:
        """Return the known words that this one may mean, with how much each counts."""
        found = {word: 1.0} if word in self._postings else dict[str, float]()
        if len(word) > _PREFIX_LETTERS:
            for known in self._by_prefix.get(word[:_PREFIX_LETTERS], ()):
                if word.startswith(known) or known.startswith(word):
                    found.setdefault(known, _LIKELY)
            for known in self._shortened.get(word[0], ()):
                if known not in found and could_mean(known, word):
                    found[known] = _LIKELY * min(1.0, len(known) / 3)
        return found


def _weighed(table: CatalogTable) -> dict[str, float]:
    """Add up what each word of a table counts, by the places where it stands."""
    weights: defaultdict[str, float] = defaultdict(float)
    for word, weight in _places(table):
        weights[word] += weight
    return weights


def _places(table: CatalogTable) -> Iterator[tuple[str, float]]:
    yield from ((word, _NAME) for word in words_of(table.name))
    yield from ((word, _COMMENT) for word in words_of(table.comment))
    for column in table.columns:
        yield from ((word, _COLUMN) for word in words_of(column.name))
        yield from ((word, _COMMENT) for word in words_of(column.comment))
        yield from ((word, _VALUE) for value in column.values for word in words_of(value))


def _postings(tables: Sequence[dict[str, float]]) -> dict[str, dict[int, float]]:
    """Return for each word the tables that have it, with what it says of each (BM25)."""
    lengths = [sum(weights.values()) for weights in tables]
    mean = sum(lengths) / len(lengths) if lengths else 1.0
    frequency = Counter(word for weights in tables for word in weights)
    rarity = {
        word: math.log(1 + (len(tables) - count + 0.5) / (count + 0.5))
        for word, count in frequency.items()
    }
    postings: dict[str, dict[int, float]] = {word: {} for word in frequency}
    for at, (weights, length) in enumerate(zip(tables, lengths, strict=True)):
        room = _SATURATION * (1 - _LENGTH_MATTERS + _LENGTH_MATTERS * length / mean)
        for word, weight in weights.items():
            postings[word][at] = rarity[word] * weight / (weight + room)
    return postings


@dataclass(slots=True)
class TableRecall:
    """Keeps the index of each catalog that was asked lately, by its version."""

    _indexes: OrderedDict[str, TableIndex] = field(default_factory=OrderedDict[str, TableIndex])

    async def recall(
        self, catalog: Catalog, question: str, *, certain: Iterable[str] = (), at_most: int
    ) -> tuple[CatalogTable, ...]:
        """Return the tables that belong into this turn, in the order of their names.

        The tables named in `certain` come first; a catalog with few tables comes whole. The order
        does not depend on the question, so that like questions begin with like prompts.
        """
        if len(catalog.tables) <= at_most:
            return catalog.tables
        known = (catalog.table(name) for name in certain)
        named = {table.qualified_name: table for table in known if table}
        index = await self._index(catalog)
        for table in index.find(question, at_most=at_most) or catalog.tables[:at_most]:
            named.setdefault(table.qualified_name, table)
        chosen = list(named.values())[:at_most]
        return tuple(sorted(chosen, key=lambda table: table.qualified_name))

    async def _index(self, catalog: Catalog) -> TableIndex:
        large = len(catalog.tables) > _INDEXED_AT_ONCE
        # The version of a large catalog takes long to compute, once; so does its index.
        version = await asyncio.to_thread(_version, catalog) if large else catalog.version
        index = self._indexes.get(version)
        if index is None:
            index = await asyncio.to_thread(TableIndex, catalog) if large else TableIndex(catalog)
            self._indexes[version] = index
            if len(self._indexes) > _KEPT_INDEXES:
                self._indexes.popitem(last=False)
        self._indexes.move_to_end(version)
        return index


def _version(catalog: Catalog) -> str:
    return catalog.version
