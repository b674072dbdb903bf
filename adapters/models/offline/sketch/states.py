"""Reads in what state things are: `are open`, `still run`, `have never been closed`."""

from __future__ import annotations

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.lemmas import stem
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.literals import value_here
from adapters.models.offline.sketch.reader import Reader, Zone, is_name
from adapters.models.offline.sketch.sketch import Flag, Mention, Missing
from adapters.models.offline.sketch.terms import state_of
from adapters.models.offline.world.lexicon import Meaning

_GOES_ON = "still"
_MAY_FOLLOW = (Role.BE, Role.HAVE, Role.DO)


def read_state(r: Reader) -> bool:
    """Read a state behind `are`; `still` before what says more only stresses it."""
    chunk, table = r.cursor.peek(), r.table or r.sketch.subject
    if chunk is None or table is None:
        return False
    still = chunk.text.lower() == _GOES_ON
    word = r.cursor.peek(1) if still else chunk
    if word is None or not (still or _behind_be(r)):
        return False
    names = {m.table.name for m in table.meanings if m.column is None}
    state = _state(r, word, names) or _available(r, word, names)
    state = state or (_ongoing(r, word, names) if still else None)
    if state is not None:
        r.cursor.at += 2 if still else 1
        r.zone = Zone.FILTER
        if isinstance(state, Missing) and not state.truth:
            # A period that follows says when that happened.
            r.event = state.mention
        r.add(state)
        return True
    if still and (_own_name(word, names) or _says_more(r, word)):
        r.cursor.take()
        return True
    return False


def _own_name(word: Chunk, names: set[str]) -> bool:
    return is_name(word) and any(m.table.name in names for m in word.meanings)


def _says_more(r: Reader, word: Chunk) -> bool:
    return any(word.role(role) for role in _MAY_FOLLOW) or value_here(r, 1)


def _behind_be(r: Reader) -> bool:
    ahead = -1
    while (before := r.cursor.peek(ahead)) is not None and before.role(Role.FILL):
        ahead -= 1
    return before is not None and before.role(Role.BE) is not None


def _state(r: Reader, word: Chunk, names: set[str]) -> Missing | None:
    flags = (m for m in word.meanings if m.column is not None and m.column.is_boolean)
    if len(word.tokens) != 1 or any(m.table.name in names for m in flags):
        return None
    return (
        None if word is r.cursor.peek() and value_here(r) else state_of(r, r.mention(word), names)
    )


def _available(r: Reader, word: Chunk, names: set[str]) -> Flag | None:
    """Read `not available`, where a yes-or-no column is called so and nothing is missing."""
    keyword = word.role(Role.EMPTY)
    flags = tuple(
        Meaning(table, column, 1.0)
        for table in r.lexicon.schema.tables
        for column in table.columns
        if table.name in names and column.is_boolean and word.tokens[-1].lower in column.words
    )
    if keyword is None or len(flags) != 1:
        return None
    return Flag(Mention(word.text, word.start, flags), truth=keyword.argument != "null")


def _ongoing(r: Reader, word: Chunk, names: set[str]) -> Missing | None:
    """Read `still run`: they have an end, and it has not come."""
    if not (word.is_glue or word.role(Role.BE)) or _own_name(word, names):
        return None
    ends = {stem(each) for each in (*words_in("ends"), *words_in("outcomes"))}
    days = tuple(
        Meaning(table, column, 1.0)
        for table in r.lexicon.schema.tables
        for column in table.columns
        if table.name in names and column.is_time and column.nullable
        if {stem(each) for each in column.words} & ends
    )
    return Missing(Mention("end", word.start, days)) if len(days) == 1 else None
