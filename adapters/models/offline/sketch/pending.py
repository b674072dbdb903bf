"""Columns named inside a condition of which nothing was said: it matters that they are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import cast

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.reader import Pending, Reader, is_participle
from adapters.models.offline.sketch.sketch import Field, Mention, Missing, Sketch
from adapters.models.offline.world.lexicon import Meaning

_THEIRS = frozenset({"their", "its", "his", "her"})
_ENDS = (Role.AND, Role.OR, Role.BUT, Role.COMMA, Role.SORT, Role.EACH)


def pending_here(r: Reader, chunk: Chunk, mention: Mention) -> Pending:
    """Return a column that was just named, with what stands around it; the cursor is behind it."""
    follows = r.cursor.peek()
    ends = follows is None or follows.ends or any(follows.role(role) for role in _ENDS)
    before = _before(r, chunk)
    had = before is not None and (
        before.role(Role.HAVE) is not None or before.is_glue or before.text.lower() == "with"
    )
    owned = before is not None and before.text.lower() == "with" and _is_theirs(r, chunk)
    return Pending(mention, had and ends, is_participle(chunk) and ends, owned and ends)


def _before(r: Reader, chunk: Chunk) -> Chunk | None:
    """Return the last phrase before that is no mere filler."""
    ahead = -1
    while (found := r.cursor.peek(ahead)) is not None:
        if found is not chunk and not found.role(Role.FILL):
            return found
        ahead -= 1
    return None


def _is_theirs(r: Reader, chunk: Chunk) -> bool:
    """Say whether `their` stands before a phrase that was just read."""
    at = next((at for at, each in enumerate(r.cursor.chunks) if each is chunk), 0)
    return at > 0 and r.cursor.chunks[at - 1].text.lower() in _THEIRS


def close_pending(r: Reader, pending: Iterable[Pending]) -> None:
    """Ask that there is a value where that is meant; a name that said nothing is not understood."""
    for each in pending:
        if any(each.mention is used for used in _mentions(r.sketch)):
            continue
        days = tuple(m for m in each.mention.meanings if _may_happen(m))
        if each.happened and any(_is_planned(m) for m in days):
            # Such a day is known before it comes, so that it is there says nothing.
            r.sketch.unexplained.append(each.mention.text)
        elif each.happened and days:
            r.add(Missing(replace(each.mention, meanings=days), truth=False))
        elif each.owned and all(isinstance(item, Field) for item in r.sketch.items):
            r.sketch.items.append(Field(each.mention))
        elif each.had:
            r.add(Missing(each.mention, truth=False))


def _is_planned(meaning: Meaning) -> bool:
    return meaning.column is not None and bool(words_in("planned") & set(meaning.column.words))


def _may_happen(meaning: Meaning) -> bool:
    column = meaning.column
    return column is not None and column.is_time and column.nullable


def _mentions(thing: object) -> Iterator[Mention]:
    """Return every mention that a sketch holds, those of the words around them too."""
    if isinstance(thing, Mention):
        yield thing
        yield from _mentions(thing.near)
    elif isinstance(thing, list | tuple):
        for each in cast("Sequence[object]", thing):
            yield from _mentions(each)
    elif is_dataclass(thing) and not isinstance(thing, type) and _may_hold(thing):
        for each in fields(thing):
            yield from _mentions(getattr(thing, each.name))


def _may_hold(thing: object) -> bool:
    return isinstance(thing, Sketch) or type(thing).__module__ == Sketch.__module__
