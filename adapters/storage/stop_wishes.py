"""Wishes that a run should stop, in the state database, where its own process looks for them."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.storage.database import Database, only
from core.domain.ids import RunId

_WISH = "UPDATE runs SET stop_wished = 1 WHERE run = :run AND ended = 0 RETURNING run"
_WISHED = "SELECT run FROM runs WHERE process = :process AND stop_wished = 1 AND ended = 0"


@dataclass(frozen=True, slots=True)
class StoredStopWishes:
    """Stands beside the log of runs, whose table it shares."""

    database: Database
    process: str

    async def wish(self, run: RunId) -> bool:
        return bool(await self.database.run(only(_WISH, run=run)))

    async def wished(self) -> frozenset[RunId]:
        rows = await self.database.run(only(_WISHED, process=self.process))
        return frozenset(RunId(run) for (run,) in rows)
