"""What must be done once, by whichever process comes to it first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from adapters.storage.database import Database, moment, only
from core.ports.clock import Clock

_FIRST = """
    INSERT INTO done_once (deed, done_at) VALUES (:deed, :now)
    ON CONFLICT (deed) DO UPDATE SET done_at = :now WHERE done_once.done_at <= :before
    RETURNING deed
"""
_UNDO = "DELETE FROM done_once WHERE deed = :deed"


@dataclass(frozen=True, slots=True)
class StoredOnce:
    """Remembers deeds by their names."""

    database: Database
    clock: Clock

    async def first(self, deed: str, *, within: timedelta) -> bool:
        """Say whether this is the first time for so long; of several who ask at once, one is."""
        now = self.clock.now()
        job = only(_FIRST, deed=deed, now=moment(now), before=moment(now - within))
        return bool(await self.database.run(job))

    async def undo(self, deed: str) -> None:
        """Forget a deed that came to nothing."""
        await self.database.run(only(_UNDO, deed=deed))
