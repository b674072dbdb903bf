"""Finds tables and columns by the words of a question.

BM25 over the words of names, comments and values. Names are taken apart (`order_items`,
`orderItems`), plurals count as their singular, abbreviations find the word that they shorten
(`qty` and `quantity`), and a few words of business find their synonyms at a lower weight.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A table that fits, with the columns that made it fit, best first."""

    table: CatalogTable
    columns: tuple[CatalogColumn, ...]
    score: float


def search_schema(catalog: Catalog, text: str, *, at_most: int) -> tuple[Hit, ...]:
    """Return the tables that fit a text, best first; none where no word of it is known."""
    index = _index_of(_Versioned(catalog.version, catalog))
    weights = index.known_words(text)
    scores = index.scores(weights)
    best = sorted(scores, key=lambda at: (-scores[at], at))[:at_most]
    return tuple(
        Hit(
            table=catalog.tables[at],
            columns=tuple(_columns_that_fit(catalog.tables[at], weights)),
            score=scores[at],
        )
        for at in best
    )


def words_of(text: str) -> list[str]:
    """Take names and sentences apart into folded singular words without accents."""
    spaced = _CAMEL.sub(" ", text)
    plain = unicodedata.normalize("NFKD", spaced.casefold())
    letters = "".join(each for each in plain if not unicodedata.combining(each))
    return [_singular(word) for word in re.findall(r"[^\W_]+", letters) if word not in _STOPWORDS]


# How BM25 is set: K says how fast repeated words stop counting, B how much length counts.
_K, _B = 1.2, 0.4
_NAME, _COLUMN, _COMMENT, _VALUE = 4, 2, 1, 1
_ABBREVIATED, _SYNONYM = 0.8, 0.5
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_STOPWORDS = {
    "a", "all", "an", "and", "are", "as", "at", "by", "do", "does", "for", "from", "give",
    "had", "has", "have", "how", "i", "in", "is", "it", "its", "list", "many", "me", "much",
    "my", "of", "on", "or", "our", "per", "show", "than", "that", "the", "their", "there",
    "these", "this", "to", "us", "was", "we", "were", "what", "when", "where", "which",
    "who", "with",
}  # fmt: skip
_SYNONYMS = (
    "revenue sale amount turnover total income price",
    "customer client buyer account user member",
    "order purchase transaction sale",
    "product item article good sku",
    "employee staff worker person",
    "salary wage pay compensation",
    "company firm organization business vendor supplier",
    "date day time month year created",
    "country nation region state city location place",
    "cost expense spend",
    "visit session view event",
    "cancel refund return churn",
    "category type class kind group segment",
)


@dataclass(frozen=True)
class _Versioned:
    """A catalog that is compared by its version alone."""

    version: str
    catalog: Catalog = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Index:
    """`postings`: for each word the tables that have it and how much it weighs there."""

    postings: Mapping[str, Mapping[int, float]]
    lengths: Sequence[float]

    def known_words(self, text: str) -> dict[str, float]:
        """Return the index's own words that the text means, each with its weight."""
        weights: dict[str, float] = {}
        for word in words_of(text):
            for meant, weight in self._meanings(word):
                weights[meant] = max(weight, weights.get(meant, 0.0))
        return weights

    def _meanings(self, word: str) -> Iterator[tuple[str, float]]:
        if word in self.postings:
            yield word, 1.0
        yield from ((known, _ABBREVIATED) for known in self.postings if _is_short_for(known, word))
        yield from (
            (other, _SYNONYM) for other in _synonyms().get(word, ()) if other in self.postings
        )

    def scores(self, weights: Mapping[str, float]) -> dict[int, float]:
        count = len(self.lengths)
        usual = sum(self.lengths) / max(count, 1)
        scores: dict[int, float] = defaultdict(float)
        for word, weight in weights.items():
            found = self.postings[word]
            rarity = math.log(1 + (count - len(found) + 0.5) / (len(found) + 0.5))
            for at, often in found.items():
                damped = often + _K * (1 - _B + _B * self.lengths[at] / usual)
                scores[at] += weight * rarity * often * (_K + 1) / damped
        return scores


@lru_cache(maxsize=8)
def _index_of(versioned: _Versioned) -> _Index:
    postings: dict[str, dict[int, float]] = defaultdict(dict)
    lengths: list[float] = []
    for at, table in enumerate(versioned.catalog.tables):
        counted = _weighed_words(table)
        for word, weight in counted.items():
            postings[word][at] = weight
        lengths.append(sum(counted.values()))
    return _Index(postings, lengths)


def _weighed_words(table: CatalogTable) -> Counter[str]:
    counted: Counter[str] = Counter()
    for weight, texts in _texts(table):
        for text in texts:
            for word in words_of(text):
                counted[word] += weight
    return counted


def _texts(table: CatalogTable) -> Iterator[tuple[int, Iterable[str]]]:
    yield _NAME, (table.qualified_name,)
    yield _COMMENT, (table.comment, *(column.comment for column in table.columns))
    yield _COLUMN, (column.name for column in table.columns)
    yield _VALUE, (value for column in table.columns for value in column.values)


def _columns_that_fit(table: CatalogTable, weights: Mapping[str, float]) -> Iterator[CatalogColumn]:
    def fit(column: CatalogColumn) -> float:
        named = sum(2 * weights.get(word, 0.0) for word in set(words_of(column.name)))
        said = {word for text in (column.comment, *column.values) for word in words_of(text)}
        return named + sum(weights.get(word, 0.0) for word in said)

    fitting = [(fit(column), column) for column in table.columns]
    best = sorted(fitting, key=lambda pair: -pair[0])
    yield from (column for score, column in best if score > 0)


@lru_cache(maxsize=1)
def _synonyms() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in _SYNONYMS:
        group = line.split()
        for word in group:
            found[word].update(each for each in group if each != word)
    return {word: frozenset(others) for word, others in found.items()}


def _is_short_for(one: str, other: str) -> bool:
    """Say whether one of two words shortens the other: `cust`, `qty`, `amt`, `desc`."""
    short, long = sorted((one, other), key=len)
    if not 2 <= len(short) <= len(long) - 2 or short[0] != long[0] or short.isdigit():
        return False
    if long.startswith(short):
        return len(short) >= 3
    return _without_vowels(short) == short and _is_subsequence(short, long) and len(short) >= 3


def _without_vowels(word: str) -> str:
    return word[0] + re.sub("[aeiou]", "", word[1:])


def _is_subsequence(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _singular(word: str) -> str:
    if len(word) < 4:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
