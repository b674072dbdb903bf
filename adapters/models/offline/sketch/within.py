"""Rankings within groups and how many are wanted: `top 3 customers per region`."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.reader import Reader, is_name
from adapters.models.offline.sketch.sketch import Bucket, Field, Term

_BEFORE = (Role.ASK, Role.WHICH, Role.FILL, Role.BE)
_MOST = 1_000
_A_FEW = 3  # of each group, where `the top customers of each country` says no number


def without_number(sentence: Sequence[Chunk]) -> tuple[Sequence[Chunk], int | None]:
    """Take the number out of `which 3 customers have the most orders`, and return it."""
    at = 0
    while at < len(sentence) and any(sentence[at].role(role) for role in _BEFORE):
        at += 1
    if at in {0, len(sentence)} or at + 1 >= len(sentence):
        return sentence, None
    number, rest = sentence[at].number, sentence[at + 1 :]
    ranked = any(map(_is_superlative, rest[1:]))
    if number is None or number != int(number) or not 1 < number <= _MOST or not ranked:
        return sentence, None
    if not is_name(rest[0]) or _is_superlative(rest[0]):
        return sentence, None
    return [*sentence[:at], *rest], int(number)


def with_number_first(sentence: Sequence[Chunk]) -> Sequence[Chunk]:
    """Write `the last 5 orders` as `the 5 last orders`."""
    found = list(sentence)
    for at in range(len(found) - 2):
        word, number, name = found[at : at + 3]
        counts = number.number is not None and number.number == int(number.number)
        if _orders(word) and counts and number.period is None and is_name(name):
            found[at], found[at + 1] = number, word
    return found


def _orders(word: Chunk) -> bool:
    return word.role(Role.EXTREME) is not None and word.role(Role.TOP) is None


def _is_superlative(chunk: Chunk) -> bool:
    attribute = chunk.attribute
    est = attribute is not None and attribute.degree == "est"
    return est or any(chunk.role(role) for role in (Role.EXTREME, Role.FREQUENT))


def close_within(r: Reader) -> None:
    """Rank within each group where things were ranked and groups named: none is a figure."""
    sketch = r.sketch
    wanted = bool(sketch.ranking) or (sketch.limit is not None and bool(sketch.order))
    if not wanted or sketch.growth or len(sketch.groups) != 1:
        return
    [group] = sketch.groups
    things = [item for item in sketch.items if not _is_same(item, group)]
    if things and all(isinstance(item, Field) for item in things):
        sketch.items, sketch.groups, sketch.within = things, [], group
        sketch.limit = sketch.limit or _A_FEW


def _is_same(item: Term, group: Term) -> bool:
    if isinstance(item, Field) and isinstance(group, Field):
        return item.mention.meanings[:1] == group.mention.meanings[:1]
    return isinstance(item, Bucket) and isinstance(group, Bucket)
