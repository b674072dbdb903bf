"""The words of a sketch that have to be decided, and what each of them may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from adapters.models.offline.reading.periods import Period
from adapters.models.offline.reading.ways import names_of_end
from adapters.models.offline.sketch.sketch import (
    Aggregate,
    AllOf,
    AnyOf,
    Band,
    Bucket,
    Compare,
    Condition,
    Dated,
    Everything,
    Field,
    Flag,
    Gap,
    Holds,
    Literal,
    Measure,
    Mention,
    Missing,
    Not,
    Ratio,
    Related,
    Sketch,
    Span,
    Term,
)
from adapters.models.offline.world.lexicon import Meaning
from adapters.models.offline.world.roles import name_columns
from adapters.models.offline.world.schema import Column, Schema, Table

Fits = Callable[[Meaning], float]


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """`word` is what is decided; `near` and `context` are mentions that it should be close to."""

    word: Mention | Literal
    options: tuple[Option, ...]
    near: Mention | None = None
    context: Mention | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """A table or column for a word, and for a value how the column writes it."""

    table: Table
    column: Column | None
    score: float
    value: str = ""
    inverse: bool = False


def slots_of(sketch: Sketch, schema: Schema) -> tuple[Slot, ...]:
    """Return each word once, in the order of the sketch."""
    found: dict[int, Slot] = {}
    for slot in _all(sketch, schema):
        if slot.options:
            found.setdefault(id(slot.word), slot)
    return tuple(found.values())


def _all(sketch: Sketch, schema: Schema) -> Iterator[Slot]:
    if sketch.subject is not None:
        yield _slot(sketch.subject, _prefers_table)
    within = (sketch.within,) if sketch.within is not None else ()
    for term in (*sketch.items, *sketch.groups, *within, *(key.term for key in sketch.order)):
        yield from _of_term(term, schema)
    for mention in (*sketch.repeated, *((sketch.each,) if sketch.each else ())):
        yield from _with_owner(mention, _anything)
    for condition in sketch.conditions:
        yield from _of_condition(condition, schema)


def _of_term(term: Term, schema: Schema, fits: Fits | None = None) -> Iterator[Slot]:
    match term:
        case Field(mention=mention):
            yield from _with_owner(mention, fits or _anything)
        case Measure(aggregate=aggregate, mention=mention):
            if mention is not None:
                yield from _with_owner(mention, _for_aggregate(aggregate))
            if term.each is not None and term.each is not mention:
                yield from _with_owner(term.each, _anything)
            for condition in term.only:
                yield from _of_condition(condition, schema)
        case Band(mention=mention):
            yield from _with_owner(mention, _numbers)
        case Everything(mention=mention) if mention is not None:
            yield _slot(mention, _prefers_table)
        case Bucket(mention=mention) if mention is not None:
            yield from _with_owner(mention, _dates)
        case Ratio(top=top, bottom=bottom):
            yield from _of_term(top, schema)
            yield from _of_term(bottom, schema)
        case Span(first=first, last=last):
            yield from _with_owner(first, _dates)
            yield from _with_owner(last, _dates)
        case Gap(top=top, bottom=bottom):
            yield from _of_term(top, schema)
            yield from _of_term(bottom, schema)
        case _:
            return


def _of_condition(condition: Condition, schema: Schema) -> Iterator[Slot]:
    match condition:
        case Compare():
            yield from _of_comparison(condition, schema)
        case Holds(literal=literal, mention=mention):
            if mention is not None:
                yield from _with_owner(mention, _anything)
            yield value_slot(literal, mention, schema)
        case Dated(mention=mention):
            if mention is not None:
                yield from _with_owner(mention, _dates_or_tables)
        case Related(mention=mention, conditions=inner):
            if mention.meanings and not condition.op:
                yield _table_slot(mention)
            elif mention.meanings:
                yield from _with_owner(mention, _counted)
            for each in inner:
                yield from _of_condition(each, schema)
        case Flag(mention=mention) if _is_defined(mention):
            # It belongs to what it was defined for, and draws no other word there.
            yield replace(_slot(mention, _columns), near=None, context=None)
        case Flag(mention=mention) | Missing(mention=mention):
            yield from _with_owner(mention, _columns)
        case Not(condition=inner):
            yield from _of_condition(inner, schema)
        case AllOf(conditions=inner) | AnyOf(conditions=inner):
            for each in inner:
                yield from _of_condition(each, schema)


def _is_defined(mention: Mention) -> bool:
    best = mention.meanings[:1]
    return bool(best) and best[0].column is not None and best[0].column.is_defined


def _of_comparison(condition: Compare, schema: Schema) -> Iterator[Slot]:
    operand = condition.operand
    fits: Fits = _columns
    if isinstance(operand, float):
        fits = _numbers
    elif isinstance(operand, Period):
        fits = _dates
    yield from _of_term(condition.term, schema, fits)
    if isinstance(operand, Field | Measure):
        yield from _of_term(operand, schema, fits)


def _with_owner(mention: Mention, fits: Fits) -> Iterator[Slot]:
    if mention.near is not None:
        yield _table_slot(mention.near)
    if mention.context is not None and mention.context.table_score:
        yield _table_slot(mention.context)
    yield _slot(mention, fits)


def _slot(mention: Mention, fits: Fits) -> Slot:
    options = [
        Option(m.table, m.column, score, inverse=m.inverse)
        for m in mention.meanings
        if (score := m.score * fits(m) * _as_named(m, mention)) > 0.2
    ]
    options = [option for option in options if not _is_less_than_named(option, mention)]
    best = sorted(options, key=lambda option: -option.score)[:10]
    return Slot(mention, tuple(best), near=mention.near, context=mention.context)


def _is_less_than_named(option: Option, mention: Mention) -> bool:
    """Say whether a table has only a part of its name here, where another is called just that."""
    exactly = mention.table_score >= _EXACTLY
    return exactly and option.column is None and option.score < _PART_OF_A_NAME


def _table_slot(mention: Mention) -> Slot:
    """Return the tables of a word that others belong to; columns only where there is none."""
    slot = _slot(mention, _prefers_table)
    tables = tuple(option for option in slot.options if option.column is None)
    return replace(slot, options=tables) if tables else slot


def _as_named(meaning: Meaning, mention: Mention) -> float:
    """Lower a key that is not called one: `customers` are not their ids."""
    column = meaning.column
    if column is None or _KEY_WORDS & set(mention.text.lower().split()):
        return 1.0
    pointing = column.target is not None and any(
        m.column is None and m.table.name == column.target[0] and m.score > 0.8
        for m in mention.meanings
    )
    return 0.55 if column.words[-1] == "id" or pointing else 1.0


def value_slot(literal: Literal, mention: Mention | None, schema: Schema) -> Slot:
    """Return the columns that hold a value, or the ones named where none does."""
    named = mention.meanings if mention is not None else ()
    options = [
        Option(
            table, found.column, found.sure + _support(found.column, named, literal), found.value
        )
        for found in literal.found
        if (table := schema.table(found.column.table)) is not None
    ]
    owned = mention is not None and mention.near is not None
    if not options or owned or (literal.quoted and max(o.score for o in options) < 0.9):
        options += [
            Option(m.table, column, m.score * 0.6, literal.text)
            for m in named
            for column in ((m.column,) if m.column is not None else name_columns(m.table)[:1])
        ]
    near = (mention.near or mention) if mention is not None else None
    best = sorted(options, key=lambda option: -option.score)[:10]
    return Slot(literal, tuple(best), near=near, context=None)


def _support(column: Column, named: Sequence[Meaning], literal: Literal) -> float:
    """Say how much the words beside a value speak for a column."""
    best = 0.2 if names_of_end(literal.end) & set(column.words) else 0.0
    for meaning in named:
        if meaning.column is column:
            best = max(best, 0.35 * meaning.score)
        elif meaning.column is None and meaning.table.name == column.table:
            called = column in name_columns(meaning.table)
            best = max(best, (0.3 if called else 0.15) * meaning.score)
    return best


_EXACTLY, _PART_OF_A_NAME = 0.95, 0.75
_KEY_WORDS = frozenset({"id", "ids", "identifier", "code", "codes", "number", "numbers"})


def _anything(_: Meaning) -> float:
    return 1.0


def _prefers_table(meaning: Meaning) -> float:
    return 1.0 if meaning.column is None else 0.6


def _columns(meaning: Meaning) -> float:
    return 1.0 if meaning.column is not None else 0.5


def _numbers(meaning: Meaning) -> float:
    column = meaning.column
    if column is None:
        return 0.5
    return 1.0 if column.is_number else 0.75 if column.is_year else 0.3


def _dates(meaning: Meaning) -> float:
    column = meaning.column
    if column is None:
        return 0.4
    return 1.0 if column.is_time or column.is_year else 0.3


def _dates_or_tables(meaning: Meaning) -> float:
    """Prefer dates, then what has dates; a figure such as a discount is in no year."""
    column = meaning.column
    if column is not None and column.is_measure and not {"month", "day"} & set(column.words):
        return 0.0
    return max(_dates(meaning), 0.7 if column is None else 0.0)


def _counted(meaning: Meaning) -> float:
    column = meaning.column
    if column is None:
        return 1.0
    return 0.9 if column.is_measure else 0.5


def _for_aggregate(aggregate: Aggregate) -> Fits:
    if aggregate is Aggregate.COUNT:
        return _to_count
    return _to_add_up if aggregate in {Aggregate.SUM, Aggregate.AVG, Aggregate.MEDIAN} else _columns


def _to_count(meaning: Meaning) -> float:
    column = meaning.column
    if column is None:
        return 1.0
    counts = {"number", "count", "quantity"} & set(column.words)
    return 0.92 if counts or not column.is_measure or meaning.score > 0.9 else 0.6


def _to_add_up(meaning: Meaning) -> float:
    column = meaning.column
    if column is None:
        return 0.75
    if column.is_time:
        return 0.5
    if column.is_key:
        return 0.1
    if column.is_number:
        return 1.0 if column.is_measure else 0.6
    return 0.45 if meaning.score >= _EXACTLY and column.is_text else 0.2
