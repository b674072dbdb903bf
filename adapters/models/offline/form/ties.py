"""Words that two columns or tables fit equally well, in readings that give other figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adapters.models.offline.form.frame import NotUnderstood
from adapters.models.offline.form.interpret import built
from adapters.models.offline.form.resolve import Reading
from adapters.models.offline.form.slots import Option
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.word_lists import words_in
from adapters.models.offline.sketch.sketch import (
    AllOf,
    AnyOf,
    Band,
    Bucket,
    Compare,
    Condition,
    Dated,
    Field,
    Gap,
    Holds,
    Literal,
    Measure,
    Mention,
    Not,
    Ratio,
    Sketch,
    Term,
)
from adapters.models.offline.world.roles import is_recorded
from adapters.models.offline.world.schema import Column, Table

Word = Mention | Literal
MOST_OPTIONS = 5
_SAME_FIT = 0.03
_FITS = 0.5
# A table further on the way is less likely, and next to nothing where names fit alike.
_SAME_SCORE, _OFFERED, _NEAR_SCORE = 0.15, 0.35, 0.45
_VERBS = words_in("participles")


@dataclass(frozen=True, slots=True, eq=False)
class Tie:
    """A word, and the readings that differ in it alone, the likeliest first.

    `close`: another is as likely as the first; else the first is, and the others come near.
    """

    word: Word
    readings: tuple[Reading, ...]
    close: bool

    @property
    def options(self) -> tuple[Option, ...]:
        found = (reading.option(self.word) for reading in self.readings)
        return tuple(option for option in found if option is not None)


def ties_of(sketch: Sketch, found: Sequence[Reading], world: World) -> tuple[Tie, ...]:
    """Return the words that fit something else as well, the ones to ask about first."""
    if not found or sketch.common:
        return ()
    best = found[0]
    words = {id(word): word for word in _telling_words(sketch) if _may_be_asked(word, best)}
    others: dict[int, list[Reading]] = {}
    for reading in found[1:]:
        if best.score - reading.score > _NEAR_SCORE:
            break
        changed = [key for key, option in reading.chosen.items() if not best.has(key, option)]
        if len(changed) == 1 and changed[0] in words:
            others.setdefault(changed[0], []).append(reading)
    ties = (_tie(words[key], [best, *each], world) for key, each in others.items())
    return tuple(sorted((tie for tie in ties if tie is not None), key=lambda tie: not tie.close))


def _tie(word: Word, readings: Sequence[Reading], world: World) -> Tie | None:
    equal = _equal(word, readings, world)
    if len(equal) < 2:
        return None
    first, second = equal[0].score, equal[1].score
    close = first - second <= _SAME_SCORE
    offered = [each for each in equal if not close or first - each.score <= _OFFERED]
    return Tie(word, tuple(offered[:MOST_OPTIONS]), close)


def _may_be_asked(word: Word, best: Reading) -> bool:
    """Say whether a word fits well enough, and is no verb that only says what happened."""
    if isinstance(word, Literal):
        return True
    option = best.option(word)
    if option is None or option.score < _FITS or word.text.lower() in _VERBS:
        return False
    return option.column is not None or not word.text.lower().endswith("ed")


def _is_owned(word: Word, best: Reading, other: Option) -> bool:
    """Say whether the words around tell whose it is: another table's is not meant then."""
    option = best.option(word)
    if isinstance(word, Literal) or option is None or option.table is other.table:
        return False
    owners = (best.option(word.near), best.option(word.context))
    return any(owner is not None and owner.table is option.table for owner in owners)


def differing(tie: Tie, sketch: Sketch, world: World) -> Tie | None:
    """Return a tie with the readings of which each makes another query; None where one does."""
    queries: dict[str, Reading] = {}
    for reading in tie.readings:
        try:
            queries.setdefault(built(sketch, reading, world).sql, reading)
        except NotUnderstood:
            continue
    readings = tuple(queries.values())
    if len(readings) < 2 or readings[0] is not tie.readings[0]:
        return None
    return Tie(tie.word, readings, tie.close)


def _equal(word: Word, readings: Sequence[Reading], world: World) -> list[Reading]:
    """Return the readings whose meaning of a word fits it as well as the first one's."""
    best = readings[0].option(word)
    if best is None:
        return []
    equal = [readings[0]]
    for reading in readings[1:]:
        other = reading.option(word)
        if other is None or abs(best.score - other.score) > _SAME_FIT:
            continue
        if not (_are_no_rivals(best, other, world) or _is_owned(word, readings[0], other)):
            equal.append(reading)
    return equal


def _are_no_rivals(one: Option, other: Option, world: World) -> bool:
    """Say whether two meanings are no rivals: one thing kept twice, keys, or of two kinds."""
    columns = (one.column, other.column)
    if None in columns:
        return one.table is other.table or _is_split(one.table, other.table, world)
    first, second = (each for each in columns if each is not None)
    if first.is_key or second.is_key or first.is_boolean or second.is_boolean:
        return True
    if _is_recorded(first) is not _is_recorded(second):
        return True
    if first.is_measure is not second.is_measure or first.is_time is not second.is_time:
        return True
    joined = bool(world.joins.between(one.table.name, other.table.name))
    return joined and first.words == second.words and not first.is_measure


def _is_split(one: Table, other: Table, world: World) -> bool:
    """Say whether a row of one table is a row of the other, or a mere link to it."""
    joins = world.joins.between(one.name, other.name)
    links = one.is_link or other.is_link
    return any(links or (join.to_one and join.from_one) for join in joins)


def _is_recorded(column: Column) -> bool:
    return column.is_time and is_recorded(column)


def _telling_words(sketch: Sketch) -> Iterator[Word]:
    """Return the words that decide about figures: measured, grouped, ranked or filtered by."""
    ranked = bool(sketch.groups or sketch.order)
    for item in sketch.items:
        if not isinstance(item, Field) or ranked or _names_figure(item.mention):
            yield from _of_term(item)
    for term in (*sketch.groups, *(key.term for key in sketch.order)):
        yield from _of_term(term)
    for condition in sketch.conditions:
        yield from _of_condition(condition)


def _names_figure(mention: Mention) -> bool:
    best = mention.meanings[0].column if mention.meanings else None
    return best is not None and best.is_measure


def _of_term(term: Term) -> Iterator[Word]:
    match term:
        case Field(mention=mention) | Band(mention=mention):
            yield mention
        case Measure(mention=mention, only=only):
            if mention is not None:
                yield mention
            for condition in only:
                yield from _of_condition(condition)
        case Bucket(mention=mention) if mention is not None:
            yield mention
        case Ratio(top=top, bottom=bottom) | Gap(top=top, bottom=bottom):
            yield from _of_term(top)
            yield from _of_term(bottom)
        case _:
            return


def _of_condition(condition: Condition) -> Iterator[Word]:
    match condition:
        case Compare(term=term):
            yield from _of_term(term)
        case Holds(literal=literal):
            yield literal
        case Dated(mention=mention) if mention is not None:
            yield mention
        case Not(condition=inner):
            yield from _of_condition(inner)
        case AllOf(conditions=inner) | AnyOf(conditions=inner):
            for each in inner:
                yield from _of_condition(each)
        case _:
            return
