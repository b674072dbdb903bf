"""Reads values with the names around them: `Italian food`, `state 'NY'`, `the city of Paris`."""

from __future__ import annotations

from dataclasses import replace

from adapters.models.offline.reading.keywords import Keyword, Role
from adapters.models.offline.reading.ways import end_of
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.operands import is_value
from adapters.models.offline.sketch.reader import Reader, names_column, names_table
from adapters.models.offline.sketch.sketch import Holds, Literal, Mention

_FARTHEST = 4


def value_here(r: Reader, ahead: int = 0) -> bool:
    """Say whether the next phrase is a value, for the column or table named before it."""
    chunk = r.cursor.peek(ahead)
    if is_value(chunk):
        return True
    if chunk is None or not chunk.found or chunk.number is not None:
        return False
    known = r.before_value or _following_table(r, ahead) or r.table
    if known is None:
        return False
    tables = {m.table.name for m in known.meanings if m.score >= known.best - 0.1}
    holding = any(found.column.table in tables for found in chunk.found)
    naming = any(m.table.name in tables for m in chunk.meanings if m.score > 0.8)
    return holding and not naming


def _following_table(r: Reader, ahead: int) -> Mention | None:
    chunk = r.cursor.peek(ahead + 1)
    return r.mention(chunk) if chunk is not None and names_table(chunk) else None


def read_value(r: Reader) -> bool:
    chunk = r.cursor.peek()
    if chunk is None or not value_here(r):
        return False
    each, end = _has_one(r), end_before(r)
    literal = replace(r.literal(r.cursor.take()), end=end)
    mention = r.before_value
    r.before_value = None
    if mention is None and names_column(r.cursor.peek()) and _same_column(r, literal):
        taken = r.cursor.take()
        mention = r.mention(taken)
        if names_table(taken):
            r.see_table(mention)
    if each and r.both is None:
        r.both = len(r.sketch.conditions)
    r.add(Holds(literal, mention, negated=r.take_negation()))
    _more_values(r, mention, end)
    return True


def _has_one(r: Reader) -> bool:
    """Say whether things are had one by one, as in `have a pool and a gym`."""
    article, verb = r.cursor.peek(-1), r.cursor.peek(-2)
    if article is None or verb is None or article.text.lower() not in {"a", "an"}:
        return False
    return verb.role(Role.HAVE) is not None and not r.negated


def end_before(r: Reader) -> str:
    """Return "from" or "to" where the words before the next phrase say which end of a way it is."""
    for back in range(-1, -_FARTHEST - 1, -1):
        chunk = r.cursor.peek(back)
        if chunk is None or chunk.found or chunk.quoted:
            return ""
        end = end_of(chunk.text.lower())
        if end:
            return end
    return ""


def _same_column(r: Reader, literal: Literal) -> bool:
    """Say whether the name that follows is of a column that holds the value."""
    follows = r.cursor.peek()
    holding = {id(found.column) for found in literal.found}
    named = {id(m.column) for m in follows.meanings} if follows else set[int]()
    return bool(holding & named)


def _more_values(r: Reader, mention: Mention | None, end: str) -> None:
    """Read `, 'b' or 'c'` behind a value: any of them, unless both are asked for."""
    while True:
        at = r.cursor.at
        comma = r.cursor.accept(Role.COMMA)
        joined = r.cursor.accept(Role.OR, Role.AND) or _versus(r)
        r.cursor.skip(Role.PREPOSITION)
        negated = r.cursor.accept(Role.NOT) is not None
        chunk = r.cursor.peek()
        if (comma is None and joined is None) or chunk is None or not value_here(r):
            r.cursor.at = at
            return
        r.either = r.both is None and not negated
        end = end_before(r) or end
        literal = replace(r.literal(r.cursor.take()), end=end)
        r.add(Holds(literal, mention, negated=negated))


def _versus(r: Reader) -> Keyword | None:
    """Take `vs` between two values."""
    chunk = r.cursor.peek()
    compares = chunk is not None and chunk.text.lower() in words_in("contrasts")
    return r.cursor.accept(Role.OUT_OF) if compares else None
