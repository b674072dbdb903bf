"""Reads how often something was done: `ordered more than 10 times in 2025`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.sketch.operands import read_number
from adapters.models.offline.sketch.reader import Reader
from adapters.models.offline.sketch.sketch import Condition, Mention, Related

RestOfClause = Callable[[Reader, Mention], tuple[Condition, ...]]


def read_often(r: Reader, rest: RestOfClause) -> bool:
    """Count the rows that a verb dates, where a column says when it was done."""
    chunk, keyword = r.cursor.peek(), r.cursor.role(Role.COMPARE, 1)
    dated = [m for m in chunk.meanings if m.column and m.column.is_time] if chunk else []
    if chunk is None or keyword is None or not dated:
        return False
    at = r.cursor.at
    mention = r.mention(r.cursor.take())
    r.cursor.take()
    r.cursor.skip(Role.THAN)
    number = read_number(r)
    # Its unit may have been read with the number.
    times = r.cursor.role(Role.TIMES, -1) or r.cursor.accept(Role.TIMES)
    if number is None or times is None:
        r.cursor.at = at
        return False
    rows = replace(mention, meanings=tuple(replace(m, column=None) for m in dated))
    r.add(Related(rows, rest(r, rows), op=keyword.argument, number=number))
    return True
