"""Where the parser reads or writes an engine's spelling as something else, and how that is mended.

- DuckDB and later SQLite take `payload ->> 'a.b'` for the one key "a.b", the parser for a path.
- DuckDB's `payload -> 'a'` as an argument is a look-up unless the function takes a lambda; the
  parser takes every such arrow for a lambda.
- `x REGEXP 'y'` is a function to the parser that MariaDB does not have; RLIKE is known to all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from core.domain.query import Dialect

# Keys


def odd_keys(tokens: Sequence[Token], dialect: Dialect) -> Iterator[Token]:
    """Yield the keys behind arrows that the parser would take apart at a sign in them."""
    if dialect not in _KEYS_ARE_WHOLE:
        return
    before: Token | None = None
    for token in tokens:
        arrow = before is not None and before.token_type in _ARROWS
        if arrow and token.token_type is TokenType.STRING and _ODD_KEY.fullmatch(token.text):
            yield token
        before = token


def without_mark(tree: exp.Expr) -> None:
    """Take the mark off the keys again, that kept the parser from taking them apart."""
    for found in tree.find_all(exp.JSONExtract, exp.JSONExtractScalar):
        key = found.args.get("expression")
        if isinstance(key, exp.Literal):
            key.set("this", key.name.removeprefix(KEY_MARK))


# The parser knows no path that begins so; no text does, for it may hold no control characters.
KEY_MARK = "-\x01"
_KEYS_ARE_WHOLE = frozenset({Dialect.SQLITE, Dialect.DUCKDB})
_ARROWS = frozenset({TokenType.ARROW, TokenType.DARROW})
_ODD_KEY = re.compile(r"(?=.*\W)[^$/].*", re.DOTALL)

# Arrows


def look_ups(tree: exp.Expr, dialect: Dialect) -> None:
    """Put a look-up in the place of what the engine does not take for a lambda."""
    if dialect is not Dialect.DUCKDB:
        return
    for found in list(tree.find_all(exp.Lambda)):
        if len(found.expressions) == 1 and not _takes_lambda(found.parent):
            found.replace(_look_up(exp.Column(this=found.expressions[0].copy()), found.this))


def _look_up(column: exp.Column, keys: exp.Expr) -> exp.Expr:
    """Read the first key in the column, and the further ones in what comes of it."""
    first = keys
    while isinstance(first, exp.JSONExtract | exp.JSONExtractScalar):
        first = first.this
    if first is keys:
        return exp.JSONExtract(this=column, expression=keys)
    first.replace(exp.JSONExtract(this=column, expression=first.copy()))
    return keys


def _takes_lambda(call: exp.Expr | None) -> bool:
    if isinstance(call, exp.Anonymous):
        return call.name.lower() in _LAMBDA_NAMES
    return isinstance(call, exp.Transform | exp.ArrayFilter | exp.Reduce | exp.Columns)


_LAMBDA_NAMES = frozenset(
    {
        "apply",
        "array_apply",
        "array_filter",
        "array_reduce",
        "array_transform",
        "filter",
        "list_apply",
        "list_filter",
        "list_reduce",
        "list_transform",
        "reduce",
    }
)

# Patterns


def in_own_words(tree: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Write patterns with RLIKE; the tree is changed."""
    if dialect is not Dialect.MYSQL:
        return tree
    for found in list(tree.find_all(exp.RegexpLike)):
        if not found.args.get("flag"):
            inside = isinstance(found.parent, exp.Paren)
            written = _rlike(found.this, found.args["expression"])
            found.replace(written if inside else exp.Paren(this=written))
    return tree


def _rlike(text: exp.Expr, pattern: exp.Expr) -> exp.Expr:
    # The parser has no class for it; this one writes its two sides with a blank between them.
    left = exp.Introducer(this=_closed(text), expression=exp.var("RLIKE"))
    return exp.Introducer(this=left, expression=_closed(pattern))


def _closed(side: exp.Expr) -> exp.Expr:
    loose = isinstance(side, exp.Binary | exp.Not | exp.Between | exp.In)
    return exp.Paren(this=side) if loose else side
