"""Reads what something is compared with: a value, a number, a date, a column, another question."""

from __future__ import annotations

from adapters.models.offline.reading.keywords import Keyword, Role
from adapters.models.offline.reading.periods import Period, is_year, year_period
from adapters.models.offline.reading.tokens import TokenKind
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.reader import Reader, is_name, names_column
from adapters.models.offline.sketch.sketch import Aggregate, Field, Literal, Measure, Operand, Term

_UNITS = words_in("counted_units")


def literal_of(r: Reader, chunk: Chunk | None) -> Literal | None:
    """Return a phrase as a value: one that is in the data, or one in quotes."""
    if chunk is None or (not chunk.found and not chunk.quoted):
        return None
    return r.literal(chunk)


def is_value(chunk: Chunk | None) -> bool:
    """Say whether a phrase is rather a value than a name."""
    if chunk is None or chunk.number is not None:
        return False
    if chunk.quoted:
        return True
    if chunk.keywords and not any(token.capital for token in chunk.tokens):
        return False
    if not chunk.found:
        return False
    sure = chunk.found[0].sure
    shown = any(token.capital for token in chunk.tokens)
    best = chunk.meanings[0].score if chunk.meanings else 0.0
    return sure > (best - 0.15 if shown and len(chunk.tokens) > 1 else best)


def read_number(r: Reader) -> float | None:
    """Read a number with its unit: `20 years old`, `$30,000`."""
    chunk = r.cursor.peek()
    if chunk is None or chunk.number is None:
        return None
    r.cursor.take()
    value = chunk.number
    follows = r.cursor.peek()
    if follows is not None and follows.role(Role.PERCENT) and follows.text in {"%", "percent"}:
        r.cursor.take()
    while (unit := r.cursor.peek()) is not None and _is_unit(unit):
        r.cursor.take()
    return value


def _is_unit(chunk: Chunk) -> bool:
    return len(chunk.tokens) == 1 and chunk.tokens[0].lemma in _UNITS and not chunk.meanings


def read_operand(r: Reader) -> Operand | None:
    """Read what stands after `is more than` or `is`."""
    r.cursor.skip(Role.BE, Role.THAN, Role.HAVE)
    chunk = r.cursor.peek()
    if chunk is None:
        return None
    if chunk.number is not None and not _is_dated(chunk):
        return read_number(r)
    if chunk.period is not None and not chunk.quoted:
        r.cursor.take()
        return chunk.period
    if is_value(chunk):
        return literal_of(r, r.cursor.take())
    return _unknown_value(r, chunk)


def _is_dated(chunk: Chunk) -> bool:
    return chunk.period is not None and chunk.period.start is not None


def _unknown_value(r: Reader, chunk: Chunk) -> Literal | None:
    """Take a capitalized word that nothing explains for a value."""
    if chunk.known or not chunk.tokens[0].capital:
        return None
    return r.literal(r.cursor.take())


def read_average_of(r: Reader, term: Term) -> Term | None:
    """Read `the average`, or `the average age`, as what a figure is compared with."""
    at = r.cursor.at
    r.cursor.skip(Role.THAN, Role.OF)
    keyword = r.cursor.role(Role.AGGREGATE) or _highest(r)
    if keyword is None:
        r.cursor.at = at
        return None
    r.cursor.take()
    aggregate = Aggregate(keyword.argument)
    r.cursor.skip(Role.OF)
    if is_name(r.cursor.peek()):
        mention = r.mention(r.cursor.take())
        return Measure(aggregate, mention)
    return Measure(aggregate, term.mention) if isinstance(term, Field) else None


def _highest(r: Reader) -> Keyword | None:
    """Return `lowest` in `more than the lowest price`, which is a figure here."""
    keyword = r.cursor.role(Role.EXTREME)
    figure = names_column(r.cursor.peek(1))
    return keyword if keyword and figure and keyword.argument in {"max", "min"} else None


def year_of(chunk: Chunk | None) -> Period | None:
    """Return a number that may be a year as its period."""
    if chunk is None or len(chunk.tokens) != 1 or chunk.tokens[0].kind is not TokenKind.NUMBER:
        return None
    return year_period(int(chunk.tokens[0].text)) if is_year(chunk.tokens[0]) else None
