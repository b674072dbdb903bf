"""Reads `sorted by`, `in descending order of` and what follows them."""

from __future__ import annotations

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.sketch.reader import Reader, is_name, names_table, with_near
from adapters.models.offline.sketch.sketch import Field, OrderKey
from adapters.models.offline.sketch.terms import read_mention, read_terms


def read_sort(r: Reader) -> bool:
    """Read `sorted by age from old to young`, `in descending order of price`."""
    direction = r.cursor.role(Role.DIRECTION)
    alphabetic = r.cursor.role(Role.ALPHABETIC)
    if direction is not None or alphabetic is not None:
        return _direction_first(r)
    if r.cursor.role(Role.SORT) is None:
        return False
    at = r.cursor.at
    r.cursor.take()
    r.cursor.skip()
    if r.cursor.role(Role.DIRECTION) or r.cursor.role(Role.ALPHABETIC):
        return _direction_first(r)
    if _from_extreme(r) or _sort_keys(r):
        return True
    r.cursor.at = at
    return False


def _direction_first(r: Reader) -> bool:
    keyword = r.cursor.accept(Role.ALPHABETIC, Role.DIRECTION)
    descending = keyword is not None and keyword.argument == "desc"
    at = r.cursor.at
    if r.cursor.accept(Role.OF, Role.BY, Role.SORT, Role.PREPOSITION) or r.sketch.order == []:
        r.cursor.skip()
        if _sort_keys(r, default=descending):
            return True
    r.cursor.at = at
    if r.sketch.order:
        last = r.sketch.order[-1]
        if last.extreme:
            # "the highest mountains, ordered from highest to lowest": all of them, in that order.
            r.sketch.limit, r.sketch.ranked = None, True
        r.sketch.order[-1] = OrderKey(last.term, descending)
        return True
    r.sketch.direction = "desc" if descending else "asc"
    return True


def _from_extreme(r: Reader) -> bool:
    """Read `starting from the best ratings to the lowest`."""
    keyword = r.cursor.role(Role.EXTREME)
    if keyword is None:
        return False
    if not is_name(r.cursor.peek(1)):
        follows = r.cursor.peek(1)
        if follows is not None and not follows.ends and not follows.role(Role.COMMA):
            return False
        # "starting from the top": of what was ranked already.
        r.cursor.take()
        r.sketch.direction = r.sketch.direction or ("desc" if keyword.argument == "max" else "asc")
        return True
    r.cursor.take()
    mention = read_mention(r)
    if mention is None:
        return False
    r.sketch.order.append(OrderKey(Field(mention), keyword.argument == "max"))
    r.cursor.skip(Role.TO, Role.EXTREME)
    return True


def _sort_keys(r: Reader, *, default: bool | None = None) -> bool:
    found = False
    while True:
        r.cursor.skip(Role.BY)
        first = r.cursor.role(Role.EXTREME)
        if first is not None:
            r.cursor.take()
        terms = read_terms(r)
        if not terms:
            return found
        direction = r.cursor.accept(Role.DIRECTION, Role.ALPHABETIC)
        descending = default or False
        if direction is not None:
            descending = direction.argument == "desc"
        elif first is not None:
            descending = first.argument in {"max", "last"}
        r.sketch.order.extend(OrderKey(term, descending) for term in terms)
        found = True
        _sorted_owner(r)
        if not _another_key(r):
            return True


def _sorted_owner(r: Reader) -> None:
    """Pass over `of the singers` behind a key."""
    if r.cursor.role(Role.OF) and names_table(r.cursor.peek(1)):
        r.cursor.take()
        owner = r.mention(r.cursor.take())
        last = r.sketch.order[-1]
        r.sketch.order[-1] = OrderKey(with_near(last.term, owner), last.descending)


def _another_key(r: Reader) -> bool:
    at = r.cursor.at
    r.cursor.skip(Role.COMMA, Role.AND)
    moved = r.cursor.at > at
    chunk = r.cursor.peek()
    if (
        moved
        and chunk is not None
        and not chunk.role(Role.ASK)
        and (is_name(chunk) or chunk.role(Role.COUNT) or chunk.role(Role.AGGREGATE))
    ):
        return True
    r.cursor.at = at
    return False
