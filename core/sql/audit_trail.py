"""Writes down what one run reads, so that nothing is shown of which there is no record."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from core.domain.audit import AuditEntry, AuditSearch, Deed
from core.domain.conversation import Turn
from core.domain.errors import NotPossible, StateUnusable
from core.domain.ids import ActorId, ConnectionName
from core.domain.query import CostEstimate, GuardedQuery
from core.ports.audit_log import AuditLog
from core.ports.clock import Clock
from core.sql.history import Past

log = logging.getLogger(__name__)

_MOST_PAST = 300
_UNWRITABLE = (
    "The audit log cannot be written, so that nothing of what was read may be shown. Say that "
    "whoever runs this bot has to look at its state database; ask for no more data."
)


@dataclass(slots=True)
class Reading:
    """What a query that runs has given so far."""

    rows: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditTrail:
    """One a run. `decided_by` is the person who let its run go on, where one had to."""

    log: AuditLog
    turn: Turn
    connection: ConnectionName
    clock: Clock
    decided_by: ActorId | None = None

    async def past(self) -> tuple[Past, ...]:
        """Return what the connection's last queries were expected to read, and what they took."""
        search = AuditSearch(connection=self.connection, deed=Deed.RAN)
        try:
            entries = await self.log.entries(search, at_most=_MOST_PAST)
        except StateUnusable:
            log.warning("the audit log cannot be read, so that no time can be told beforehand")
            return ()
        return tuple(
            Past(entry.estimate, entry.seconds)
            for entry in entries
            if entry.estimate is not None and entry.seconds is not None
        )

    @asynccontextmanager
    async def of(
        self, query: GuardedQuery, *, estimate: CostEstimate | None, approved: bool
    ) -> AsyncGenerator[Reading]:
        """Write a query down when the block that runs it ends, however it does.

        Raises:
            NotPossible: it ran and cannot be written down; its rows must not be used.
        """
        reading = Reading()
        started = self.clock.monotonic()
        began = self.clock.now()

        def entry(deed: Deed, *, rows: int | None = None, note: str = "") -> AuditEntry:
            return replace(
                AuditEntry.of(self.turn, self.connection, at=began, deed=deed),
                sql=query.sql,
                query_hash=query.hash,
                rows=rows,
                seconds=self.clock.monotonic() - started,
                estimate=estimate,
                decided_by=self.decided_by if approved else None,
                note=note,
            )

        try:
            yield reading
        except BaseException as error:
            failed = isinstance(error, Exception)  # a cancelled query is none
            deed = Deed.FAILED if failed else Deed.STOPPED
            await self._record_in_vain(entry(deed, note=type(error).__name__ if failed else ""))
            raise
        await self._record(entry(Deed.RAN, rows=reading.rows))

    async def _record(self, entry: AuditEntry) -> None:
        try:
            await self.log.record(entry)
        except StateUnusable as error:
            log.exception("a query is not in the audit log")
            raise NotPossible(_UNWRITABLE) from error

    async def _record_in_vain(self, entry: AuditEntry) -> None:
        """Write down a query that gave nothing; what ended it is what counts."""
        try:
            await self.log.record(entry)
        except StateUnusable:
            log.exception("a query that gave nothing is not in the audit log")
