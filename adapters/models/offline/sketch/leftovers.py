"""Decides what becomes of phrases that no rule has read."""

from __future__ import annotations

from dataclasses import replace

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.cursor import is_filler
from adapters.models.offline.sketch.reader import Reader, is_name, is_participle
from adapters.models.offline.sketch.sketch import Mention
from adapters.models.offline.world.roles import money_columns

# Words that may be passed over; any other word that shapes a question has to be understood.
_HARMLESS = frozenset(
    {
        Role.FILL, Role.BE, Role.DO, Role.HAVE, Role.ALL, Role.OF, Role.AND, Role.COMMA, Role.OPEN,
        Role.CLOSE, Role.PREPOSITION, Role.RELATIVE, Role.ASK, Role.WHICH, Role.THAN, Role.TO,
        Role.BUT, Role.DETAILS, Role.DISTINCT, Role.POSSESSIVE, Role.ONLY, Role.CHART, Role.WHOSE,
    }
)  # fmt: skip
_TRAILING = frozenset({"overall", "altogether", "combined", "total", "in total"})
_COMPARING = words_in("comparing_verbs")
_FIGURES = frozenset({"rate", "rates", "score", "scores", "ratio", "index"})
_BEFORE_NOUNS = frozenset({"a", "an", "the", "their", "its", "his", "her", "whose"})
_TRADED = frozenset({"sold", "bought", "purchased", "ordered"})
_TRADES = words_in("trades")
_OUTCOMES = words_in("outcomes")
_VERB_ENDS = ("ed", "ing")


def pass_over(r: Reader) -> None:
    """Leave a phrase that no rule reads; words that may matter are remembered."""
    chunk = r.cursor.take()
    if chunk.text.lower() in _TRADED and r.event is None:
        r.event = _trade(r)
    before = r.cursor.peek(-2)
    if _claims(chunk, before) or _is_noun(chunk, before) or _describes(r, chunk, before):
        r.sketch.unexplained.append(chunk.text)
    elif _says_nothing(chunk) or _holds_so_many(r, chunk):
        return
    elif _only_joins(chunk):
        r.sketch.verbs.append(chunk.text)
    else:
        r.sketch.unexplained.append(chunk.text)


def _holds_so_many(r: Reader, chunk: Chunk) -> bool:
    """Say whether `contain more than 5 lines` compares how many there are, and no text."""
    keyword, follows = chunk.role(Role.MATCH), r.cursor.peek()
    if keyword is None or keyword.argument != "contains" or follows is None:
        return False
    return follows.number is not None or follows.role(Role.COMPARE) is not None


def _trade(r: Reader) -> Mention | None:
    """Return the rows that say when a thing was sold: they belong to it and have an amount."""
    if r.sketch.subject is None:
        return None
    belonging = r.belonging_to(r.sketch.subject)
    money = tuple(m for m in belonging.meanings if money_columns(m.table))
    named = tuple(m for m in belonging.meanings if _TRADES & set(m.table.words))
    sales = money if len(money) == 1 else named
    return replace(belonging, meanings=sales) if len(sales) == 1 else None


def _is_noun(chunk: Chunk, before: Chunk | None) -> bool:
    """Say whether a word that may be a verb is a noun here: something has it, or it is one."""
    token = chunk.tokens[0]
    plain = chunk.is_glue and not token.lower.endswith(_VERB_ENDS)
    return plain and before is not None and before.text.lower().split()[-1] in _BEFORE_NOUNS


def _describes(r: Reader, chunk: Chunk, before: Chunk | None) -> bool:
    """Say whether a word tells which rows are meant: `recurring revenue`, `that are open`."""
    follows, word = r.cursor.peek(), chunk.text.lower()
    behind_name = before is not None and is_name(before) and not before.role(Role.GRAIN)
    if word.endswith("ing") and not chunk.keywords and is_name(follows) and not behind_name:
        return before is None or before.role(Role.PREPOSITION) is None
    last = follows is None or follows.ends
    if word in _OUTCOMES and before is not None:
        return bool(before.role(Role.BE)) or is_name(follows)
    state = chunk.is_glue and not word.endswith(_VERB_ENDS) and not is_participle(chunk)
    return state and last and before is not None and before.role(Role.BE) is not None


def _claims(chunk: Chunk, before: Chunk | None) -> bool:
    """Say whether a verb compares (`missed their target`), or a noun asks for a figure."""
    word = chunk.text.lower()
    return word in _COMPARING or (word in _FIGURES and before is not None and is_name(before))


def _says_nothing(chunk: Chunk) -> bool:
    if all(not token.text[:1].isalnum() for token in chunk.tokens):
        return True
    plain = is_filler(chunk) or bool(chunk.keywords) or chunk.is_glue
    return plain and not _shapes(chunk)


def _shapes(chunk: Chunk) -> bool:
    if chunk.text.lower() in _TRAILING:
        return False
    return any(keyword.role not in _HARMLESS for keyword in chunk.keywords)


def _only_joins(chunk: Chunk) -> bool:
    """Say whether it is a verb unknown to the schema, which joins what stands around it."""
    token = chunk.tokens[0]
    verb = len(chunk.text) > 4 and token.lower.endswith(_VERB_ENDS)
    return verb and not token.capital and not _shapes(chunk)
