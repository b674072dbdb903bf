"""Decisions about runs that wait: whose they are, taken once, and written down."""

from __future__ import annotations

from dataclasses import dataclass, replace

import structlog

from bot.permits import NotAllowed, Permits
from bot.turn_gate import Declined
from core.domain.audit import AuditEntry, Deed
from core.domain.conversation import Turn
from core.domain.decisions import Approval, Approved, Choice, Decision, DecisionAnswer
from core.domain.errors import StateUnusable
from core.domain.ids import ConnectionName
from core.domain.paused import Fate, PausedRun
from core.ports.audit_log import AuditLog
from core.ports.clock import Clock
from core.ports.paused_runs import PausedRuns

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """Keeps decisions and refusals to those whose they are, with a record of each."""

    paused: PausedRuns
    audit: AuditLog
    permits: Permits
    clock: Clock

    async def taken(self, answer: DecisionAnswer) -> PausedRun:
        """Take the run that waits for this answer; nobody can take it again.

        Raises:
            Declined: it was answered, has expired, or is not this person's to decide.
        """
        try:
            waiting = await self.paused.look(answer.decision)
            if waiting is not None:
                await self.permits.connections.refresh()
                self.permits.check_decision(waiting, answer)
            paused = await self.paused.take(answer.decision)
            if paused is not None:
                await self._write_down(paused, answer)
        except (NotAllowed, StateUnusable) as error:
            raise Declined(str(error)) from error
        if paused is None:
            raise Declined(_WHY_NOT[await self.paused.fate(answer.decision)])
        return paused

    async def asked(self, turn: Turn, connection: ConnectionName, decision: Decision) -> None:
        """Write down that a person is asked about the cost of a query."""
        if isinstance(decision, Approval):
            await self._note(self._about(turn, connection, Deed.APPROVAL_ASKED, decision))

    async def lapsed(self) -> None:
        """Write down the costly queries that nobody decided about in time: silence means no."""
        for paused in await self.paused.expired():
            if isinstance(paused.decision, Approval):
                entry = self._about(paused.turn, paused.connection, Deed.EXPIRED, paused.decision)
                await self._note(entry)

    async def turned_away(self, turn: Turn, connection: ConnectionName, why: str) -> None:
        """Write down that somebody may not use a connection."""
        now = self.clock.now()
        entry = AuditEntry.of(turn, connection, at=now, deed=Deed.TURNED_AWAY)
        await self._note(replace(entry, note=why))

    async def _write_down(self, paused: PausedRun, answer: DecisionAnswer) -> None:
        """Record a decision about cost; what cannot be written down was not decided."""
        decision = paused.decision
        if not isinstance(decision, Approval):
            return
        deed = _DEEDS[answer.choice] if isinstance(answer, Approved) else Deed.CHEAPER_WANTED
        entry = self._about(paused.turn, paused.connection, deed, decision)
        try:
            await self.audit.record(replace(entry, decided_by=answer.actor))
        except StateUnusable:
            await self.paused.keep(paused)
            raise

    def _about(
        self, turn: Turn, connection: ConnectionName, deed: Deed, approval: Approval
    ) -> AuditEntry:
        return replace(
            AuditEntry.of(turn, connection, at=self.clock.now(), deed=deed),
            sql=approval.sql,
            query_hash=approval.query_hash,
            estimate=approval.estimate,
            note=approval.reason,
        )

    async def _note(self, entry: AuditEntry) -> None:
        """Record what let nobody read anything: without its record, nothing leaks."""
        try:
            await self.audit.record(entry)
        except StateUnusable:
            log.exception("audit_entry_lost", deed=entry.deed, connection=entry.connection)


_DEEDS = {
    Choice.APPROVE: Deed.APPROVED,
    Choice.CHEAPER: Deed.CHEAPER_WANTED,
    Choice.CANCEL: Deed.CANCELLED,
}
_WHY_NOT = {
    Fate.WAITING: "This is being answered at this very moment.",
    Fate.ANSWERED: "This was answered already.",
    Fate.EXPIRED: "This has expired: nobody answered in time, which counts as a no. Ask again.",
    Fate.UNKNOWN: "Nothing waits for this answer any more. Please ask again.",
}
