"""Text to tokens, tokens to one tree; whatever cannot be read is refused.

On text that is not SQL the parser raises more than its own errors (an IndexError, a
RecursionError), so whatever it raises is a refusal.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import ErrorLevel, ParseError
from sqlglot.tokens import Token

from core.domain.query import Dialect
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
        return found[0]


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


def render(tree: exp.Expr, dialect: Dialect) -> str:
    """Write a checked tree as text; the tree is used up.

    Raises:
        Refused: it is nested too deeply, or has a form that the dialect does not.
    """
    try:
        grammar = _grammar(dialect)
        return grammar.generate(tree, copy=False, comments=False, unsupported_level=_RAISE)
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
