"""Connections that were added while the program runs, their secrets sealed, and who chose them.

Every change counts the version up, so that other processes can ask cheaply whether they have to
read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from adapters.storage.database import Database, Record, Transaction, moment, only
from adapters.storage.secrets import SecretBox
from core.domain.errors import SecretUnreadable
from core.domain.ids import ActorId, ConnectionName
from core.ports.clock import Clock

_VERSION = "SELECT version FROM connections_version"
_CHANGED = "UPDATE connections_version SET version = version + 1"
_ALL = "SELECT name, body, secret, kept_at FROM connections ORDER BY name"
_ADD = """
    INSERT INTO connections (name, body, secret, kept_at) VALUES (:name, :body, :secret, :now)
    ON CONFLICT (name) DO NOTHING RETURNING name
"""
_REPLACE = """
    INSERT INTO connections (name, body, secret, kept_at) VALUES (:name, :body, :secret, :now)
    ON CONFLICT (name) DO UPDATE SET body = :body, secret = :secret, kept_at = :now RETURNING name
"""
_FORGET = "DELETE FROM connections WHERE name = :name RETURNING name"
_RESEAL = "UPDATE connections SET secret = :new WHERE name = :name AND secret = :old RETURNING name"
_CHOOSE = """
    INSERT INTO chosen_connections (spot, connection, chosen_by, chosen_at)
    VALUES (:spot, :name, :by, :now) ON CONFLICT (spot)
    DO UPDATE SET connection = :name, chosen_by = :by, chosen_at = :now
"""
# One statement, so that looking takes no lock that a writer would wait for.
_GLANCE = """
    SELECT version, COALESCE(
      (SELECT connection FROM chosen_connections WHERE spot = :first),
      (SELECT connection FROM chosen_connections WHERE spot = :second),
      (SELECT connection FROM chosen_connections WHERE spot = :third)
    ) FROM connections_version
"""
_CHOSE = "SELECT spot FROM chosen_connections WHERE connection = :name ORDER BY spot"
_UNCHOOSE = "DELETE FROM chosen_connections WHERE connection = :name"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptConnection:
    """A connection as it is kept; `problem` says why its secret cannot be read, where it cannot.

    `kept_at` is known of what was read.
    """

    name: ConnectionName
    body: str
    secret: str = field(default="", repr=False)
    problem: str = ""
    kept_at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """The version that is true now, and what was chosen for the most special of some spots."""

    version: int
    chosen: ConnectionName | None


@dataclass(frozen=True, slots=True)
class StoredConnections:
    """Knows nothing of what a body means; secrets are opened when they are read, sealed when kept.

    A spot is where a connection may be chosen for: a thread, a channel, a workspace.
    """

    database: Database
    box: SecretBox
    clock: Clock

    async def glance(self, spots: Sequence[str]) -> Glance:
        """Look at the version and at what is chosen: three spots, the most special first."""
        first, second, third = (*spots, "", "", "")[:3]
        job = only(_GLANCE, first=first, second=second, third=third)
        [(version, chosen)] = await self.database.run(job)
        return Glance(version=version, chosen=ConnectionName(chosen) if chosen else None)

    async def all(self) -> tuple[int, tuple[KeptConnection, ...]]:
        """Return every connection, with the version that this was true of."""
        version, rows = await self.database.run(_everything)
        return version, await asyncio.to_thread(lambda: tuple(map(self._opened, rows)))

    async def keep(self, connection: KeptConnection, *, replace: bool) -> bool:
        """Keep a connection; False when there is one of its name and it is not to be replaced."""
        secret = await asyncio.to_thread(self._sealed, connection.secret)
        job = partial(
            _keep,
            statement=_REPLACE if replace else _ADD,
            rows=[(connection.name, connection.body, secret)],
            now=moment(self.clock.now()),
        )
        return bool(await self.database.run(job))

    async def keep_missing(self, connections: Iterable[KeptConnection]) -> None:
        """Keep those whose names are free, all of them together."""
        rows = [
            (each.name, each.body, await asyncio.to_thread(self._sealed, each.secret))
            for each in connections
        ]
        now = moment(self.clock.now())
        await self.database.run(partial(_keep, statement=_ADD, rows=rows, now=now))

    async def forget(self, name: ConnectionName) -> bool:
        """Forget a connection, and that it was chosen anywhere; False when there is none."""
        return bool(await self.database.run(partial(_forget, name=name)))

    async def choose(self, spot: str, name: ConnectionName, by: ActorId) -> None:
        """Have a spot use a connection from now on."""
        now = moment(self.clock.now())
        await self.database.run(only(_CHOOSE, spot=spot, name=name, by=by, now=now))

    async def spots_of(self, name: ConnectionName) -> tuple[str, ...]:
        """Return where a connection was chosen."""
        return tuple(row[0] for row in await self.database.run(only(_CHOSE, name=name)))

    async def reseal(self) -> int:
        """Encrypt every secret with the first key, and return how many there are.

        Raises:
            SecretUnreadable: one cannot be decrypted; nothing was changed.
        """
        _, rows = await self.database.run(_everything)
        secrets = [(name, secret) for name, _, secret, _ in rows if secret]
        fresh = [
            (name, old, (await asyncio.to_thread(self.box.rotate, old.encode())).decode())
            for name, old in secrets
        ]
        return await self.database.run(partial(_reseal, fresh=fresh))

    def _sealed(self, secret: str) -> str:
        return self.box.seal(secret).decode() if secret else ""

    def _opened(self, row: Record) -> KeptConnection:
        name, body, secret, kept_at = row
        opened, problem = "", ""
        try:
            opened = self.box.open(secret.encode()) if secret else ""
        except SecretUnreadable as error:
            problem = str(error)
        return KeptConnection(
            name=ConnectionName(name),
            body=body,
            secret=opened,
            problem=problem,
            kept_at=datetime.fromisoformat(kept_at),
        )


def _everything(transaction: Transaction) -> tuple[int, Sequence[Record]]:
    # In this order a change in between is read twice rather than never.
    [(version,)] = transaction.execute(_VERSION)
    return version, transaction.execute(_ALL)


def _keep(
    transaction: Transaction, *, statement: str, rows: Sequence[tuple[str, str, str]], now: str
) -> int:
    kept = [
        transaction.execute(statement, name=name, body=body, secret=secret, now=now)
        for name, body, secret in rows
    ]
    count = sum(map(len, kept))
    if count:
        transaction.execute(_CHANGED)
    return count


def _forget(transaction: Transaction, *, name: str) -> int:
    forgotten = len(transaction.execute(_FORGET, name=name))
    if forgotten:
        transaction.execute(_UNCHOOSE, name=name)
        transaction.execute(_CHANGED)
    return forgotten


def _reseal(transaction: Transaction, *, fresh: Sequence[tuple[str, str, str]]) -> int:
    done = [transaction.execute(_RESEAL, name=name, old=old, new=new) for name, old, new in fresh]
    return sum(map(len, done))
