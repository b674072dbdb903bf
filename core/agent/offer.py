"""The tools that a run shows to the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

import orjson

from core.agent.on_demand import USE_TOOL, lines_of, runner_of
from core.agent.tool_format import schema_of
from core.domain.chat import ToolSchema
from core.toolkit.catalogue import Catalogue
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import AnyTool

_BYTES_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class ToolSchemas:
    """Every tool of a catalogue as the model reads it, made once.

    `lines` has a line on each tool that is not always declared, `runner` is what runs these; it
    is left out where every tool is always on.
    """

    catalogue: Catalogue
    by_name: Mapping[str, ToolSchema]
    tokens: Mapping[str, int]
    always: tuple[AnyTool, ...]
    lines: Mapping[str, str]
    runner: ToolSchema | None
    _listed: dict[tuple[Family, ...], str] = field(
        init=False, repr=False, compare=False, default_factory=dict[tuple[Family, ...], str]
    )

    @classmethod
    def of(cls, catalogue: Catalogue) -> Self:
        by_name = {tool.name: schema_of(tool) for tool in catalogue}
        on_demand = [by_name[tool.name] for tool in catalogue if not tool.always_on]
        runner = runner_of(on_demand) if on_demand else None
        every = (*by_name.values(), *((runner,) if runner else ()))
        tokens = {schema.name: _tokens(schema) for schema in every}
        always = tuple(tool for tool in catalogue if tool.always_on)
        return cls(catalogue, by_name, tokens, always, lines_of(on_demand), runner)

    def listed(self, families: Iterable[Family]) -> str:
        """Return a line on each tool of these families that is not always declared."""
        key = tuple(families)
        if key not in self._listed:
            tools = self.catalogue.for_families(key)
            lines = (self.lines[tool.name] for tool in tools if tool.name in self.lines)
            self._listed[key] = "\n".join(lines)
        return self._listed[key]


def _tokens(schema: ToolSchema) -> int:
    parameters = len(orjson.dumps(dict(schema.parameters)))
    return (len(schema.name) + len(schema.description) + parameters) // _BYTES_A_TOKEN


class Offer:
    """The tools that are always on, those in `also`, and the one that runs all others.

    What is declared never changes in a run; `families` are those whose tools were told of.
    """

    def __init__(
        self,
        schemas: ToolSchemas,
        families: Iterable[Family],
        context: ToolContext,
        *,
        also: Iterable[str] = (),
    ) -> None:
        wanted = (schemas.catalogue.get(name) for name in also)
        tools = (*schemas.always, *(each for each in wanted if each and not each.always_on))
        declared = [schemas.by_name[tool.name] for tool in tools if tool.available(context)]
        if schemas.runner is not None:
            declared.append(schemas.runner)
        self.families = tuple(dict.fromkeys(families))
        self.schemas = tuple(declared)
        self.tokens = sum(schemas.tokens[schema.name] for schema in declared)
        self._all = schemas

    @property
    def names(self) -> frozenset[str]:
        """Return what may be called: every tool there is, declared or told of or neither."""
        return frozenset(self._all.by_name) | {USE_TOOL}

    def widen(self, families: Iterable[Family]) -> str:
        """Take families in; return what to tell of their tools, empty where all is known."""
        new = [family for family in dict.fromkeys(families) if family not in self.families]
        self.families = (*self.families, *new)
        return self._all.listed(new)
