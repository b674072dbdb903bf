"""Writes out what a list leaves out: `first and last name` is `first name and last name`."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.models.offline.reading.tokens import Token, TokenKind
from adapters.models.offline.world.lexicon import Lexicon

_WHOLE = 0.95
_JOINING = frozenset({"and", "or"})


def expanded(tokens: Sequence[Token], lexicon: Lexicon) -> tuple[Token, ...]:
    """Give each of two adjectives its noun, and say `miles per gallon (mpg)` in the short word."""
    tokens = _shortened(tokens, lexicon)
    found: list[Token] = []
    for at, token in enumerate(tokens):
        found.append(token)
        noun = _shared_noun(tokens, at, lexicon)
        if noun is not None:
            found.append(noun)
    return tuple(found)


def _shortened(tokens: Sequence[Token], lexicon: Lexicon) -> Sequence[Token]:
    """Replace words whose initials stand in brackets behind them, where those name a column."""
    for at in range(2, len(tokens) - 2):
        opens, short, closes = tokens[at : at + 3]
        initials = short.lower
        start = at - len(initials)
        if opens.text != "(" or closes.text != ")" or start < 0 or len(initials) < 2:
            continue
        said = "".join(token.lower[:1] for token in tokens[start:at])
        if said == initials and _names(lexicon, short):
            return [*tokens[:start], short, *_shortened(tokens[at + 3 :], lexicon)]
    return tokens


def _shared_noun(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> Token | None:
    group = tokens[at : at + 4]
    if len(group) < 4 or group[1].lower not in _JOINING:
        return None
    first, _, second, noun = group
    if any(each.kind is not TokenKind.WORD for each in (first, second, noun)):
        return None
    whole = _names(lexicon, first, noun) and _names(lexicon, second, noun)
    return noun if whole and not _names(lexicon, first) else None


def _names(lexicon: Lexicon, *tokens: Token) -> bool:
    """Say whether words name a column by all of its own words."""
    meanings = lexicon.meanings(tokens)
    words = {token.lemma for token in tokens}
    return any(
        m.column is not None and m.score >= _WHOLE and words <= set(m.column.words)
        for m in meanings
    )
