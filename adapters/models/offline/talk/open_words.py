"""Words with two meanings that are equally good: settled by what is written, or by who asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from adapters.models.offline.form.interpret import (
    SURE_ENOUGH,
    Understanding,
    sketch_of,
    understand_sketch,
)
from adapters.models.offline.form.slots import Option
from adapters.models.offline.form.ties import Tie, differing, ties_of
from adapters.models.offline.form.world import World
from adapters.models.offline.reading.tokens import tokenize
from adapters.models.offline.talk.meanings import (
    CLARIFY,
    Meanings,
    all_words,
    label_of,
    stems,
)
from adapters.models.offline.talk.moves import Ask
from adapters.models.offline.talk.situation import Situation

_MOST_ASKED = 2
_CALLED_SO = 0.95


def with_settled_words(
    situation: Situation, understanding: Understanding, world: World
) -> Understanding | Ask:
    """Return the understanding with every word settled, or the question that settles one."""
    understanding = _with_explained(situation, understanding, world)
    pins: dict[int, Option] = {}
    notes: list[str] = []
    for tie in _telling(situation, understanding, world):
        open_ = meanings_of(tie)
        chosen = open_.settled_by(situation)
        if chosen is None and tie.close and len(pins) < _MOST_ASKED:
            said = open_.answer(situation)
            if not said and situation.offers(CLARIFY):
                return open_.asked()
            chosen = open_.named_by(said)
            other = _said_otherwise(open_, chosen, situation, world)
            if other is not None:
                return other
        chosen = chosen or open_.options[0]
        pins[id(tie.word)] = chosen
        notes.append(open_.taken(chosen))
    if pins:
        understanding = understand_sketch(understanding.sketch, world, pins)
    return _with_notes(understanding, notes)


def meanings_of(tie: Tie) -> Meanings:
    return Meanings(tie.word.text, tie.options)


def _telling(situation: Situation, understanding: Understanding, world: World) -> Iterator[Tie]:
    """Return the words that were said, and not only implied, whose meaning changes the query."""
    best = understanding.best
    if best is None or best.confidence < SURE_ENOUGH:
        return
    said = " ".join((*situation.earlier, situation.question)).lower()
    for tie in ties_of(understanding.sketch, understanding.found, world):
        if tie.word.text.lower() not in said:
            continue
        told_apart = differing(tie, understanding.sketch, world)
        if told_apart is not None:
            yield told_apart


def _with_explained(
    situation: Situation, understanding: Understanding, world: World
) -> Understanding:
    """Take out words that nothing explains but the comment of the column that they tell apart."""
    said = stems(" ".join(understanding.sketch.unexplained), shortest=4)
    if not said or not understanding.ways:
        return understanding
    for tie in ties_of(understanding.sketch, understanding.found, world):
        chosen = meanings_of(tie).described_by(situation.question)
        if tie.close and chosen is not None and said <= all_words(chosen):
            sketch = understanding.sketch.copied()
            sketch.unexplained = []
            return understand_sketch(sketch, world)
    return understanding


def _said_otherwise(
    open_: Meanings, chosen: Option | None, situation: Situation, world: World
) -> Understanding | None:
    """Return the question read with the words of an answer that names none of the options."""
    said = open_.answer(situation)
    if not said or (chosen is not None and stems(said) <= stems(label_of(chosen))):
        return None
    found = world.lexicon.meanings(tokenize(said))
    best = found[0] if found and found[0].score >= _CALLED_SO else None
    known = [option.column for option in open_.options]
    if best is None or best.column in known or any(option.value for option in open_.options):
        return None
    word = re.compile(rf"\b{re.escape(open_.word)}\b", re.IGNORECASE)
    question = word.sub(lambda _: said, situation.question, count=1)
    other = understand_sketch(sketch_of(question, world), world)
    return other if other.best is not None and other.best.confidence >= SURE_ENOUGH else None


def _with_notes(understanding: Understanding, notes: Sequence[str]) -> Understanding:
    if not notes:
        return understanding
    ways = tuple(replace(way, notes=(*notes, *way.notes)) for way in understanding.ways)
    return replace(understanding, ways=ways)
