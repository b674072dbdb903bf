"""Reads `in the same city as 'x'`: what one row has is looked up and compared with."""

from __future__ import annotations

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.sketch.operands import is_value
from adapters.models.offline.sketch.reader import Reader, Zone
from adapters.models.offline.sketch.sketch import Compare, Field, Holds, Sketch
from adapters.models.offline.sketch.terms import read_mention


def read_same(r: Reader) -> bool:
    """Take `the same <column> as <value>`."""
    if r.cursor.role(Role.SAME) is None or r.sketch.subject is None:
        return False
    r.cursor.take()
    mention = read_mention(r)
    joining = r.cursor.peek()
    if mention is None or joining is None or joining.text.lower() != "as":
        return False
    r.cursor.take()
    r.cursor.skip()
    value = r.cursor.peek()
    if value is None or not (is_value(value) or value.quoted or value.tokens[0].capital):
        return False
    r.cursor.take()
    holder = r.name_of(r.sketch.subject)
    inner = Sketch(items=[Field(mention)], conditions=[Holds(r.literal(value), holder)])
    inner.limit = 1
    r.add(Compare(Field(mention), "=", inner))
    r.zone = Zone.FILTER
    return True
