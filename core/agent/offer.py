"""The tools that a run shows to the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

import orjson

from core.agent.tool_format import schema_of
from core.domain.chat import ToolSchema
from core.toolkit.catalogue import Catalogue
from core.toolkit.context import ToolContext
from core.toolkit.family import Family

_BYTES_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class ToolSchemas:
    """Every tool of a catalogue as the model reads it, made once."""

    catalogue: Catalogue
    by_name: Mapping[str, ToolSchema]
    tokens: Mapping[str, int]

    @classmethod
    def of(cls, catalogue: Catalogue) -> Self:
        by_name = {tool.name: schema_of(tool) for tool in catalogue}
        tokens = {name: _tokens(schema) for name, schema in by_name.items()}
        return cls(catalogue, by_name, tokens)


def _tokens(schema: ToolSchema) -> int:
    parameters = len(orjson.dumps(dict(schema.parameters)))
    return (len(schema.name) + len(schema.description) + parameters) // _BYTES_A_TOKEN


class Offer:
    """The tools of some families, those in `also`, those always on; grows, and never shrinks."""

    def __init__(
        self,
        schemas: ToolSchemas,
        families: Iterable[Family],
        context: ToolContext,
        *,
        also: Iterable[str] = (),
    ) -> None:
        self._schemas = schemas
        self._context = context
        self._also = frozenset(also)
        self.families = tuple(dict.fromkeys(families))
        self.schemas: tuple[ToolSchema, ...] = ()
        self.tokens = 0
        self._renew()

    def widen(self, families: Iterable[Family]) -> None:
        wider = tuple(dict.fromkeys((*self.families, *families)))
        if wider != self.families:
            self.families = wider
            self._renew()

    def _renew(self) -> None:
        of_families = set(self._schemas.catalogue.for_families(self.families))
        names = [
            tool.name
            for tool in self._schemas.catalogue
            if (tool in of_families or tool.name in self._also) and tool.available(self._context)
        ]
        self.schemas = tuple(self._schemas.by_name[name] for name in names)
        self.tokens = sum(self._schemas.tokens[name] for name in names)
