"""Which tables and columns a few words of a question can mean, and how well they fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adapters.models.offline.reading.keywords import is_glue_verb
from adapters.models.offline.reading.lemmas import related, singular, stem
from adapters.models.offline.reading.synonyms import opposite_of, same_phrase, synonyms
from adapters.models.offline.reading.tokens import Token, TokenKind
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.world.likeness import likeness
from adapters.models.offline.world.roles import money_columns, money_rank, worth_of
from adapters.models.offline.world.schema import Column, Schema, Table

LONGEST_NAME = 6
_INNER = frozenset({"of", "the"})
_GENERIC = words_in("generic")
_MONEY = words_in("money")
_ALSO_VERBS = words_in("noun_verbs")
_WORTHS = frozenset({("revenue",), ("turnover",), ("income",), ("earning",)})
_KIND_WORDS = {
    "time": ("date", "time", "day", "timestamp"),
    "text": ("name", "value"),
    "number": ("value", "number"),
}
_EXACT, _RELATED = 1.0, 0.9
_COMMENTED = 0.6
_NO_HEAD = 0.35
_WORST = 0.45


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """A table, or a column of it, with a score up to about 1.

    `inverse` columns run against the adjective that named them: the older, the earlier born.
    `total`: the name alone stands for the sum of all rows.
    """

    table: Table
    column: Column | None
    score: float
    inverse: bool = False
    total: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    table: Table
    column: Column | None
    needed: tuple[str, ...]
    allowed: tuple[str, ...]
    glued: str


class Lexicon:
    """Made once for a schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._by_word: dict[str, list[_Entry]] = {}
        self._by_glued: dict[str, list[_Entry]] = {}
        self._by_comment: dict[str, list[_Entry]] = {}
        for entry in _entries(schema):
            for word in {stem(word) for word in (*entry.needed, *entry.allowed)}:
                self._by_word.setdefault(word, []).append(entry)
            self._by_glued.setdefault(entry.glued, []).append(entry)
            for word in _comment_words(entry):
                self._by_comment.setdefault(word, []).append(entry)

    def meanings(self, tokens: Sequence[Token]) -> tuple[Meaning, ...]:
        """Return what these tokens, all of them, can name; the best first."""
        if not tokens or not _can_name(tokens):
            return ()
        if len(tokens) == 1 and tokens[0].lower in {"from", "to"}:
            return ()
        words = _normal(tuple(token.lemma for token in tokens if token.lower not in _INNER))
        if not words:
            return ()
        if any(token.lower == "of" for token in tokens) and self._ends_in_table(tokens):
            return ()
        # "museum opened" is a table and what happened to it, "age for visitors" a column and its
        # table: only names side by side, such as "pet age", are one name.
        own_only = len(words) < len(tokens) or _has_verb(tokens)
        scored = [
            Meaning(entry.table, entry.column, score)
            for entry in self._candidates(words)
            if (score := _score(words, entry, own_only=own_only)) >= _WORST
        ]
        if words[:1] in _WORTHS and len(words) == 1:
            # Revenue is a figure: rows that are called `sales` have some, and are none.
            scored = [m for m in scored if m.column is not None or set(words) & set(m.table.words)]
        scored += self._opposite(words)
        scored += self._worth(words)
        glued = "".join(token.lower for token in tokens[:-1]) + tokens[-1].lemma
        same = self._by_glued.get(glued, ()) or self._by_glued.get(glued.removesuffix("s"), ())
        scored += [Meaning(e.table, e.column, _EXACT) for e in same]
        return _best_of_each(scored) or self._commented(words)

    def _commented(self, words: Sequence[str]) -> tuple[Meaning, ...]:
        """Find columns whose makers use the word of them, where no name has it."""
        entries = self._by_comment.get(stem(words[0]), ()) if len(words) == 1 else ()
        return tuple(Meaning(e.table, e.column, _COMMENTED) for e in entries)

    def _worth(self, words: Sequence[str]) -> Iterator[Meaning]:
        """Find the columns of money for words such as `revenue`, whatever they are called."""
        if len(words) != 1 or words[0] not in _MONEY:
            return
        for table in self.schema.tables:
            columns = money_columns(table)
            # Net and gross amount are as likely as each other, whichever comes first.
            ranks = list(dict.fromkeys(money_rank(column) for column in columns))
            for column in columns:
                rank = ranks.index(money_rank(column))
                yield Meaning(table, column, 0.55 - 0.04 * min(rank, 4))

    def _opposite(self, words: Sequence[str]) -> Iterator[Meaning]:
        """Find yes-or-no columns that say the contrary: `closed` for `is_open`."""
        contrary = opposite_of(words[0]) if len(words) == 1 else None
        for entry in self._by_word.get(stem(contrary), ()) if contrary else ():
            column = entry.column
            if column is not None and column.is_boolean and entry.needed == (contrary,):
                yield Meaning(entry.table, column, _RELATED, inverse=True)

    def _ends_in_table(self, tokens: Sequence[Token]) -> bool:
        """Say whether the words after `of` name a table: then they are a phrase of their own."""
        at = max(at for at, token in enumerate(tokens) if token.lower == "of")
        words = _normal(tuple(t.lemma for t in tokens[at + 1 :] if t.lower not in _INNER))
        entries = self._by_word.get(stem(words[-1]), ()) if words else ()
        return any(entry.column is None and entry.needed == words for entry in entries)

    def _candidates(self, words: Sequence[str]) -> Iterator[_Entry]:
        """Return entries that share the first word or one that means the same."""
        seen = set[int]()
        first = words[0]
        for word in {stem(first), *(stem(other) for other in synonyms(first))}:
            for entry in self._matching(word):
                if id(entry) not in seen:
                    seen.add(id(entry))
                    yield entry

    def _matching(self, word: str) -> Iterator[_Entry]:
        yield from self._by_word.get(word, ())
        if len(word) >= 5:
            for other, entries in self._by_word.items():
                if other != word and related(other, word):
                    yield from entries


