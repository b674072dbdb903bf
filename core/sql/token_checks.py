"""What is looked at on tokens: nesting before parsing, and every call in what was rendered.

The second check does not trust the tree: whatever a node is called, the name that stands before a
parenthesis in the text that will run has to be on the engine's list.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlglot.tokens import Token, TokenType

from core.domain.query import Dialect
from core.sql.dialects.lists import words
from core.sql.verdict import Refused

MOST_TOKENS = 30_000
DEEPEST = 64
_MOST_SUBSCRIPTS = 16

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
    _check_depth(tokens)
    before: TokenType | None = None
    for token in tokens:
        kind = token.token_type
        if kind is TokenType.DARROW and dialect is Dialect.SNOWFLAKE:
            raise _second_command("->>")
        if kind in _VARIABLES or (kind is TokenType.DAT and before not in _OPERANDS):
            raise Refused(
                "variable", "Variables (@x, @@x) are not allowed. Write the value itself."
            )
        if before in _OPERANDS and kind not in _QUOTED and _begins_command(token):
            raise _second_command(token.text)
        before = kind


def _check_depth(tokens: Sequence[Token]) -> None:
    depth = chain = 0
    before: TokenType | None = None
    for token in tokens:
        kind = token.token_type
        if kind in _OPENING:
            depth += 1
            chain += before is TokenType.R_BRACKET
            if depth > DEEPEST or chain > _MOST_SUBSCRIPTS:
                raise Refused(
                    "size.depth",
                    f"The statement is nested more than {DEEPEST} levels deep, or has more than "
                    f"{_MOST_SUBSCRIPTS} subscripts in a row. Use WITH to name its parts.",
                )
        elif kind in _CLOSING:
            depth -= 1
        elif before is TokenType.R_BRACKET:
            chain = 0
        before = kind


def _begins_command(token: Token) -> bool:
    return token.text.lower() in words().statements


_VARIABLES = frozenset({TokenType.PARAMETER, TokenType.SESSION_PARAMETER})
_QUOTED = frozenset({TokenType.IDENTIFIER, TokenType.STRING})


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


def not_allowed(name: str) -> Refused:
    """Say that a function may not be called."""
    return Refused(
        "function",
        f"The function {name}() is not allowed: only the engine's own functions that read nothing "
        "but their arguments are. Use one of those.",
    )
