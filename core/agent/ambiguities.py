"""Words of a question that the schema gives two meanings: two figures, two tables, two columns.

Only what would change the figures, and only where nothing else in the question tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.agent.intent import Ambiguity
from core.domain.catalog import CatalogColumn, CatalogTable
from core.domain.table import ColumnKind
from core.memory.words import asked_words, words_of

_MOST_OPTIONS = 5
_LONGEST_VALUE = 3  # words
_SHORTEST_VALUE = 3  # letters


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a word may mean: a table or a column, and the words of its name."""

    table: CatalogTable
    name: str
    words: tuple[str, ...]


def found_in(question: str, tables: Sequence[CatalogTable]) -> tuple[Ambiguity, ...]:
    """Return what these tables leave open in a question."""
    said = words_of(question)
    open_ = [*_of_values(question, said, tables)]
    for word in asked_words(question):
        meant = _figures(word, tables) or _tables(word, tables)
        left = _told_apart(meant, said, by=word)
        if len(left) > 1:
            open_.append(_ambiguity(f"What does {word!r} mean here?", left))
    return tuple(open_)


@lru_cache(maxsize=20_000)
def _words(name: str) -> tuple[str, ...]:
    return tuple(words_of(name))


def _figures(word: str, tables: Sequence[CatalogTable]) -> list[_Meaning]:
    """Return the measures that are some kind of the word: list price and unit price of a price."""
    columns = [(table, column) for table in tables for column in table.columns]
    named = [_Meaning(table, each.name, _words(each.name)) for table, each in columns]
    if any(each.words == (word,) for each in named):
        return []
    return [
        meaning
        for meaning, (table, column) in zip(named, columns, strict=True)
        if meaning.words[-1:] == (word,) and _is_figure(column, table)
    ]


def _is_figure(column: CatalogColumn, table: CatalogTable) -> bool:
    is_key = any(column.name in key.columns for key in table.foreign_keys)
    return column.kind is ColumnKind.MEASURE and not is_key and not column.masked


def _tables(word: str, tables: Sequence[CatalogTable]) -> list[_Meaning]:
    named = [_Meaning(table, table.name, _words(table.name)) for table in tables]
    if any(each.words == (word,) for each in named):
        return []
    if any(_words(column.name) == (word,) for table in tables for column in table.columns):
        return []
    return [each for each in named if word in each.words]


def _of_values(
    question: str, said: Sequence[str], tables: Sequence[CatalogTable]
) -> Iterator[Ambiguity]:
    """Return the values that stand in several columns, of which the question names none."""
    phrases = set(_phrases(question))
    names = {word for table in tables for word in _words(table.name)}
    places: dict[str, list[_Meaning]] = {}
    for table in tables:
        for column in table.columns:
            for value in column.values:
                if value.casefold() in phrases and not set(words_of(value)) <= names:
                    meaning = _Meaning(table, column.name, _words(column.name))
                    places.setdefault(value, []).append(meaning)
    for value, meant in places.items():
        left = _told_apart(meant, said, by="")
        if len(left) > 1:
            yield _ambiguity(f"{value!r} stands in several columns. Which one do you mean?", left)


def _phrases(question: str) -> Iterator[str]:
    words = "".join(sign if sign.isalnum() else " " for sign in question.casefold()).split()
    for length in range(1, _LONGEST_VALUE + 1):
        for at in range(len(words) - length + 1):
            phrase = " ".join(words[at : at + length])
            if len(phrase) >= _SHORTEST_VALUE and not phrase.isdigit():
                yield phrase


def _told_apart(meant: Sequence[_Meaning], said: Sequence[str], *, by: str) -> list[_Meaning]:
    """Return the meanings that are left once the question's other words have been heard."""
    named = [each for each in meant if set(each.words) - {by} and set(each.words) <= set(said)]
    if named:
        return named[:1]
    in_named = [each for each in meant if _is_named(each.table, said)]
    return in_named or list(meant)


def _is_named(table: CatalogTable, said: Sequence[str]) -> bool:
    return set(_words(table.name)) <= set(said)


def _ambiguity(question: str, meant: Sequence[_Meaning]) -> Ambiguity:
    plain = [each.name.replace("_", " ") for each in meant]
    options = [
        f"{name} of {each.table.name.replace('_', ' ')}" if plain.count(name) > 1 else name
        for name, each in zip(plain, meant, strict=True)
    ]
    return Ambiguity(question=question, options=tuple(dict.fromkeys(options))[:_MOST_OPTIONS])
