"""Reads a place in a ranking: `the second most expensive`, `3rd highest salary`."""

from __future__ import annotations

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.numbers import ordinal
from adapters.models.offline.sketch.extremes import read_superlative
from adapters.models.offline.sketch.reader import Reader
from adapters.models.offline.sketch.sketch import Aggregate, Field, Measure, OrderKey


def read_nth(r: Reader) -> bool:
    """Read `the second most expensive`, `3rd highest salary`: those before it are left out."""
    chunk = r.cursor.peek()
    rank, length = _rank(r)
    follows = r.cursor.peek(length)
    if chunk is None or follows is None or rank < 2:
        return False
    attribute = follows.attribute
    superlative = attribute is not None and attribute.degree == "est"
    keyword = follows.role(Role.EXTREME)
    if not superlative and (keyword is None or keyword.argument in {"first", "last"}):
        return False
    r.cursor.at += length
    items = len(r.sketch.items)
    if not read_superlative(r):
        return False
    for at, item in enumerate(r.sketch.items[items:], start=items):
        if isinstance(item, Measure) and item.mention is not None:
            down = item.aggregate is Aggregate.MAX
            r.sketch.items[at] = Field(item.mention)
            r.sketch.order.append(OrderKey(Field(item.mention), down))
            r.sketch.distinct = True
    r.sketch.limit, r.sketch.offset = 1, rank - 1
    return True


def _rank(r: Reader) -> tuple[int, int]:
    """Return which of a ranking is meant, and how many phrases say so; 0 where none does."""
    chunk, ending = r.cursor.peek(), r.cursor.peek(1)
    if chunk is None or len(chunk.tokens) != 1:
        return 0, 0
    named = ordinal(chunk.tokens[0].lower)
    if named is not None:
        return named, 1
    th = ending is not None and ending.text.lower() in {"st", "nd", "rd", "th"}
    whole = chunk.number is not None and chunk.number == int(chunk.number) and chunk.number > 0
    return (int(chunk.number or 0), 2) if th and whole else (0, 0)
