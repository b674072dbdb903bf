"""What is remembered that matters for one turn: what the data team has defined."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

import structlog

from bot.connections import OpenConnection
from core.agent.config import AgentConfig
from core.domain.catalog import Catalog
from core.domain.conversation import Thread, Turn
from core.domain.definitions import NOTHING_DEFINED, Definitions, Stated
from core.domain.ids import ConnectionName, WorkspaceId
from core.memory.definitions import relevant, written
from core.memory.recall import TableRecall
from core.ports.data_dictionary import DataDictionary
from core.sql.definition_checks import Fitted, fitted
from core.sql.guard import Guard

log = structlog.get_logger()

_KEPT = 32
_CONFIG = AgentConfig()
_OUTDATED = (
    "The data team's definitions were changed in a way that cannot be read, so this answer goes "
    "by those from before."
)
_UNREADABLE = (
    "Not all of the data team's definitions could be read, so this answer may not go by them."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """What belongs into a turn, as values and as text for the prompt."""

    definitions: Definitions = NOTHING_DEFINED
    memory: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Held:
    """What fits a connection, beside the objects that it was made of."""

    stated: Definitions
    catalog: Catalog
    fitted: Fitted


@dataclass(slots=True)
class Recollecting:
    """Holds what is stated against each catalog once, and picks what a turn needs."""

    dictionary: DataDictionary
    _recall: TableRecall = field(default_factory=TableRecall)
    _held: OrderedDict[ConnectionName, _Held] = field(
        default_factory=OrderedDict[ConnectionName, _Held]
    )
    _told: set[str] = field(default_factory=set[str])

    async def of(self, turn: Turn, thread: Thread, found: OpenConnection) -> Recollection:
        """Return what matters for a turn; a dictionary that is broken only adds a warning."""
        stated = await self.dictionary.stated(turn.actor.workspace, found.connection.name)
        self._tell(stated)
        fitting = await self.fitting(stated, found)
        asked = (turn.question, *(each.question for each in reversed(thread.exchanges)))
        tables = await self._tables(fitting.definitions, asked, found.catalog)
        definitions = relevant(fitting.definitions, asked, tables=tables)
        return Recollection(
            definitions=definitions,
            memory=written(definitions),
            warnings=tuple(_warnings(stated)),
        )

    async def stated_for(
        self, workspace: WorkspaceId, found: OpenConnection
    ) -> tuple[Stated, Fitted]:
        """Return all that is stated of a connection, and what of it can be used."""
        stated = await self.dictionary.stated(workspace, found.connection.name)
        return stated, await self.fitting(stated, found)

    async def fitting(self, stated: Stated, found: OpenConnection) -> Fitted:
        """Return what of the stated can be used with a connection, looked into once."""
        if not stated.definitions:
            return Fitted(definitions=NOTHING_DEFINED)
        name, definitions = found.connection.name, stated.definitions
        held = self._held.get(name)
        if held is None or held.stated is not definitions or held.catalog is not found.catalog:
            made = await asyncio.to_thread(_held_against, definitions, found)
            held = self._held[name] = _Held(definitions, found.catalog, made)
            for problem in made.problems:
                log.warning("definition_does_not_fit", problem=str(problem))
        self._held.move_to_end(name)
        if len(self._held) > _KEPT:
            self._held.popitem(last=False)
        return held.fitted

    async def _tables(
        self, definitions: Definitions, asked: tuple[str, ...], catalog: Catalog
    ) -> frozenset[str]:
        """Return the tables that joins may be between: those that the prompt shows."""
        if not definitions.joins:
            return frozenset()
        text = " ".join(asked[:2])[: _CONFIG.question_chars]
        likely = await self._recall.recall(
            catalog, text, definitions=definitions, at_most=_CONFIG.tables_in_prompt
        )
        return frozenset(table.qualified_name for table in likely)

    def _tell(self, stated: Stated) -> None:
        """Log each problem once, as long as it stays."""
        problems = {str(each) for each in stated.problems}
        for problem in sorted(problems - self._told):
            log.warning("definitions_not_read", problem=problem)
        self._told |= problems


def _held_against(definitions: Definitions, found: OpenConnection) -> Fitted:
    guard = Guard(catalog=found.catalog)
    return fitted(definitions, guard, hidden=found.connection.rights.hide)


def _warnings(stated: Stated) -> Iterator[str]:
    if stated.problems:
        yield _OUTDATED if stated.outdated else _UNREADABLE
