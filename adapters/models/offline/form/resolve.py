"""Decides which columns the words of a sketch name, all of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adapters.models.offline.form.slots import Option, Slot, slots_of
from adapters.models.offline.sketch.sketch import Literal, Mention, Sketch
from adapters.models.offline.world.joins import JoinGraph
from adapters.models.offline.world.schema import Schema

_BEAM = 60
_JOIN_COST = 0.1
_OWN = 0.45
_NEXT = 0.0
_APART = -0.35
_CONTEXT = 0.3
_SUBJECT = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A decision for every word, with its score; the worst word says how sure it is."""

    chosen: dict[int, Option]
    score: float
    worst: float

    def option(self, word: Mention | Literal | None) -> Option | None:
        return self.chosen.get(id(word)) if word is not None else None

    def has(self, word: int, option: Option) -> bool:
        """Say whether a word (by its identity) is decided to be this."""
        mine = self.chosen.get(word)
        return mine is not None and (mine.table, mine.column) == (option.table, option.column)

    @property
    def tables(self) -> frozenset[str]:
        return frozenset(option.table.name for option in self.chosen.values())


@dataclass(frozen=True, slots=True)
class _State:
    chosen: tuple[tuple[Slot, Option], ...]
    score: float

    def table_of(self, word: Mention | None) -> str | None:
        found = next((o for slot, o in self.chosen if word is not None and slot.word is word), None)
        return found.table.name if found else None


def readings(sketch: Sketch, schema: Schema, joins: JoinGraph) -> tuple[Reading, ...]:
    """Return the likeliest decisions, the best first; empty where the tables do not connect."""
    slots = _by_need(slots_of(sketch, schema))
    states = [_State((), 0.0)]
    for slot in slots:
        grown = [
            _grown(state, slot, option, joins, sketch)
            for state in states
            for option in slot.options
        ]
        states = sorted(grown, key=lambda state: -state.score)[:_BEAM]
    found = [reading for state in states if (reading := _finished(state, joins)) is not None]
    return tuple(sorted(found, key=lambda reading: -reading.score))


def _by_need(slots: Sequence[Slot]) -> list[Slot]:
    """Decide owners before what they own, and words with few meanings before others."""
    owners = {id(slot.near) for slot in slots if slot.near} | {
        id(slot.context) for slot in slots if slot.context
    }
    return sorted(slots, key=lambda slot: (id(slot.word) not in owners, len(slot.options)))


def _grown(state: _State, slot: Slot, option: Option, joins: JoinGraph, sketch: Sketch) -> _State:
    gain = option.score
    owner = state.table_of(slot.near)
    if owner is not None:
        gain += _nearness(owner, option.table.name, joins)
    else:
        context = state.table_of(slot.context) if option.column is not None else None
        gain += _CONTEXT * option.score if context == option.table.name else 0.0
    subject = state.table_of(sketch.subject) if option.column is not None else None
    gain += _SUBJECT * option.score if subject == option.table.name else 0.0
    tables = {chosen.table.name for _, chosen in state.chosen}
    if tables and option.table.name not in tables:
        distance = joins.distance(tables, option.table.name)
        gain -= 2.0 if distance is None else _JOIN_COST * distance
    return _State((*state.chosen, (slot, option)), state.score + gain)


def _nearness(owner: str, table: str, joins: JoinGraph) -> float:
    if owner == table:
        return _OWN
    return _NEXT if joins.between(owner, table) else _APART


def _finished(state: _State, joins: JoinGraph) -> Reading | None:
    tables = [option.table.name for _, option in state.chosen]
    if joins.tree(tables) is None:
        return None
    worst = min((option.score for _, option in state.chosen), default=1.0)
    chosen = {id(slot.word): option for slot, option in state.chosen}
    return Reading(chosen, state.score, worst)


def tables_of(options: Iterable[Option]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(option.table.name for option in options))
