"""Reads differences: `the days between hire and termination`, `difference between A and B`."""

from __future__ import annotations

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.periods import Grain
from adapters.models.offline.sketch.reader import Reader, is_name
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Gap,
    Measure,
    Mention,
    Span,
    Term,
)
from adapters.models.offline.sketch.terms import read_mention, read_terms

_UNITS = {"day": Grain.DAY, "month": Grain.MONTH, "year": Grain.YEAR}


def read_span(r: Reader) -> bool:
    return _days(r) or _difference(r)


def _days(r: Reader) -> bool:
    """Read `average number of days between the order date and the ship date`."""
    aggregate: Aggregate | None = None
    average = r.cursor.accept(Role.AGGREGATE)
    if average is not None:
        aggregate = Aggregate(average.argument)
    r.cursor.skip(Role.COUNT)
    chunk = r.cursor.peek()
    unit = _UNITS.get(chunk.tokens[0].lemma) if chunk is not None else None
    if unit is None or not (r.cursor.role(Role.BETWEEN, 1) or _from(r)):
        return False
    r.cursor.at += 2
    first = _date(r)
    if first is None or r.cursor.accept(Role.AND, Role.TO, Role.BOUND) is None:
        return False
    last = _date(r)
    if last is None:
        return False
    r.show(Span(first, last, unit, aggregate))
    return True


def _from(r: Reader) -> bool:
    chunk = r.cursor.peek(1)
    return chunk is not None and chunk.text.lower() in {"from", "it takes from", "taken from"}


def _date(r: Reader) -> Mention | None:
    r.cursor.skip(Role.BE, Role.PREPOSITION)
    return read_mention(r)


def _difference(r: Reader) -> bool:
    """Read `difference between the highest and lowest price`."""
    if r.cursor.accept(Role.DIFFERENCE) is None:
        return False
    r.cursor.accept(Role.BETWEEN)
    r.cursor.skip()
    top = _figure(r)
    if top is None:
        return False
    r.cursor.skip(Role.AND, Role.TO)
    bottom = _figure(r)
    if bottom is None:
        return False
    if isinstance(top, Measure) and top.mention is None and isinstance(bottom, Measure):
        top = Measure(top.aggregate, bottom.mention)
    r.show(Gap(top, bottom))
    return True


def _figure(r: Reader) -> Term | None:
    """Read one side; a superlative alone shares the name that stands behind the other."""
    r.cursor.skip()
    extreme = r.cursor.role(Role.EXTREME)
    if extreme is None:
        terms = read_terms(r)
        return terms[0] if terms else None
    r.cursor.take()
    aggregate = Aggregate.MAX if extreme.argument in {"max", "last"} else Aggregate.MIN
    r.cursor.skip()
    mention = read_mention(r) if is_name(r.cursor.peek()) else None
    return Measure(aggregate, mention)
