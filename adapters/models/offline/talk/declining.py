"""What is said where a question cannot be answered."""

from __future__ import annotations

from adapters.models.offline.form.defined import DEFINED
from adapters.models.offline.form.interpret import Understanding
from adapters.models.offline.form.measures import PARTS
from adapters.models.offline.form.world import World
from adapters.models.offline.talk.lookups import unknown_words
from adapters.models.offline.talk.situation import ToolAnswer
from adapters.models.offline.talk.smalltalk import WHO

_LONGEST_WORDS = 40


def not_understood(understanding: Understanding, world: World) -> str:
    """Say why a question makes no query, and what could be asked instead."""
    if understanding.beyond:
        return understanding.beyond
    tables = ", ".join(table.name for table in world.schema.tables[:6])
    more = " and others" if len(world.schema.tables) > 6 else ""
    unknown = ", ".join(repr(_cut(words)) for words in unknown_words(understanding)[:3])
    why = f"I found nothing here for {unknown}." if unknown else "I did not understand that."
    against = [each for each in understanding.reasons if each.startswith((DEFINED, PARTS))]
    why = f"{against[0]}." if against and not unknown else why
    first = next(iter(world.schema.tables)).name
    return (
        f"{why} {WHO} The tables here are {tables}{more}; you can ask, for example: how many"
        f" {first} are there?"
    )


def _cut(words: str) -> str:
    return words if len(words) <= _LONGEST_WORDS else words[: _LONGEST_WORDS - 1] + "…"


def failed(runs: tuple[ToolAnswer, ...]) -> str:
    """Say that no query for a question ran."""
    if not runs:
        return f"I cannot run a query now. {WHO}"
    return (
        "The query that I made for this question could not be run, and I know no better one."
        f" {WHO} Another wording may help."
    )
