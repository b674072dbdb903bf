"""Text to tokens, tokens to one tree; whatever cannot be read is refused.

On text that is not SQL the parser raises more than its own errors (an IndexError, a
RecursionError), so whatever it raises is a refusal.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import ErrorLevel, ParseError
from sqlglot.tokens import Token, TokenType

from core.domain.query import Dialect
from core.sql.dialects.lists import kept_as_written
from core.sql.spellings import KEY_MARK, in_own_words, look_ups, odd_keys, without_mark
from core.sql.verdict import Refused

# It warns of statements that it cannot parse with their whole text, which may hold data.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text taken apart into the words and signs of a dialect."""

    text: str
    dialect: Dialect
    tokens: Sequence[Token]

    def tree(self) -> exp.Expr:
        """Return the one query that the text is.

        Raises:
            Refused: it cannot be parsed, is several statements, or is no query.
        """
        try:
            with self._respelled() as marked:
                trees = _grammar(self.dialect).parser().parse(list(self.tokens), self.text)
        except Exception as error:
            raise _unreadable(error, self.dialect) from error
        found = [each for each in trees if each is not None and type(each) is not exp.Semicolon]
        if len(found) != 1:
            raise Refused(
                "one-statement",
                f"Exactly one statement may run, and this is {len(found) or 'none'}. Write one "
                "SELECT, without a semicolon inside.",
            )
        if not isinstance(found[0], _QUERIES):
            raise Refused(
                "not-a-query",
                "Only a SELECT may run here, and no part of it may change or set anything.",
            )
        if marked:
            _unmark(found[0])
            without_mark(found[0])
        look_ups(found[0], self.dialect)
        return found[0]

    @contextmanager
    def _respelled(self) -> Generator[bool]:
        """Spell words as the parser needs them, and say whether there are such words."""
        names = [(token, token.text + _MARK) for token in self._kept_names()]
        keys = [(token, KEY_MARK + token.text) for token in odd_keys(self.tokens, self.dialect)]
        before = [(token, token.text) for token, _ in names + keys]
        _spell(names + keys)
        try:
            yield bool(before)
        finally:
            _spell(before)

    def _kept_names(self) -> Iterator[Token]:
        """Yield the names of calls that the parser would translate to another function."""
        kept = kept_as_written(self.dialect)
        before: Token | None = None
        name: Token | None = None
        for token in self.tokens:
            if token.token_type is TokenType.L_PAREN and name is not None:
                after = before.token_type if before is not None else None
                if after not in _AFTER_THESE_NO_CALL and name.text.lower() in kept:
                    yield name
            before, name = name, token


# A name with this sign after it is a function that the parser does not know, and lets alone. The
# sign cannot stand in a text: control characters are refused before.
_MARK = "\x01"
_AFTER_THESE_NO_CALL = frozenset(
    {
        TokenType.DOT,
        TokenType.STAR,  # SELECT * REPLACE (...)
        TokenType.VAR,
        TokenType.IDENTIFIER,
        TokenType.NUMBER,
        TokenType.STRING,
        TokenType.R_PAREN,
        TokenType.R_BRACKET,
    }
)


def _spell(words: Sequence[tuple[Token, str]]) -> None:
    for token, text in words:
        token.text = text


def _unmark(tree: exp.Expr) -> None:
    """Take the sign off again: off calls, and off aliases with columns that bear such a name."""
    for node in tree.walk():
        name = node.args.get("this")
        if isinstance(name, str) and name.endswith(_MARK):
            node.set("this", name.rstrip(_MARK))


# What a dialect cannot express must not be left out in silence.
_RAISE = ErrorLevel.RAISE
_QUERIES = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values, exp.Pivot)


def read(text: str, dialect: Dialect) -> Reading:
    """Take a text apart.

    Raises:
        Refused: a literal or a comment never ends, or a sign is unknown.
    """
    try:
        return Reading(text, dialect, _grammar(dialect).tokenize(text))
    except Exception as error:
        raise _unreadable(error, dialect) from error


@lru_cache(maxsize=64)
def tree_of(text: str, dialect: Dialect) -> exp.Expr:
    """Return the query that a text is. All who ask lately share the tree: nobody may change it.

    Raises:
        Refused: as `read` and `Reading.tree` do.
    """
    return read(text, dialect).tree()


def render(tree: exp.Expr, dialect: Dialect) -> str:
    """Write a checked tree as text; the tree is used up.

    Raises:
        Refused: it is nested too deeply, or has a form that the dialect does not.
    """
    try:
        grammar = _grammar(dialect)
        own = in_own_words(tree, dialect)
        return grammar.generate(own, copy=False, comments=False, unsupported_level=_RAISE)
    except Exception as error:
        raise Refused(
            "rendering",
            f"This cannot be written in {dialect} SQL. Use a simpler form of it.",
        ) from error


def _grammar(dialect: Dialect) -> Grammar:
    found = _GRAMMARS.get(dialect)
    if found is None:
        found = _GRAMMARS[dialect] = Grammar.get_or_raise(dialect)
    return found


_GRAMMARS: dict[Dialect, Grammar] = {}


def _unreadable(error: Exception, dialect: Dialect) -> Refused:
    where = ""
    if isinstance(error, ParseError) and error.errors:
        first = error.errors[0]
        near = str(first.get("highlight") or "").strip()
        where = f" near {near[:40]!r} (line {first.get('line')}, column {first.get('col')})"
    if isinstance(error, RecursionError):
        return Refused("size.depth", "The statement is nested too deeply. Use WITH for its parts.")
    return Refused(
        "syntax",
        f"This is not one {dialect} query that can be read{where}. Check the spelling, the "
        f"parentheses and the quotes, and write {dialect} SQL.",
    )
