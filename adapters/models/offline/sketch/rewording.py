"""Turns of phrase that say the same as others: `A as a share of B`, `and why`, `web vs phone`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from adapters.models.offline.reading.keywords import Keyword, Role
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.reader import Reader
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    AnyOf,
    Condition,
    Field,
    Holds,
    Measure,
    Mention,
)
from adapters.models.offline.world.lexicon import Meaning
from adapters.models.offline.world.schema import Column

_PARTS = ("percent", "share")
_AVERAGED = (Aggregate.AVG, Aggregate.MEDIAN)


def as_ratio(sentence: Sequence[Chunk]) -> Sequence[Chunk]:
    """Write `refunds as a percentage of revenue` as `percentage refunds out of revenue`."""
    for at, chunk in enumerate(sentence):
        keyword = chunk.role(Role.PERCENT)
        back = 2 if at > 1 and sentence[at - 1].role(Role.FILL) else 1
        said = at > back and sentence[at - back].text.lower() == "as"
        if keyword is None or keyword.argument not in _PARTS or not said:
            continue
        of = Chunk(
            chunk.start, chunk.end, "out of", chunk.tokens, (Keyword(Role.OUT_OF),), worth=1.0
        )
        before = [each for each in sentence[: at - back] if not each.role(Role.ASK)]
        return [chunk, *before, of, *sentence[at + 1 :]]
    return sentence


def without_while(sentence: Sequence[Chunk]) -> Sequence[Chunk]:
    """Leave out the `over` that leads a stretch of time: `revenue over the past 6 months`."""
    return [
        chunk
        for chunk, follows in zip_longest(sentence, sentence[1:])
        if not (chunk.text.lower() == "over" and _is_stretch(follows))
    ]


def _is_stretch(chunk: Chunk | None) -> bool:
    return chunk is not None and chunk.period is not None and chunk.period.relative


def without_why(sentence: Sequence[Chunk]) -> tuple[Sequence[Chunk], bool]:
    """Cut `and why` off the end, and say whether it was there."""
    last = [chunk.text.lower() for chunk in sentence[-2:]]
    asks = len(sentence) > 2 and last in (["and", "why"], [",", "why"])
    return (sentence[:-2], True) if asks else (sentence, False)


def close_why(r: Reader) -> None:
    """Tell the rows apart by the reason that stands with them; without one it is not understood."""
    reasons = words_in("reasons")
    subject = r.sketch.subject
    meanings = subject.meanings if subject is not None else ()
    names = {m.table.name for m in meanings if m.column is None}
    found = tuple(
        Meaning(table, column, 1.0)
        for table in r.lexicon.schema.tables
        if table.name in names
        for column in table.columns
        if column.is_text and reasons & set(column.words)
    )
    if len(found) != 1:
        r.sketch.unexplained.append("why")
        return
    r.sketch.groups.append(Field(Mention("reason", 0, found)))


def close_contrast(r: Reader, sentence: Sequence[Chunk]) -> None:
    """Tell apart the values that are compared: each is a group of its own."""
    figures = [item for item in r.sketch.items if isinstance(item, Measure)]
    averaged = any(item.aggregate in _AVERAGED for item in figures)
    if not (averaged or any(map(_compares, sentence))):
        return
    for condition in r.sketch.conditions:
        meanings = _shared(condition, r)
        known = {
            m.column for g in r.sketch.groups if isinstance(g, Field) for m in g.mention.meanings
        }
        if meanings and not known & {m.column for m in meanings}:
            r.sketch.groups.append(Field(Mention("compared", 0, meanings)))


def _compares(chunk: Chunk) -> bool:
    return chunk.text.lower() in words_in("contrasts")


def _shared(condition: Condition, r: Reader) -> tuple[Meaning, ...]:
    """Return the column that holds all of several values, any of which is asked for."""
    if not isinstance(condition, AnyOf):
        return ()
    holds = [each for each in condition.conditions if isinstance(each, Holds)]
    if len(holds) < len(condition.conditions) or any(each.negated for each in holds):
        return ()
    first, *others = ([found.column for found in each.literal.found] for each in holds)
    both: list[Column] = [c for c in first if all(c in other for other in others)]
    return tuple(Meaning(r.lexicon.schema.by_name[c.table], c, 1.0) for c in both[:1])
