"""Definitions that are kept in memory, for each connection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.domain.definitions import Definition, Definitions, Stated, together
from core.domain.ids import ConnectionName, WorkspaceId


@dataclass(slots=True)
class InMemoryDictionary:
    """Holds what it was told last."""

    _said: dict[ConnectionName, Stated] = field(default_factory=dict[ConnectionName, Stated])

    def say(self, connection: ConnectionName, definitions: Sequence[Definition]) -> None:
        """Replace all that is said of a connection."""
        kept, problems = together(definitions)
        self._said[connection] = Stated(
            definitions=Definitions.of(kept), problems=tuple(problems), sources=("memory",)
        )

    async def stated(self, workspace: WorkspaceId, connection: ConnectionName) -> Stated:
        return self._said.get(connection, Stated())
