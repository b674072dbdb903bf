"""What threads remember, in the state database."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

from pydantic import TypeAdapter

from adapters.storage.database import Database, Transaction, moment, only
from core.domain.conversation import Exchange, Thread
from core.domain.ids import ThreadId
from core.ports.clock import Clock

_KEPT = 10
_LOAD = "SELECT body FROM exchanges WHERE thread = :thread ORDER BY id"
_ADD = "INSERT INTO exchanges (thread, kept_at, body) VALUES (:thread, :kept_at, :body)"
_TRIM = """
    DELETE FROM exchanges WHERE thread = :thread AND id NOT IN
    (SELECT id FROM exchanges WHERE thread = :thread ORDER BY id DESC LIMIT :kept)
"""
_FORGET = "DELETE FROM exchanges WHERE thread = :thread"


@dataclass(frozen=True, slots=True)
class StoredThreads:
    """Keeps the last ten exchanges of each thread."""

    database: Database
    clock: Clock

    async def load(self, thread: ThreadId) -> Thread:
        rows = await self.database.run(only(_LOAD, thread=thread))
        # Two that came at once may both be there beyond the ten.
        exchanges = tuple(_shape().validate_json(row[0]) for row in rows)[-_KEPT:]
        return Thread(id=thread, exchanges=exchanges)

    async def append(self, thread: ThreadId, exchange: Exchange) -> None:
        body = _shape().dump_json(exchange).decode()
        now = moment(self.clock.now())
        await self.database.run(partial(_append, thread=thread, body=body, now=now))

    async def forget(self, thread: ThreadId) -> None:
        await self.database.run(only(_FORGET, thread=thread))


def _append(transaction: Transaction, *, thread: ThreadId, body: str, now: str) -> None:
    transaction.execute(_ADD, thread=thread, kept_at=now, body=body)
    transaction.execute(_TRIM, thread=thread, kept=_KEPT)


@cache
def _shape() -> TypeAdapter[Exchange]:
    return TypeAdapter(Exchange)
