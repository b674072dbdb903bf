"""Which columns hold a value that a question names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from adapters.models.offline.reading.lemmas import singular, stem
from adapters.models.offline.reading.tokens import Token, TokenKind
from adapters.models.offline.world.places import names_of
from adapters.models.offline.world.schema import Column, Schema

LONGEST_VALUE = 8
_WORDS = re.compile(r"\w+")
_EXACT, _ANY_CASE, _PLURAL, _OTHER_NAME, _SAME_STEM, _PART = 1.0, 0.97, 0.9, 0.85, 0.8, 0.7
_SEXES = {
    "female": "f", "woman": "f", "girl": "f", "lady": "f", "male": "m", "man": "m", "boy": "m",
}  # fmt: skip


LookedUp = tuple[Column, str, Sequence[str]]  # a column, words, and the values that have them


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A value as the column holds it; `sure` is how well the words name it, up to 1.

    `part` says that values of the column only contain it.
    """

    column: Column
    value: str
    sure: float
    part: bool = False


class ValueIndex:
    """Values by their words; what was looked up later is added with `extended`."""

    def __init__(self, schema: Schema, looked_up: Iterable[LookedUp] = ()) -> None:
        self._schema = schema
        self._by_words: dict[str, list[Found]] = {}
        self._by_stem: dict[str, list[Found]] = {}
        for column in _columns(schema):
            self._add(column, column.values)
        for column, words, values in looked_up:
            self._add(column, values)
            self._add_part(column, words, values)

    def extended(self, looked_up: Iterable[LookedUp]) -> ValueIndex:
        """Return an index that holds these values too."""
        return ValueIndex(self._schema, looked_up)

    def _add(self, column: Column, values: Iterable[str]) -> None:
        for value in values:
            key = _key(_WORDS.findall(value.replace("_", " ")))
            found = self._by_words.setdefault(key, [])
            if key and not any(f.column is column and f.value == value for f in found):
                found.append(Found(column, value, _EXACT))
                if " " not in key and key.isalpha() and len(key) > 4:
                    self._by_stem.setdefault(stem(singular(key)), []).append(found[-1])

    def _add_part(self, column: Column, words: str, values: Sequence[str]) -> None:
        """Let words stand for the values that only contain them."""
        key = _key(_WORDS.findall(words))
        if key and values and not any(f.column is column for f in self._by_words.get(key, ())):
            self._by_words.setdefault(key, []).append(Found(column, words, _PART, part=True))

    def find(self, tokens: Sequence[Token]) -> tuple[Found, ...]:
        """Return the values that these tokens name, all of them; the surest first."""
        if not tokens or any(token.kind is TokenKind.MARK for token in (tokens[0], tokens[-1])):
            return ()
        text = " ".join(token.text for token in tokens)
        quoted = tokens[0].kind is TokenKind.QUOTED
        words = _WORDS.findall(text.replace("_", " "))
        if not words or (not quoted and _too_short(words)):
            return ()
        found = list(self._found(words, text))
        return tuple(sorted(found, key=lambda each: -each.sure))

    def _found(self, words: Sequence[str], text: str) -> Iterator[Found]:
        key = _key(words)
        yield from (
            _as_written(each, text) for each in self._by_words.get(key, ()) if _fits(each, text)
        )
        if len(words) == 1 and len(words[0]) > 4 and key not in self._by_words:
            same = self._by_stem.get(stem(singular(words[0].lower())), ())
            yield from (replace(each, sure=_SAME_STEM) for each in same)
        alone = _key((*words[:-1], singular(words[-1].lower())))
        if alone != key:
            yield from (replace(each, sure=_PLURAL) for each in self._by_words.get(alone, ()))
        for name in names_of(" ".join(words).lower()):
            others = self._by_words.get(_key(_WORDS.findall(name)), ())
            yield from (replace(each, sure=_OTHER_NAME) for each in others)
        yield from self._of_sex(" ".join(words).lower())

    def _of_sex(self, word: str) -> Iterator[Found]:
        letter = _SEXES.get(singular(word))
        for each in self._by_words.get(letter or "", ()):
            if set(each.column.words) & {"sex", "gender"}:
                yield replace(each, sure=_OTHER_NAME)


def _fits(found: Found, text: str) -> bool:
    """Say whether a value is meant: a code such as `IN` only where it is written like one."""
    return found.part or found.value == text or not _is_code(found.value)


def _as_written(found: Found, text: str) -> Found:
    if found.part:
        return found
    return replace(found, sure=_EXACT if found.value == text else _ANY_CASE)


def _columns(schema: Schema) -> Iterator[Column]:
    for table in schema.tables:
        for column in table.columns:
            if column.values and not column.is_boolean and not column.is_time:
                yield column


def _key(words: Sequence[str]) -> str:
    return " ".join(word.lower() for word in words)


def _is_code(value: str) -> bool:
    """Say whether a value is short enough to be taken for a word by accident."""
    return len(value) <= 3 and value.upper() == value


def _too_short(words: Sequence[str]) -> bool:
    return len(words) == 1 and len(words[0]) == 1 and words[0].islower()
