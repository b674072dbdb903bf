"""What is looked at on tokens: nesting before parsing, and every call in what was rendered.

The second check does not trust the tree: whatever a node is called, the name that stands before a
parenthesis in the text that will run has to be on the engine's list.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from sqlglot.tokens import Token, TokenType

from core.domain.query import Dialect
from core.sql.dialects.lists import words
from core.sql.verdict import Refused

MOST_TOKENS = 30_000
DEEPEST = 64
_LONGEST_CHAIN = 64

_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})
_OPERANDS = frozenset(
    {
        TokenType.VAR,
        TokenType.IDENTIFIER,
        TokenType.NUMBER,
        TokenType.STRING,
        TokenType.STAR,
        TokenType.DARROW,
        *_CLOSING,
    }
)


def check_tokens(tokens: Sequence[Token], dialect: Dialect) -> None:
    """Refuse what is nested too deeply to be parsed safely, and words of a second command.

    Raises:
        Refused
    """
    if len(tokens) > MOST_TOKENS:
        raise Refused(
            "size.tokens",
            f"The statement has {len(tokens):,} words and signs, more than {MOST_TOKENS:,}. "
            "Filter with a join or a condition instead of long lists.",
        )
    kinds = [token.token_type for token in tokens]
    _check_nesting(kinds)
    _check_chains(kinds)
    statements = words().statements
    before: TokenType | None = None
    for token in tokens:
        kind = token.token_type
        if before in _OPERANDS and kind not in _SIGNS and token.text.lower() in statements:
            raise _second_command(token.text)
        if kind in _WATCHED:
            _check_sign(token, before, dialect)
        before = kind


def _check_sign(token: Token, before: TokenType | None, dialect: Dialect) -> None:
    kind = token.token_type
    if kind is TokenType.DARROW and dialect is Dialect.SNOWFLAKE:
        raise _second_command("->>")
    if token.text == "$" and dialect is Dialect.SNOWFLAKE:
        return  # $1 is a column by its position; the rules refuse $name
    if kind is TokenType.L_BRACE:
        if dialect not in _HAS_BRACES:
            raise Refused("node", "Braces are not read in this dialect. Leave them out.")
        return
    if kind in _VARIABLES or (kind is TokenType.DAT and before not in _OPERANDS):
        raise Refused("variable", "Variables (@x, @@x) are not allowed. Write the value itself.")


def _check_nesting(kinds: Sequence[TokenType]) -> None:
    depth = 0
    for kind in kinds:
        if kind in _OPENING:
            depth += 1
            if depth > DEEPEST:
                raise _too_deep()
        elif kind in _CLOSING:
            depth -= 1


def _check_chains(kinds: Sequence[TokenType]) -> None:
    if sum(kind in _GOES_ON for kind in kinds) <= _LONGEST_CHAIN:
        return
    chain = 0
    for before, kind in pairwise(kinds):
        if kind in _GOES_ON:
            chain += kind is not TokenType.L_BRACKET or before is TokenType.R_BRACKET
        elif kind in _BEGINS_ANEW:
            chain = 0
        if chain > _LONGEST_CHAIN:
            raise _too_deep()


def _too_deep() -> Refused:
    return Refused(
        "size.depth",
        f"The statement is nested more than {DEEPEST} levels deep, or has more than "
        f"{_LONGEST_CHAIN} casts, fields or subscripts in a row. Use WITH to name its parts.",
    )


# What goes on from the value before it, and what begins another one.
_GOES_ON = frozenset(
    {
        TokenType.ARRAY,
        TokenType.ARROW,
        TokenType.COLLATE,
        TokenType.COLON,
        TokenType.DARROW,
        TokenType.DCOLON,
        TokenType.DOT,
        TokenType.ISNULL,
        TokenType.IS,
        TokenType.L_BRACKET,
        TokenType.NOTNULL,
        TokenType.STRUCT,
    }
)
_BEGINS_ANEW = frozenset(
    {
        TokenType.AND,
        TokenType.COMMA,
        TokenType.EQ,
        TokenType.FROM,
        TokenType.ON,
        TokenType.OR,
        TokenType.SELECT,
        TokenType.WHERE,
    }
)


_VARIABLES = frozenset({TokenType.PARAMETER, TokenType.SESSION_PARAMETER})
_WATCHED = _VARIABLES | {TokenType.DARROW, TokenType.DAT, TokenType.L_BRACE}
_HAS_BRACES = frozenset({Dialect.DUCKDB, Dialect.SNOWFLAKE})
# Kinds that are never the first word of a command, told apart before any text is looked at.
_SIGNS = frozenset(
    {
        TokenType.IDENTIFIER,
        TokenType.STRING,
        TokenType.NUMBER,
        TokenType.COMMA,
        TokenType.DOT,
        TokenType.EQ,
        TokenType.STAR,
        *_OPENING,
        *_CLOSING,
    }
)


def _second_command(word: str) -> Refused:
    return Refused(
        "one-statement",
        f"{word!r} stands where a second command would begin. Write one SELECT; a column or alias "
        "of that name needs quotes.",
    )


def check_calls(tokens: Sequence[Token], allowed: Collection[str], named: Collection[str]) -> None:
    """Refuse a rendered text that calls something that is not on the list.

    `named` are the names that the statement itself gives to columns of an alias, as in t(a, b).

    Raises:
        Refused
    """
    syntax = words().before_parenthesis
    before: Token | None = None
    for token in tokens:
        if token.token_type is TokenType.L_PAREN and before is not None:
            name = before.text.lower()
            is_word = name[:1].isalpha() or name[:1] == "_"
            if is_word and before.token_type is not TokenType.STRING:
                quoted = before.token_type is TokenType.IDENTIFIER
                is_syntax = not quoted and (name in syntax or " " in name)  # ORDER BY (
                if not (name in allowed or name in named or is_syntax):
                    raise not_allowed(name)
        before = token


def says_more(
    rendered: Sequence[Token], judged: Sequence[Token], allowed: Collection[str], *, most_rows: int
) -> bool:
    """Say whether a rendered text has words or signs of its own: a name, a literal, a clause.

    Not counted are the row cap, casts and joins in their long form, types, and functions, whose
    calls `check_calls` holds against the list anyway.
    """
    known = _texts(judged)
    new = _texts(rendered) - known
    if not new:
        return False
    folded = {text.lower() for text in known}
    types = words().types
    return any(
        text.lower() not in folded
        and text.lower() not in _SAYS_NOTHING
        and text.lower() not in types
        and text.lower() not in allowed
        and text != str(most_rows)
        for text in new
    )


def _texts(tokens: Sequence[Token]) -> set[str]:
    """Return what tokens say; a literal with a quote before it, for it must stay a literal."""
    literal = TokenType.STRING
    return {f"'{each.text}" if each.token_type is literal else each.text for each in tokens}


# Words that name nothing and begin nothing: whatever they join has to be there by itself.
_SAYS_NOTHING = frozenset(
    {
        "<>",
        "double precision",
        "and",
        "as",
        "asc",
        "between",
        "case",
        "cast",
        "cross",
        "current",
        "desc",
        "distinct",
        "else",
        "end",
        "fetch",
        "first",
        "in",
        "inner",
        "is",
        "join",
        "last",
        "left",
        "limit",
        "not",
        "null",
        "nulls",
        "offset",
        "on",
        "only",
        "or",
        "outer",
        "over",
        "row",
        "rows",
        "then",
        "top",
        "unbounded",
        "when",
        "where",
    }
)


def not_allowed(name: str) -> Refused:
    """Say that a function may not be called."""
    return Refused(
        "function",
        f"The function {name}() is not allowed: only the engine's own functions that read nothing "
        "but their arguments are. Use one of those.",
    )
