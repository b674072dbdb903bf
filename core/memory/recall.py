"""Finds the tables that a question is likely about, by the words of names, comments and values."""

from __future__ import annotations

import asyncio
import heapq
import math
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

from core.domain.catalog import Catalog, CatalogTable
from core.domain.definitions import NOTHING_DEFINED, Definitions
from core.memory.definitions import tables_meant
from core.memory.words import asked_words, could_mean, is_shortened, synonyms_of, words_of

_NAME, _COLUMN, _COMMENT, _VALUE = 4.0, 1.0, 0.7, 0.5
_PREFIX_LETTERS = 3
_LIKELY = 0.6  # what a shortening counts beside the word itself
_SYNONYM = 0.4
_SATURATION, _LENGTH_MATTERS = 1.2, 0.4  # of BM25
_INDEXED_AT_ONCE = 300  # tables that are indexed within a few milliseconds
_KEPT_INDEXES = 32
_READ_FREELY = 1_500  # entries of words that a question may read, so that it takes no 2 ms


@dataclass(frozen=True, slots=True)
class Found:
    """A table that fits a question, and how well: scores compare within one search only."""

    table: CatalogTable
    score: float


class TableIndex:
    """The words of one catalog, weighed: BM25 with shortened names and synonyms understood."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._tables = list(catalog.tables)
        self._words = [_weighed(table) for table in self._tables]
        lengths = [sum(words.values()) for words in self._words]
        # The usual length stays what it was in the beginning: one changed table hardly moves it.
        self._usual = sum(lengths) / max(len(lengths), 1) or 1.0
        self._postings: dict[str, dict[int, float]] = {}
        self._by_prefix: defaultdict[str, list[str]] = defaultdict(list)
        self._shortened: defaultdict[str, list[str]] = defaultdict(list)
        for at in range(len(self._tables)):
            self._post(at)

    @property
    def tables(self) -> Sequence[CatalogTable]:
        return self._tables

    def is_up_to_date(self, catalog: Catalog) -> bool:
        """Say whether this very catalog was the last that it took over."""
        return self._catalog is catalog

    def update(self, catalog: Catalog) -> int:
        """Take over a catalog of the same tables in the same order; return how many say else.

        Raises:
            ValueError: there are not as many tables as before.
        """
        changed = [
            at
            for at, (old, new) in enumerate(zip(self._tables, catalog.tables, strict=True))
            if old is not new and _says(old) != _says(new)
        ]
        self._catalog = catalog
        self._tables = list(catalog.tables)
        for at in changed:
            for word in self._words[at]:
                del self._postings[word][at]
            self._words[at] = _weighed(self._tables[at])
            self._post(at)
        return len(changed)

    def find(self, question: str, *, at_most: int) -> tuple[CatalogTable, ...]:
        """Return the tables whose words fit best, best first; none where no word fits."""
        found = self.search(self.meanings(question), at_most=at_most)
        return tuple(each.table for each in found)

    def search(self, meanings: Mapping[str, float], *, at_most: int) -> tuple[Found, ...]:
        """Return the tables that have most of the weighed words, best first."""
        scores: defaultdict[int, float] = defaultdict(float)
        read = 0
        for word in sorted(meanings, key=lambda each: len(self._postings[each])):
            places = self._postings[word]
            weight = meanings[word] * self._rarity(len(places))
            # Words that very many tables have only decide between those that rarer ones found.
            if read and read + len(places) > _READ_FREELY:
                for at in scores.keys() & places.keys():
                    scores[at] += weight * places[at]
                continue
            read += len(places)
            for at, impact in places.items():
                scores[at] += weight * impact
        best = heapq.nlargest(at_most, scores.items(), key=lambda each: (each[1], -each[0]))
        return tuple(Found(self._tables[at], score) for at, score in best)

    def meanings(self, question: str) -> dict[str, float]:
        """Return the words of the index that a question may mean, with how much each counts."""
        meanings: dict[str, float] = {}
        for word in asked_words(question):
            for known, weight in self._meanings(word).items():
                meanings[known] = max(weight, meanings.get(known, 0.0))
        return meanings

    def _meanings(self, word: str) -> dict[str, float]:
        found = {word: 1.0} if self._postings.get(word) else dict[str, float]()
        for known in self._by_prefix.get(word[:_PREFIX_LETTERS], ()):
            if _begins(known, word) or _begins(word, known):
                found.setdefault(known, _LIKELY)
        if len(word) > _PREFIX_LETTERS:
            for known in self._shortened.get(word[0], ()):
                if known not in found and could_mean(known, word):
                    found[known] = _LIKELY * min(1.0, len(known) / 3)
        for other in synonyms_of(word):
            if self._postings.get(other):
                found.setdefault(other, _SYNONYM)
        return {known: weight for known, weight in found.items() if self._postings[known]}

    def _rarity(self, count: int) -> float:
        return math.log(1 + (len(self._tables) - count + 0.5) / (count + 0.5))

    def _post(self, at: int) -> None:
        """Write down what each word of a table says of it (BM25, but for the word's rarity)."""
        words = self._words[at]
        relative = sum(words.values()) / self._usual
        room = _SATURATION * (1 - _LENGTH_MATTERS + _LENGTH_MATTERS * relative)
        for word, weight in words.items():
            places = self._postings.get(word)
            if places is None:
                places = self._postings[word] = {}
                self._by_prefix[word[:_PREFIX_LETTERS]].append(word)
                if is_shortened(word):
                    self._shortened[word[0]].append(word)
            places[at] = weight / (weight + room)


def _begins(short: str, word: str) -> bool:
    return len(short) >= _PREFIX_LETTERS and len(short) < len(word) and word.startswith(short)


def _says(table: CatalogTable) -> object:
    """Return what the words of a table are taken from: how many rows it has is none of it."""
    return table.qualified_name, table.comment, table.columns


def _weighed(table: CatalogTable) -> dict[str, float]:
    """Add up what each word of a table counts, by the places where it stands."""
    weights: defaultdict[str, float] = defaultdict(float)
    for word, weight in _places(table):
        weights[word] += weight
    return weights


def _places(table: CatalogTable) -> Iterator[tuple[str, float]]:
    yield from ((word, _NAME) for word in words_of(table.qualified_name))
    yield from ((word, _COMMENT) for word in words_of(table.comment))
    for column in table.columns:
        yield from ((word, _COLUMN) for word in words_of(column.name))
        yield from ((word, _COMMENT) for word in words_of(column.comment))
        yield from ((word, _VALUE) for value in column.values for word in words_of(value))


@dataclass(slots=True, eq=False)
class TableIndexes:
    """Keeps the index of each catalog that was asked lately; for any thread.

    A catalog that was read anew has the same version as long as its structure is the same; what
    else it says, such as its comments and values, is brought up to date in the index that is kept.
    """

    _by_version: OrderedDict[str, TableIndex] = field(default_factory=OrderedDict[str, TableIndex])
    _lock: Lock = field(default_factory=Lock)

    def of(self, catalog: Catalog) -> TableIndex:
        """Return a catalog's index: a kept one, an earlier version's brought up to date, or new."""
        version = catalog.version
        with self._lock:
            known = self._by_version.get(version)
            if known is not None and known.is_up_to_date(catalog):
                self._by_version.move_to_end(version)
                return known
            # Taken out, so that nobody reads it while it changes.
            earlier = self._taken_out(catalog)
        index = earlier or TableIndex(catalog)
        if earlier is not None:
            earlier.update(catalog)
        with self._lock:
            self._by_version[version] = index
            if len(self._by_version) > _KEPT_INDEXES:
                self._by_version.popitem(last=False)
        return index

    def _taken_out(self, catalog: Catalog) -> TableIndex | None:
        same = catalog.version if catalog.version in self._by_version else None
        found = (v for v, index in self._by_version.items() if _is_of(index, catalog))
        earlier = same or next(found, None)
        return None if earlier is None else self._by_version.pop(earlier)


def _is_of(index: TableIndex, catalog: Catalog) -> bool:
    """Say whether an index has tables of the same names, in the same order."""
    return len(index.tables) == len(catalog.tables) and all(
        one.name == other.name and one.schema == other.schema
        for one, other in zip(index.tables, catalog.tables, strict=True)
    )


# What the prompt and the search tool share, so that a catalog is indexed once.
INDEXES = TableIndexes()


@dataclass(frozen=True, slots=True)
class TableRecall:
    """Finds what belongs into a turn."""

    indexes: TableIndexes = INDEXES

    async def recall(
        self,
        catalog: Catalog,
        question: str,
        *,
        certain: Iterable[str] = (),
        definitions: Definitions = NOTHING_DEFINED,
        at_most: int,
    ) -> tuple[CatalogTable, ...]:
        """Return the tables that belong into this turn, in the order of their names.

        The tables named in `certain` come first, then those that the question names by a word of
        the definitions; a catalog with few tables comes whole. The order does not depend on the
        question, so that like questions begin with like prompts.
        """
        if len(catalog.tables) <= at_most:
            return catalog.tables
        known = (catalog.table(name) for name in (*certain, *tables_meant(definitions, question)))
        named = {table.qualified_name: table for table in known if table}
        index = await self._index(catalog)
        for table in index.find(question, at_most=at_most) or catalog.tables[:at_most]:
            named.setdefault(table.qualified_name, table)
        chosen = list(named.values())[:at_most]
        return tuple(sorted(chosen, key=lambda table: table.qualified_name))

    async def _index(self, catalog: Catalog) -> TableIndex:
        if len(catalog.tables) > _INDEXED_AT_ONCE:
            # Its version alone takes long to compute, once; so does its index.
            return await asyncio.to_thread(self.indexes.of, catalog)
        return self.indexes.of(catalog)
