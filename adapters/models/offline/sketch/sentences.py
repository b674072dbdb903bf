"""Reads a whole question: sentence after sentence, phrase after phrase."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.sketch.amounts import close_amount, read_how_much
from adapters.models.offline.sketch.asking import read_ask, read_joining
from adapters.models.offline.sketch.bands import read_distribution, read_stretches
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.comparing import read_compared
from adapters.models.offline.sketch.cursor import Cursor
from adapters.models.offline.sketch.dating import read_date
from adapters.models.offline.sketch.duplicates import close_duplicates, parted_duplicates
from adapters.models.offline.sketch.empty_periods import close_periods, parted_periods
from adapters.models.offline.sketch.extremes import read_extreme
from adapters.models.offline.sketch.grouping import read_grouping
from adapters.models.offline.sketch.items import read_items
from adapters.models.offline.sketch.leftovers import pass_over
from adapters.models.offline.sketch.often import read_often
from adapters.models.offline.sketch.pending import close_pending
from adapters.models.offline.sketch.quantities import read_quantity
from adapters.models.offline.sketch.ranks import read_nth
from adapters.models.offline.sketch.ratios import read_ratio
from adapters.models.offline.sketch.reader import Reader, Zone, is_name
from adapters.models.offline.sketch.relations import read_relation
from adapters.models.offline.sketch.rewording import (
    as_ratio,
    close_contrast,
    close_why,
    without_while,
    without_why,
)
from adapters.models.offline.sketch.sameness import read_same
from adapters.models.offline.sketch.sketch import Condition, Mention, Sketch
from adapters.models.offline.sketch.spans import read_span
from adapters.models.offline.sketch.states import read_state
from adapters.models.offline.sketch.terms import read_owner_of_items
from adapters.models.offline.sketch.within import close_within, with_number_first, without_number
from adapters.models.offline.world.lexicon import Lexicon

_ADVICE = frozenset({"joining", "doing", "performing", "using", "combining", "aggregating"})
_NOTES = frozenset(
    {"note", "consider", "assume", "use", "match", "represent", "recall", "remember"}
)


def read_question(chunks: Sequence[Chunk], lexicon: Lexicon) -> Sketch:
    """Read all sentences of a question into one sketch."""
    sketch = Sketch()
    reader = Reader(Cursor(()), sketch, lexicon)
    for sentence in _sentences(chunks):
        if _is_note(sentence):
            sketch.doubts.append(" ".join(chunk.text for chunk in sentence))
            continue
        sketch.running = sketch.running or any(map(_runs, sentence))
        _read_kind(reader, _without_advice(sentence))
    return sketch


def _read_kind(reader: Reader, sentence: Sequence[Chunk]) -> None:
    """Read a sentence, or one of the kinds whose words stand for something else than they say."""
    sentence, why = without_why(as_ratio(without_while(sentence)))
    sentence, wanted = without_number(with_number_first(sentence))
    twice = parted_duplicates(sentence)
    periods = parted_periods(sentence)
    reader.begin(twice[0] if twice else periods[1] if periods else sentence)
    reader.sketch.limit = wanted or reader.sketch.limit
    _read_sentence(reader)
    close_within(reader)
    if twice is not None:
        close_duplicates(reader, twice[1])
    elif periods is not None:
        close_periods(reader, periods[0])
    if why:
        close_why(reader)
    close_contrast(reader, sentence)


def _runs(chunk: Chunk) -> bool:
    return chunk.text.lower().startswith(("cumul", "running ")) and not chunk.quoted


def _sentences(chunks: Sequence[Chunk]) -> list[list[Chunk]]:
    found: list[list[Chunk]] = [[]]
    for chunk in chunks:
        if chunk.ends:
            found.append([])
        else:
            found[-1].append(chunk)
    return [sentence for sentence in found if sentence]


def _without_advice(sentence: Sequence[Chunk]) -> Sequence[Chunk]:
    """Cut off advice on how to write the query, such as `by joining the two tables`."""
    for at, chunk in enumerate(sentence[:-1]):
        follows = sentence[at + 1].tokens[0].lower
        if at and chunk.role(Role.BY) and follows in _ADVICE:
            return sentence[:at]
    return sentence


def _is_note(sentence: Sequence[Chunk]) -> bool:
    return sentence[0].tokens[0].lower in _NOTES and len(sentence) > 1


def _read_sentence(r: Reader) -> None:
    while not r.cursor.done:
        at = r.cursor.at
        if not _read_phrase(r):
            pass_over(r)
        if r.cursor.at == at:
            r.cursor.at += 1
    r.close_both()
    close_pending(r, r.pending)
    r.pending.clear()
    close_amount(r)


def _read_phrase(r: Reader) -> bool:
    """Read by the first rule that knows what to do; one that does not leaves the place as it is."""
    before = r.remember()
    for rule in _RULES:
        if rule(r):
            r.listing = r.listing and rule in {read_joining, read_ask}
            return True
        r.go_back(before)
    return False


def nested(r: Reader) -> Sketch:
    """Read the rest of the sentence as a question of its own, such as `the average age of dogs`."""
    return read_rest(r.inner())


def read_rest(r: Reader) -> Sketch:
    """Read on with this reader until the sentence, or the question inside it, ends."""
    while not r.cursor.done and not _ends_nested(r):
        at = r.cursor.at
        if not _read_phrase(r):
            pass_over(r)
        if r.cursor.at == at:
            r.cursor.at += 1
    return r.sketch


def rest_of_clause(r: Reader, table: Mention) -> tuple[Condition, ...]:
    """Read the conditions that follow a table inside its clause: `orders placed in 2023`."""
    inner = Reader(r.cursor, Sketch(), r.lexicon, zone=Zone.FILTER, table=table, verb=table)
    inner.sketch.subject = table
    while not r.cursor.done and not _ends_clause(r):
        at = r.cursor.at
        r.cursor.skip()
        if _is_verb(r) and r.cursor.peek(1) is not None:
            r.cursor.take()
        elif not _read_phrase(inner) or inner.sketch.items or inner.sketch.order:
            r.cursor.at = at
            break
    return tuple(inner.sketch.conditions)


def _is_verb(r: Reader) -> bool:
    """Say whether the next phrase only joins a clause: `learners who got a mark of 5`."""
    chunk = r.cursor.peek()
    return chunk is not None and chunk.is_glue and not is_name(chunk)


def _ends_clause(r: Reader) -> bool:
    ends = (Role.AND, Role.OR, Role.BUT, Role.COMMA, Role.SORT, Role.EACH, Role.BY, Role.WHICH)
    return any(r.cursor.role(role) for role in ends)


def _ends_nested(r: Reader) -> bool:
    happened = is_name(r.cursor.peek())  # "ordered" is a verb where a column says when
    sorts = r.cursor.role(Role.SORT) is not None and not happened
    return r.sketch.items != [] and (sorts or r.cursor.role(Role.BUT) is not None)


_RULES = (
    read_ask,
    read_how_much,
    read_joining,
    partial(read_ratio, read_rest=read_rest),
    read_span,
    read_grouping,
    read_nth,
    read_extreme,
    read_date,
    read_stretches,
    read_distribution,
    partial(read_often, rest=rest_of_clause),
    partial(read_compared, nested=nested),
    partial(read_quantity, nested=nested, rest=rest_of_clause),
    read_owner_of_items,
    read_same,
    read_state,
    read_items,
    partial(read_relation, rest=rest_of_clause),
)
