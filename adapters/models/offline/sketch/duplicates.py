"""Reads what occurs more than once: `duplicate names`, `booked twice with the same amount`."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.reader import Reader, is_name, is_participle
from adapters.models.offline.sketch.sketch import Field, Measure, Mention

_DUPLICATE = frozenset({"duplicate", "duplicates", "duplicated", "doubled"})
_TWICE = frozenset({"twice", "double"})
_ONCE = frozenset({"once"})
_SAME = frozenset({"same", "identical"})


def parted_duplicates(sentence: Sequence[Chunk]) -> tuple[Sequence[Chunk], Sequence[Chunk]] | None:
    """Return the sentence without the words that ask for duplicates, and what has to be the same.

    None where it does not ask for them.
    """
    marked = _marked(sentence)
    if marked is None:
        return None
    rest = [chunk for chunk in sentence if chunk not in marked]
    same = next((at for at, chunk in enumerate(rest) if _is_same(chunk)), len(rest))
    head, tail = rest[:same], rest[same + 1 :]
    while head and (head[-1].role(Role.PREPOSITION) or head[-1].role(Role.FILL)):
        head = head[:-1]
    return head, tail


def _marked(sentence: Sequence[Chunk]) -> list[Chunk] | None:
    """Return the words that say that something is there more than once."""
    for at, chunk in enumerate(sentence):
        word = chunk.text.lower()
        if word in _DUPLICATE and not chunk.meanings:
            return [chunk]
        verb = sentence[at - 1] if at else None
        happens = verb is not None and not is_name(verb) and (is_participle(verb) or verb.is_glue)
        if word in _TWICE and happens and any(map(_is_same, sentence)):
            return [each for each in (verb, chunk) if each is not None]
        if word in _ONCE and at > 1 and _more_than(sentence[at - 1]) and _occurs(sentence[at - 2]):
            return [sentence[at - 2], sentence[at - 1], chunk]
    return None


def _more_than(chunk: Chunk) -> bool:
    keyword = chunk.role(Role.COMPARE)
    return keyword is not None and keyword.argument == ">"


def _occurs(chunk: Chunk) -> bool:
    return chunk.tokens[-1].lemma in {"occur", "appear", "exist", "occurs", "appears", "exists"}


def _is_same(chunk: Chunk) -> bool:
    return chunk.tokens[-1].lower in _SAME and not chunk.meanings


def close_duplicates(r: Reader, same: Sequence[Chunk]) -> None:
    """Say of the sketch that was read what has to be there more than once."""
    sketch = r.sketch
    counted = [item for item in sketch.items if isinstance(item, Measure) and item.mention]
    named = [item.mention for item in sketch.items if isinstance(item, Field)]
    named += [item.mention for item in counted if item.mention is not None]
    sketch.counted = bool(counted)
    subject = sketch.subject or next((m for m in named if m.table_score > m.column_score), None)
    columns = [m for m in named if m.column_score > m.table_score]
    for chunk in same:
        if is_name(chunk):
            columns.append(Mention(chunk.text, chunk.start, chunk.meanings, near=subject))
        elif not (chunk.role(Role.AND) or chunk.role(Role.COMMA) or chunk.role(Role.FILL)):
            sketch.unexplained.append(chunk.text)
    sketch.repeated = tuple(columns)
    sketch.subject = subject
    if subject is None and not columns:
        sketch.unexplained.append("duplicates")
    sketch.items[:] = [Field(each) for each in (*columns, *((subject,) if subject else ()))]
    sketch.duplicates = True
