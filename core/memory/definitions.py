"""Which definitions belong into a turn, by the words of its question, and how they are told."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from core.domain.definitions import (
    Definition,
    Definitions,
    Join,
    Metric,
    Named,
    Synonym,
    Term,
    names_of,
)
from core.memory.cards import plain
from core.memory.words import asked_words, synonyms_of, words_of

MOST_CHARS = 3_000  # about 750 tokens
_LONGEST_MEANING = 300
_RANKING = frozenset({"top", "best", "worst", "bottom", "biggest", "largest", "leading", "rank"})
_JOINING = frozenset({"of", "the", "a", "an", "by", "in", "per", "for", "and"})


def relevant(
    definitions: Definitions, questions: Sequence[str], *, tables: Collection[str] = ()
) -> Definitions:
    """Return the definitions that one of the questions speaks of, by their name or another word.

    A metric that ranks rows belongs to a ranking that does not say by what; a join to tables that
    the questions are about, which `tables` are and those of what else is relevant. What is asked
    in the very words of a definition comes before what is only like it, and as much as
    `MOST_CHARS` hold is kept.
    """
    if not definitions:
        return definitions
    weights: dict[int, tuple[int, Named]] = {}
    vocabulary = _vocabulary(definitions)
    for asked in map(_Asked, questions):
        for named in vocabulary.near(asked):
            weight = max(asked.fit(named), weights.get(id(named), (0, named))[0])
            weights[id(named)] = weight, named
    weighed = _best_first([*weights.values()])
    found: list[Definition] = [named for weight, named in weighed if weight > 0]
    meant = {table for each in found for table in each.tables}
    found += [
        join
        for join in definitions.joins
        if meant & set(join.tables) or set(join.tables) <= set(tables)
    ]
    return Definitions.of(list(_within(found)))


def tables_meant(definitions: Definitions, text: str) -> tuple[str, ...]:
    """Return the tables that a text names by the words of definitions, each once."""
    if not definitions:
        return ()
    asked = _Asked(text)
    meant = (each for each in _vocabulary(definitions).near(asked) if asked.fit(each) >= _SAID)
    return tuple(dict.fromkeys(table for each in meant for table in each.tables))


def spelled_out(definitions: Definitions, text: str) -> str:
    """Return a text followed by the names of the schema that its words stand for."""
    if not definitions:
        return text
    asked = _Asked(text)
    meant = [each for each in _vocabulary(definitions).near(asked) if asked.fit(each) >= _SAID]
    names = [each.target if isinstance(each, Synonym) else " ".join(each.tables) for each in meant]
    return " ".join((text, *names))


def is_named(definition: Definition, text: str) -> bool:
    """Say whether a text has a definition's name, or another word for it."""
    return _Asked(text).fit(definition) >= _SAID


def written(definitions: Definitions) -> str:
    """Return definitions as lines of JSON, in an order that does not depend on the question."""
    return "\n".join(map(_line, definitions))


_SAID, _LIKE = 2, 1


class _Asked:
    """The words of one question; `like` are all that a name can begin with that it speaks of."""

    def __init__(self, question: str) -> None:
        # In small letters, so that VIPs are no name in two parts.
        self._words = tuple(words_of(question.casefold()))
        self._own = frozenset(asked_words(question.casefold()))
        self._like = frozenset(other for word in self._own for other in (word, *synonyms_of(word)))
        self.like = self._like | frozenset(self._words)

    def fit(self, definition: Definition) -> int:
        if isinstance(definition, Metric) and self._ranks_by(definition):
            return _SAID
        fits = [self._fit_of(_words(name)) for name in names_of(definition)]
        return max(fits, default=0)

    def _fit_of(self, words: Sequence[str]) -> int:
        size = len(words)
        if size and any(
            self._words[at : at + size] == tuple(words) for at in range(len(self._words) - size + 1)
        ):
            return _SAID
        telling = set(words) - _JOINING
        # One word that is only like another says too little: revenue is like price.
        return _LIKE if len(telling) > 1 and telling <= self._like and telling & self._own else 0

    def _ranks_by(self, metric: Metric) -> bool:
        if not _RANKING & set(self._words):
            return False
        return any(set(words_of(table.rpartition(".")[2])) <= self._own for table in metric.ranks)


class _Vocabulary:
    """Definitions by a word that a question has to have, so that few of many are looked at."""

    def __init__(self, definitions: Definitions) -> None:
        self._by_word: dict[str, list[Named]] = {}
        self._ranking = [each for each in definitions.metrics if each.ranks]
        for each in definitions.named:
            for name in names_of(each):
                words = _words(name)
                first = [word for word in words if word not in _JOINING][:1] or words[:1]
                for word in first:
                    self._by_word.setdefault(word, []).append(each)

    def near(self, asked: _Asked) -> list[Named]:
        """Return what a question may speak of, each once, in the order of the names."""
        near = [each for word in asked.like for each in self._by_word.get(word, ())]
        once = {id(each): each for each in (*near, *self._ranking)}
        return sorted(once.values(), key=lambda each: (each.name.casefold(), each.place))


def _vocabulary(definitions: Definitions) -> _Vocabulary:
    """Return the words of definitions, made once for those that were asked for lately."""
    known = _KNOWN.get(id(definitions))
    if known is None:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        # The definitions are kept beside their words, so that no other ones get their id meanwhile.
        known = _KNOWN[id(definitions)] = definitions, _Vocabulary(definitions)
    return known[1]


_MOST_KNOWN = 64
_KNOWN: dict[int, tuple[Definitions, _Vocabulary]] = {}


@lru_cache(maxsize=20_000)
def _words(name: str) -> tuple[str, ...]:
    return tuple(words_of(name.casefold()))


def _best_first(weighed: Sequence[tuple[int, Named]]) -> list[tuple[int, Named]]:
    return sorted(weighed, key=lambda each: (-each[0], each[1].name.casefold()))


def _within(found: Sequence[Definition]) -> Iterator[Definition]:
    left = MOST_CHARS
    for each in found:
        left -= len(_line(each)) + 1
        if left < 0:
            return
        yield each


def _line(definition: Definition) -> str:
    fields = {name: value for name, value in _fields(definition) if value}
    return json.dumps(fields, ensure_ascii=False, separators=(", ", ": "))


def _fields(definition: Definition) -> Iterator[tuple[str, str | list[str]]]:
    match definition:
        case Metric():
            yield "metric", plain(definition.name)
            yield "expression", definition.expression
            yield "table", definition.table
            yield "filters", list(definition.conditions)
            yield "date", definition.date
            yield "grain", plain(definition.grain)
            yield "unit", plain(definition.unit)
            yield "ranks", list(definition.ranks)
        case Term():
            yield "term", plain(definition.name)
            yield "table", definition.table
            yield "filter", definition.condition
        case Synonym():
            yield "word", plain(definition.name)
            yield "means", definition.target
        case Join():
            yield "join", definition.name
            return
    yield "also", [plain(each) for each in definition.also]
    yield "meaning", plain(definition.meaning)[:_LONGEST_MEANING]
