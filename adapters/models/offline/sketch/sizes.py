"""Reads what is compared by size: `the highest rating`, `spent the most`, `biggest customers`."""

from __future__ import annotations

from dataclasses import replace

from adapters.models.offline.reading.attributes import attribute_of
from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.sketch.amounts import SPENDING, amount_of, spent
from adapters.models.offline.sketch.chunks import Chunk
from adapters.models.offline.sketch.operands import is_value
from adapters.models.offline.sketch.reader import (
    Reader,
    Zone,
    is_dimension,
    is_name,
    is_participle,
    names_column,
    names_measure,
    names_table,
)
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    Field,
    Holds,
    Measure,
    Mention,
    OrderKey,
    Term,
)
from adapters.models.offline.sketch.terms import read_mention, read_terms

_SIZES = {
    "highest": "high", "lowest": "high", "largest": "large", "biggest": "large",
    "smallest": "large", "greatest": "large",
}  # fmt: skip
_AMOUNTS = frozenset({"amount", "number", "quantity", "count", "level", "value", "total"})


def read_size(r: Reader, *, descending: bool) -> bool:
    r.cursor.skip(Role.OF)
    generic = _skip_amount(r)
    counted = r.cursor.accept(Role.COUNT) is not None
    _skip_doing(r)
    if r.cursor.accept(Role.TIMES):
        return _by_count(r, r.verb or r.table, descending=descending)
    if r.cursor.role(Role.AGGREGATE) is not None:
        return _by_aggregate(r, descending=descending, generic=generic)
    chunk = r.cursor.peek()
    if chunk is not None and is_value(chunk) and not generic:
        return _of_value(r, descending=descending)
    if chunk is None or not is_name(chunk):
        return _by_verb(r, descending=descending, generic=generic)
    if _is_done_to(r, chunk):
        return _by_count(r, r.mention(r.cursor.take()), descending=descending)
    return _by_name(r, chunk, counted=counted, descending=descending)


def _of_value(r: Reader, *, descending: bool) -> bool:
    """Read `bought the most paper`: how much of it there is, or how often it occurs."""
    literal = r.literal(r.cursor.take())
    term = amount_of(r, literal)
    if term is None:
        return False
    r.add(Holds(literal))
    return order_by(r, term, descending=descending)


def _skip_doing(r: Reader) -> None:
    """Pass over what rows do, as in `the most arriving flights`."""
    chunk = r.cursor.peek()
    doing = chunk is not None and chunk.is_glue and chunk.text.lower().endswith("ing")
    if doing and not is_name(chunk) and names_table(r.cursor.peek(1)):
        r.cursor.take()


def _by_name(r: Reader, chunk: Chunk, *, counted: bool, descending: bool) -> bool:
    if counted or (names_table(chunk) and not _rated(chunk)):
        if not counted and _by_size(r, chunk, descending=descending):
            return True
        if not counted and _big_in_nothing(r):
            return _first_of(r, chunk, descending=descending)
        mention = read_mention(r)
        return _by_count(r, mention, descending=descending)
    return _by_column(r, descending=descending)


def _is_done_to(r: Reader, chunk: Chunk) -> bool:
    """Say whether it is counted how often something was done: `the most viewed listing`."""
    done = is_participle(chunk) and not names_measure(chunk)
    return done and names_table(r.cursor.peek(1))


def _by_aggregate(r: Reader, *, descending: bool, generic: bool) -> bool:
    """Read `highest average price`, and `cost the most on average`."""
    at = r.cursor.at
    terms = read_terms(r)
    if terms:
        return order_by(r, terms[0], descending=descending)
    r.cursor.at = at
    return _by_verb(r, descending=descending, generic=generic)


def _by_verb(r: Reader, *, descending: bool, generic: bool) -> bool:
    """Read `who spent the most`: the verb says what is compared."""
    verb = r.verb or spent(r)
    if verb is None:
        return False
    figures = any(m.column is not None and m.column.is_measure for m in verb.meanings)
    if figures:
        average = r.cursor.accept(Role.AGGREGATE)
        aggregate = Aggregate(average.argument) if average else None
        usual = Aggregate.SUM if verb.text in SPENDING else None
        aggregate = aggregate or usual
        term = Field(verb) if aggregate is None else Measure(aggregate, verb)
        return order_by(r, term, descending=descending)
    return generic and _by_count(r, verb, descending=descending)


