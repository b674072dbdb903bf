"""Which values have to be looked up before a question can be answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adapters.models.offline.form.interpret import Understanding
from adapters.models.offline.form.world import World
from adapters.models.offline.sketch.sketch import (
    AllOf,
    AnyOf,
    Compare,
    Condition,
    Holds,
    Literal,
    Mention,
    Not,
    Related,
)
from adapters.models.offline.world.roles import name_columns
from adapters.models.offline.world.schema import Column, Table

MOST_LOOKUPS = 10
_SHORTEST = 3


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """Words of the question, and a column that may hold them."""

    column: Column
    words: str


def lookups_for(understanding: Understanding, world: World) -> tuple[Lookup, ...]:
    """Return which words to look up in which columns: those whose values are not known yet."""
    found: dict[tuple[str, str, str], Lookup] = {}
    for words, mention in _unknown(understanding):
        for column in _columns(mention, understanding, world):
            key = (words.lower(), column.table, column.name)
            found.setdefault(key, Lookup(column, words))
    return tuple(found.values())[:MOST_LOOKUPS]


def unknown_words(understanding: Understanding) -> tuple[str, ...]:
    """Return the words of a question that nothing in the data explains."""
    return tuple(dict.fromkeys(words for words, _ in _unknown(understanding)))


def _unknown(understanding: Understanding) -> Iterator[tuple[str, Mention | None]]:
    for condition in understanding.sketch.conditions:
        yield from _literals(condition)
    for words in understanding.sketch.unexplained:
        if len(words) >= _SHORTEST and any(char.isalpha() for char in words):
            yield words, None


def _literals(condition: Condition) -> Iterator[tuple[str, Mention | None]]:
    match condition:
        case Holds(literal=literal, mention=mention) if not literal.found:
            yield literal.text, mention
        case Compare(term=term, operand=Literal() as literal, op="=") if not literal.found:
            yield literal.text, getattr(term, "mention", None)
        case Related(conditions=inner) | AllOf(conditions=inner) | AnyOf(conditions=inner):
            for each in inner:
                yield from _literals(each)
        case Not(condition=inner):
            yield from _literals(inner)
        case _:
            return


def _columns(
    mention: Mention | None, understanding: Understanding, world: World
) -> Iterator[Column]:
    """Return columns of texts, the likeliest first: the one named, then names of things."""
    if mention is not None:
        yield from (
            m.column for m in mention.meanings if m.column is not None and _is_open(m.column)
        )
    tables = _tables(mention, understanding, world)
    for table in tables:
        yield from (column for column in name_columns(table) if _is_open(column))
    for table in tables:
        yield from (column for column in table.columns if _is_open(column))


def _tables(mention: Mention | None, understanding: Understanding, world: World) -> list[Table]:
    named = [m.table for m in mention.meanings[:3]] if mention is not None else []
    best = understanding.best
    read = [world.schema.table(name) for name in sorted(best.reading.tables)] if best else []
    tables = [*named, *(table for table in read if table is not None)]
    near = [
        table
        for table in world.schema.tables
        if any(world.joins.between(one.name, table.name) for one in tables)
    ]
    return list(dict.fromkeys((*tables, *near, *(() if tables else world.schema.tables))))


def _is_open(column: Column) -> bool:
    """Say whether a column holds texts of which not all are known."""
    return column.is_text and not column.values and not column.is_key
