"""Where the bot is installed: the tokens of each tenant, encrypted, and installs on their way.

A tenant is a workspace, or an organisation of several that installed the bot for all of them.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from adapters.storage.database import Database, Transaction, moment, only
from adapters.storage.secrets import SecretBox
from core.domain.ids import WorkspaceId, fresh_id
from core.ports.clock import Clock

_KEEP = """
    INSERT INTO installations (tenant, sealed, kept_at, claimed_until)
    VALUES (:tenant, :sealed, :now, '')
    ON CONFLICT (tenant) DO UPDATE SET sealed = :sealed, kept_at = :now, claimed_until = ''
"""
_FIND = "SELECT sealed FROM installations WHERE tenant = :tenant"
_TENANTS = "SELECT tenant FROM installations ORDER BY tenant"
_SEALED = "SELECT tenant, sealed FROM installations ORDER BY tenant"
# What was renewed meanwhile is encrypted with the first key already.
_RESEAL = "UPDATE installations SET sealed = :new WHERE tenant = :tenant AND sealed = :old"
_DROP = "DELETE FROM installations WHERE tenant = :tenant"
_CLAIM = """
    UPDATE installations SET claimed_until = :until
    WHERE tenant = :tenant AND claimed_until < :now RETURNING tenant
"""
_SEEN = """
    INSERT INTO installation_workspaces (tenant, workspace) VALUES (:tenant, :workspace)
    ON CONFLICT (tenant, workspace) DO NOTHING
"""
_WORKSPACES = """
    SELECT workspace FROM installation_workspaces WHERE tenant = :tenant ORDER BY workspace
"""
_TENANTS_OF = """
    SELECT tenant FROM installation_workspaces WHERE workspace = :workspace ORDER BY tenant
"""
_ISSUE = "INSERT INTO install_states (state, expires_at) VALUES (:state, :expires_at)"
_EXPIRED = "DELETE FROM install_states WHERE expires_at <= :now"
_CONSUME = """
    DELETE FROM install_states WHERE state = :state AND expires_at > :now RETURNING state
"""


@dataclass(frozen=True, slots=True)
class StoredInstallations:
    """What stands in the tables is of no use without the key of the box."""

    database: Database
    box: SecretBox
    clock: Clock

    async def keep(self, tenant: str, body: str) -> None:
        """Keep what an installation consists of, in the place of what was kept before."""
        sealed = (await asyncio.to_thread(self.box.seal, body)).decode()
        await self.database.run(only(_KEEP, tenant=tenant, sealed=sealed, now=self._now()))

    async def find(self, tenant: str) -> str | None:
        """Return what is kept of a tenant; None where nothing is.

        Raises:
            SecretUnreadable: it was encrypted with a key that is not there any more.
        """
        for (sealed,) in await self.database.run(only(_FIND, tenant=tenant)):
            return await asyncio.to_thread(self.box.open, str(sealed).encode())
        return None

    async def tenants(self) -> tuple[str, ...]:
        return tuple(str(row[0]) for row in await self.database.run(only(_TENANTS)))

    async def drop(self, tenant: str) -> None:
        await self.database.run(only(_DROP, tenant=tenant))

    async def reseal(self) -> int:
        """Encrypt every installation with the first key, and return how many there are.

        Raises:
            SecretUnreadable: one cannot be decrypted; those before it were changed.
        """
        rows = await self.database.run(only(_SEALED))
        for tenant, old in rows:
            new = (await asyncio.to_thread(self.box.rotate, str(old).encode())).decode()
            await self.database.run(only(_RESEAL, tenant=tenant, old=old, new=new))
        return len(rows)

    async def claim(self, tenant: str, *, seconds: float) -> bool:
        """Let one process alone renew the tokens of a tenant; `keep` gives the claim back."""
        until = moment(self.clock.now() + timedelta(seconds=seconds))
        job = only(_CLAIM, tenant=tenant, until=until, now=self._now())
        return bool(await self.database.run(job))

    async def seen(self, tenant: str, workspace: WorkspaceId) -> None:
        """Remember that a workspace belongs to a tenant."""
        await self.database.run(only(_SEEN, tenant=tenant, workspace=workspace))

    async def workspaces(self, tenant: str) -> tuple[WorkspaceId, ...]:
        rows = await self.database.run(only(_WORKSPACES, tenant=tenant))
        return tuple(WorkspaceId(row[0]) for row in rows)

    async def tenants_of(self, workspace: WorkspaceId) -> tuple[str, ...]:
        rows = await self.database.run(only(_TENANTS_OF, workspace=workspace))
        return tuple(str(row[0]) for row in rows)

    async def issue(self, *, seconds: float) -> str:
        """Begin an install and return the state that it has to come back with."""
        state = fresh_id()
        expires_at = moment(self.clock.now() + timedelta(seconds=seconds))
        now = self._now()
        await self.database.run(partial(_issue, state=state, expires_at=expires_at, now=now))
        return state

    async def consume(self, state: str) -> bool:
        """Say whether an install was begun with this state; a second time it was not."""
        return bool(await self.database.run(only(_CONSUME, state=state, now=self._now())))

    def _now(self) -> str:
        return moment(self.clock.now())


def _issue(transaction: Transaction, *, state: str, expires_at: str, now: str) -> None:
    transaction.execute(_EXPIRED, now=now)
    transaction.execute(_ISSUE, state=state, expires_at=expires_at)