def _by_size(r: Reader, chunk: Chunk, *, descending: bool) -> bool:
    """Read `the highest mountain`, `the largest lakes`: the rows have a figure for it."""
    word = r.cursor.peek(-1)
    attribute = attribute_of(_SIZES.get(word.text.lower(), "")) if word is not None else None
    if attribute is None:
        return False
    figure = r.measured_by(attribute, chunk.start)
    tables = {m.table.name for m in chunk.meanings if m.column is None}
    meanings = tuple(m for m in figure.meanings if m.table.name in tables)
    if not meanings:
        return False
    return order_by(r, Field(replace(figure, meanings=meanings)), descending=descending)


def _big_in_nothing(r: Reader) -> bool:
    """Say whether `our biggest customers` opens the question, where rows have no size."""
    word = r.cursor.peek(-1)
    return word is not None and word.text.lower() in _SIZES and not r.sketch.items


def _first_of(r: Reader, chunk: Chunk, *, descending: bool) -> bool:
    """Take the things as ranked by what follows, or by what has to be asked."""
    if chunk.tokens[-1].lower == chunk.tokens[-1].lemma:
        take_one(r)
    r.ranking = r.sketch.ranking = "desc" if descending else "asc"
    return True


def _skip_amount(r: Reader) -> bool:
    chunk = r.cursor.peek()
    follows = r.cursor.role(Role.OF, 1)
    if chunk is None or chunk.tokens[0].lemma not in _AMOUNTS or follows is None:
        return False
    if names_measure(chunk) and chunk.meanings[0].score > 0.9:
        return False
    r.cursor.at += 2
    r.cursor.skip()
    return True


def _rated(chunk: Chunk) -> bool:
    return names_measure(chunk) and any(
        m.column is not None and m.score >= 0.95 for m in chunk.meanings
    )


def _by_count(r: Reader, mention: Mention | None, *, descending: bool) -> bool:
    if mention is None:
        return False
    return order_by(r, Measure(Aggregate.COUNT, mention), descending=descending)


def order_by(r: Reader, term: Term, *, descending: bool) -> bool:
    r.sketch.order.append(OrderKey(term, descending, extreme=True))
    take_one(r)
    return True


def _by_column(r: Reader, *, descending: bool) -> bool:
    """Read `highest rating`: a figure to show, or what decides who is first."""
    verb = bool(r.sketch.items) and _does(r)
    chunk = r.cursor.take()
    mention = r.mention(chunk)
    if is_name(r.cursor.peek()) and names_table(r.cursor.peek()):
        # "the highest-rated restaurant": the table's name is read next, as the subject.
        return order_by(r, Field(mention), descending=descending)
    if is_name(r.cursor.peek()) and names_column(r.cursor.peek()) and not r.cursor.role(Role.SORT):
        r.cursor.at -= 1
        compound = read_mention(r)
        mention = compound or mention
    first = r.zone is Zone.SELECT and not r.sketch.order and not r.sketch.items
    if first and is_dimension(mention):
        r.show(Field(mention))
        return _first_of(r, chunk, descending=descending)
    if r.zone is Zone.SELECT and not r.sketch.order and not verb:
        r.show(Measure(Aggregate.MAX if descending else Aggregate.MIN, mention))
        return True
    return order_by(r, Field(mention), descending=descending)


def _does(r: Reader) -> bool:
    """Say whether things do the most of it: `which channel brings the most revenue`."""
    ahead = -1
    while (chunk := r.cursor.peek(ahead)) is not None:
        if not (chunk.role(Role.FILL) or chunk.role(Role.EXTREME)):
            return r.sketch.which and chunk.is_glue and not chunk.meanings
        ahead -= 1
    return False


def take_one(r: Reader) -> None:
    if r.sketch.limit is None:
        r.sketch.limit = 1