def _entries(schema: Schema) -> Iterator[_Entry]:
    for table in schema.tables:
        yield _Entry(table, None, _normal(table.words), (), _glue(table.name))
        worth = worth_of(table)
        for column in (*table.columns, *((worth,) if worth is not None else ())):
            needed, own = _normal(column.bare), (*column.words, *table.words)
            extra = (*own, *_kind_words(column))
            allowed = tuple(word for word in extra if word not in needed)
            yield _Entry(table, column, needed, allowed, _glue(column.name))


def _kind_words(column: Column) -> tuple[str, ...]:
    """Return words that may be said of a column for what it holds: `join date`, `city name`."""
    if column.is_key:
        return ()
    return _KIND_WORDS["time" if column.is_time else "text" if column.is_text else "number"]


def _comment_words(entry: _Entry) -> set[str]:
    """Return what a comment says in words that are long enough to mean something."""
    comment = entry.column.comment if entry.column is not None else ""
    words = re.findall(r"[a-z]{5,}", comment.lower())
    return {stem(singular(word)) for word in words} - {stem(word) for word in _GENERIC}


def _glue(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())


def _has_verb(tokens: Sequence[Token]) -> bool:
    first, last = tokens[0], tokens[-1]
    done = any(token.lower.endswith("ed") for token in (first, last))
    plural = len(tokens) > 1 and first.lower != first.lemma
    return done or (plural and (is_glue_verb(last.lower) or last.lower in _ALSO_VERBS))


def _can_name(tokens: Sequence[Token]) -> bool:
    ends = (tokens[0], tokens[-1])
    plain = all(token.kind is TokenKind.WORD and token.lower not in _INNER for token in ends)
    inner = tokens[1:-1]
    return plain and all(t.kind is TokenKind.WORD or t.lower in _INNER for t in inner)


@lru_cache(maxsize=20_000)
def _normal(words: tuple[str, ...]) -> tuple[str, ...]:
    """Write phrases such as `date of birth` and `phone number` in their plain form."""
    for size in (3, 2, 1):
        for at in range(len(words) - size + 1):
            plain = same_phrase(words[at : at + size])
            if plain is not None and plain != words[at : at + size]:
                return _normal((*words[:at], *plain, *words[at + size :]))
    return words


def _score(words: Sequence[str], entry: _Entry, *, own_only: bool) -> float:
    """Say how well words name an entry: each has to be found in it, and it should be covered."""
    needed = list(entry.needed)
    own = set(entry.column.words) if entry.column else set[str]()
    allowed = [word for word in entry.allowed if not own_only or word in own]
    quality = extra = 0.0
    for word in words:
        at, fit = _best_match(word, needed)
        if at is not None:
            needed.pop(at)
        else:
            at, fit = _best_match(word, allowed)
            if at is None:
                return 0.0
            if entry.column is not None and entry.column.is_boolean:
                return 0.0
            if word is words[-1] and allowed[at] in entry.table.words:
                # "pet age" is a column, "cited paper" is a paper: the last word is the head.
                return 0.0
            allowed.pop(at)
            extra += 0.04
        quality += fit
    if len(needed) == len(entry.needed):
        dated = entry.column is not None and entry.column.is_time and len(words) > 1
        return 0.6 if dated and set(words) & {"date", "time"} else 0.0
    covered = 1 - sum(map(_weight, needed)) / sum(map(_weight, entry.needed))
    if _is_other_figure(words, entry, needed):
        covered *= _NO_HEAD
    return quality / len(words) * (0.4 + 0.6 * covered) + extra


def _is_other_figure(words: Sequence[str], entry: _Entry, missing: Sequence[str]) -> bool:
    """Say whether a figure's last word is not said, which tells what it is: units are no cost."""
    head = entry.needed[-1]
    figure = entry.column is not None and entry.column.is_measure
    return figure and head in missing and head not in words and _weight(head) == 1.0


def _best_match(word: str, words: Sequence[str]) -> tuple[int | None, float]:
    best, fit = None, 0.0
    for at, other in enumerate(words):
        found = likeness(word, other)
        if found > fit:
            best, fit = at, found
    return best, fit


def _weight(word: str) -> float:
    return 0.4 if word in _GENERIC else 1.0


def _best_of_each(meanings: Sequence[Meaning]) -> tuple[Meaning, ...]:
    best: dict[tuple[str, str | None], Meaning] = {}
    for meaning in meanings:
        key = (meaning.table.name, meaning.column.name if meaning.column else None)
        if key not in best or best[key].score < meaning.score:
            best[key] = meaning
    return tuple(sorted(best.values(), key=lambda meaning: -meaning.score))
