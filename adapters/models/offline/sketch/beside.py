"""Reads two figures of one row beside each other: `below their minimum`, `attendees over seats`."""

from __future__ import annotations

from dataclasses import replace

from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.reader import Reader, names_measure, names_table
from adapters.models.offline.sketch.sketch import Compare, Field, Mention, Term
from adapters.models.offline.world.lexicon import Meaning

_OWN = frozenset({"their", "its", "his", "her", "own"})
_KNOWN = 0.45


def read_beside(r: Reader, term: Term | None, op: str) -> bool:
    """Take the name of a bound, for the figure before or for the one that it can only be for."""
    chunk, before = r.cursor.peek(), r.cursor.peek(-1)
    if chunk is None or not names_measure(chunk) or names_table(chunk):
        return False
    figure = term.mention if isinstance(term, Field) and _is_figure(term.mention) else None
    named = term.mention if isinstance(term, Field) else None
    rows = figure or named or r.table or r.sketch.subject
    names = {m.table.name for m in rows.meanings if m.score > _KNOWN} if rows is not None else ()
    bounds = tuple(
        m
        for m in chunk.meanings
        if m.table.name in names and m.column is not None and m.column.is_measure
    )
    own = before is not None and before.text.lower() in _OWN
    if not bounds or not (own or figure is not None):
        return False
    if figure is not None and figure.meanings[0].column is bounds[0].column:
        return False
    other = figure or _counterpart(chunk, bounds[0])
    if other is None:
        return False
    r.cursor.take()
    if named is not None and figure is None:
        r.see_table(named)
    owner = Mention(bounds[0].table.label, chunk.start, (Meaning(bounds[0].table, None, 1.0),))
    bound = Field(Mention(chunk.text, chunk.start, bounds, near=owner))
    r.add(Compare(Field(replace(other, near=owner)), op, bound))
    return True


def _is_figure(mention: Mention) -> bool:
    best = mention.meanings[0] if mention.meanings else None
    return best is not None and best.column is not None and best.column.is_measure


def _counterpart(chunk: Chunk, bound: Meaning) -> Mention | None:
    """Return the figure that a bound of the same row is for, if only one can be meant."""
    column, bounds = bound.column, words_in("bounds")
    if column is None or not bounds & set(column.words):
        return None
    figures = [
        c
        for c in bound.table.columns
        if c.is_measure and c is not column and not bounds & set(c.words)
    ]
    shared = [c for c in figures if set(c.words) & (set(column.words) - bounds)]
    held = [c for c in figures if words_in("held") & set(c.words)]
    found = shared if len(shared) == 1 else held
    if len(found) != 1:
        return None
    return Mention(found[0].label, chunk.start, (Meaning(bound.table, found[0], 1.0),))
