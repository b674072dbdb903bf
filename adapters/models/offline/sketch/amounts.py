"""Reads `how much`: how much revenue, how much did they spend, how much was refunded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adapters.models.offline.reading.keywords import Role
from adapters.models.offline.reading.lemmas import verb_forms
from adapters.models.offline.reading.tokens import tokenize
from adapters.models.offline.sketch.reader import Reader, Zone, is_name
from adapters.models.offline.sketch.sketch import Aggregate, Field, Literal, Measure, Mention, Term
from adapters.models.offline.world.lexicon import Meaning
from adapters.models.offline.world.roles import is_mean, money_columns, money_rank
from adapters.models.offline.world.schema import Column, Table

_KNOWN, _SPENT, _AMOUNT = 0.5, 0.7, 0.8
SPENDING = frozenset({"spend", "pay", "earn", "owe"})
_SELLING = frozenset({"sell", "sold"})
_COSTS = frozenset({"cost", "fee", "charge", "payment", "fare", "price"})


def read_how_much(r: Reader) -> bool:
    """Take `how much`; what it asks for is decided when the sentence has been read."""
    if r.cursor.role(Role.HOW_MUCH) is None:
        return False
    r.cursor.take()
    r.amount = not (r.cursor.role(Role.BE) and _names_next(r))
    r.zone, r.listing = Zone.SELECT, True
    return True


def _names_next(r: Reader) -> bool:
    """Say whether a thing and what it has is asked for, as in `how much is the salary of X`."""
    article = r.cursor.peek(1)
    return article is not None and article.text.lower() in {"the", "his", "her", "their", "its"}


def close_amount(r: Reader) -> None:
    """Add up what was asked for, or the money of what happens: `refunded`, `spend`."""
    if not r.amount:
        return
    r.amount = False
    items = r.sketch.items
    if any(isinstance(item, Measure) for item in items):
        return
    at = next((at for at, item in enumerate(items) if _figures(_mention(item))), None)
    if at is not None:
        items[at] = _summed(items[at])
        return
    mention = next(filter(None, map(_money, (r.event, r.verb, r.sketch.subject))), None)
    mention = mention or _sales(r)
    if mention is None:
        r.sketch.unexplained.append("how much")
    else:
        if not r.sketch.which:
            items[:] = [item for item in items if not isinstance(item, Field)]
        items.append(_summed(Field(mention)))


def _sales(r: Reader) -> Mention | None:
    """Return the revenue that `did we sell` is about, whatever it is called."""
    sells = any(set(verb_forms(chunk.tokens[0].lower)) & _SELLING for chunk in r.cursor.chunks)
    found = r.lexicon.meanings(tokenize("revenue")) if sells else ()
    return Mention("sell", 0, found) if found else None


def _mention(term: Term) -> Mention | None:
    return term.mention if isinstance(term, Field) else None


def _figures(mention: Mention | None) -> Sequence[Column]:
    found = mention.meanings if mention is not None else ()
    if mention is None or mention.table_score > mention.column_score:
        return ()
    return [m.column for m in found if m.column is not None and m.column.is_measure]


def _summed(term: Term) -> Term:
    """Add a figure up; prices and the like, which add up to nothing, are shown as they are."""
    mention = _mention(term)
    figures = _figures(mention)
    return term if not figures or is_mean(figures[0]) else Measure(Aggregate.SUM, mention)


def _money(mention: Mention | None) -> Mention | None:
    """Return a figure that is meant by a verb or a table, or its money."""
    if mention is None or _figures(mention):
        return mention
    found = [
        Meaning(meaning.table, column, meaning.score - 0.04 * rank)
        for meaning in mention.meanings
        for rank, column in enumerate(money_columns(meaning.table))
        if meaning.score > _KNOWN
    ]
    return replace(mention, meanings=tuple(found), near=None) if found else None


def spent(r: Reader) -> Mention | None:
    """Return the money that `spent`, `paid` or `earned` right before is about."""
    chunk = r.cursor.peek(-2)
    verb = (
        next((f for f in verb_forms(chunk.tokens[0].lower) if f in SPENDING), "") if chunk else ""
    )
    if chunk is None or not verb:
        return None
    found = [
        Meaning(table, column, _SPENT - 0.04 * rank)
        for table in r.lexicon.schema.tables
        for rank, column in enumerate((*money_columns(table), *_costs(table)))
    ]
    return Mention(verb, chunk.start, tuple(found)) if found else None


def _costs(table: Table) -> list[Column]:
    return [c for c in table.columns if c.is_measure and _COSTS & set(c.words)]


def at_year(r: Reader, term: Term | None) -> bool:
    """Say whether the next number is rather a year than a value: `revenue 2024`."""
    chunk, follows = r.cursor.peek(), r.cursor.peek(1)
    number = chunk.number if chunk is not None else None
    if number is None or chunk is None or not chunk.text.isdigit() or not 1900 <= number < 2100:
        return False
    if isinstance(term, Measure) and term.aggregate is Aggregate.COUNT:
        return follows is None or not is_name(follows)
    mention = _mention(term) if term is not None else None
    ends = follows is None or not is_name(follows)
    return ends and any(_is_money(column) for column in _figures(mention)[:1])


def _is_money(column: Column) -> bool:
    return bool(column.formula) or money_rank(column) is not None


def amount_of(r: Reader, literal: Literal) -> Measure | None:
    """Return how much there is of a value: its quantity, else how often it occurs."""
    schema = r.lexicon.schema
    amounts = [
        Meaning(table, column, _AMOUNT)
        for table in schema.tables
        for column in table.columns
        if column.is_measure and {"quantity", "unit"} & set(column.words)
        if money_rank(column) is None and not is_mean(column)
    ]
    if amounts:
        return Measure(Aggregate.SUM, Mention("quantity", literal.at, tuple(amounts)))
    holders = tuple(Meaning(schema.by_name[f.column.table], None, 1.0) for f in literal.found)
    if not holders:
        return None
    return Measure(Aggregate.COUNT, r.belonging_to(Mention("", literal.at, holders)))
