"""Attempts to connect that wait for their secret: a link of each works once, for some minutes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from adapters.storage.database import Database, Value, moment, only
from core.ports.clock import Clock

_KEEP = """
    INSERT INTO connect_attempts (attempt, token_hash, body, expires_at)
    VALUES (:attempt, :hash, :body, :expires)
"""
_PEEK = """
    SELECT body FROM connect_attempts
    WHERE token_hash = :hash AND used_at IS NULL AND expires_at > :now
"""
# Of several who come with the same link, one finds it unused.
_TAKE = """
    UPDATE connect_attempts SET used_at = :now
    WHERE token_hash = :hash AND used_at IS NULL AND expires_at > :now RETURNING body
"""
_LOOK = "SELECT body FROM connect_attempts WHERE attempt = :attempt"


@dataclass(frozen=True, slots=True)
class StoredAttempts:
    """Knows of a token nothing but its hash; a body holds no secret."""

    database: Database
    clock: Clock

    async def keep(self, attempt: str, body: str, *, token: str, expires: datetime) -> None:
        """Keep an attempt, whose secret may come with the token until it expires."""
        values: dict[str, Value] = {"attempt": attempt, "hash": _hash(token), "body": body}
        await self.database.run(only(_KEEP, **values, expires=moment(expires)))

    async def peek(self, token: str) -> str | None:
        """Return the attempt that waits for this token, and let it wait on."""
        return await self._found(_PEEK, hash=_hash(token), now=moment(self.clock.now()))

    async def take(self, token: str) -> str | None:
        """Return the attempt that waits for this token; nobody gets it again."""
        return await self._found(_TAKE, hash=_hash(token), now=moment(self.clock.now()))

    async def look(self, attempt: str) -> str | None:
        """Return an attempt by its id, whether or not it still waits."""
        return await self._found(_LOOK, attempt=attempt)

    async def _found(self, statement: str, **values: Value) -> str | None:
        rows = await self.database.run(only(statement, **values))
        return str(rows[0][0]) if rows else None


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
