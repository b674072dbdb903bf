"""A schema with everything that is read from it once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from adapters.models.offline.reading.tokens import tokenize
from adapters.models.offline.world.defined import DefinedWords, defined_words
from adapters.models.offline.world.joins import JoinGraph
from adapters.models.offline.world.lexicon import Lexicon
from adapters.models.offline.world.schema import Schema
from adapters.models.offline.world.values import LookedUp, ValueIndex
from core.domain.definitions import Definition


@dataclass(frozen=True, eq=False)
class World:
    """What a question is read against."""

    schema: Schema
    joins: JoinGraph
    lexicon: Lexicon
    values: ValueIndex
    dialect: str
    today: date
    defined: DefinedWords = field(default_factory=DefinedWords)

    def with_definitions(self, definitions: Sequence[Definition]) -> World:
        """Add what the data team's words mean; their joins are in the schema already."""
        if not definitions:
            return self
        return replace(self, defined=defined_words(definitions, self.schema, self.lexicon))

    def asked(self, question: str) -> World:
        """Return a world whose joins prefer the keys that a question speaks of."""
        words = (token.lemma for token in tokenize(question) if len(token.lemma) > 3)
        joins = self.joins.preferring(words)
        return self if joins is self.joins else replace(self, joins=joins)

    def with_values(self, looked_up: Sequence[LookedUp]) -> World:
        """Add values that were looked up."""
        return replace(self, values=self.values.extended(looked_up)) if looked_up else self


def world_of(schema: Schema, *, dialect: str, today: date) -> World:
    return World(schema, JoinGraph(schema), Lexicon(schema), ValueIndex(schema), dialect, today)
