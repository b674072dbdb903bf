"""Runs that wait for a person, in the state database: they outlive the process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from adapters.storage import paused_form
from adapters.storage.database import Database, Record, Transaction, moment, only
from core.domain.errors import StateUnusable
from core.domain.ids import DecisionId
from core.domain.paused import Fate, PausedRun
from core.ports.clock import Clock

log = structlog.get_logger()

_KEEP = """
    INSERT INTO paused_runs (decision, form, body, expires_at)
    VALUES (:decision, :form, :body, :expires_at)
    ON CONFLICT (decision) DO UPDATE
    SET form = :form, body = :body, expires_at = :expires_at, taken_at = NULL
"""
_LOOK = """
    SELECT form, body FROM paused_runs
    WHERE decision = :decision AND taken_at IS NULL AND expires_at > :now
"""
# Of two who take at the same moment, the second finds that the first one has.
_TAKE = """
    UPDATE paused_runs SET taken_at = :now, body = ''
    WHERE decision = :decision AND taken_at IS NULL AND expires_at > :now
    RETURNING decision
"""
# Without its body an expired one was given to somebody already; only its fate is remembered.
_EXPIRED = """
    SELECT decision, form, body FROM paused_runs
    WHERE taken_at IS NULL AND expires_at <= :now AND body <> ''
    ORDER BY expires_at LIMIT 100
"""
_LAPSE = """
    UPDATE paused_runs SET body = ''
    WHERE decision = :decision AND taken_at IS NULL AND body <> ''
    RETURNING decision
"""
_FATE = "SELECT taken_at, expires_at FROM paused_runs WHERE decision = :decision"


@dataclass(frozen=True, slots=True)
class StoredPausedRuns:
    """Of a run that was taken only that it was is kept."""

    database: Database
    clock: Clock

    async def keep(self, paused: PausedRun) -> None:
        job = only(
            _KEEP,
            decision=paused.decision.id,
            form=paused_form.FORM,
            body=paused_form.dump(paused),
            expires_at=moment(paused.expires_at),
        )
        await self.database.run(job)

    async def look(self, decision: DecisionId) -> PausedRun | None:
        job = only(_LOOK, decision=decision, now=moment(self.clock.now()))
        return _loaded(await self.database.run(job))

    async def take(self, decision: DecisionId) -> PausedRun | None:
        job = partial(_take, decision=decision, now=moment(self.clock.now()))
        return _loaded(await self.database.run(job))

    async def fate(self, decision: DecisionId) -> Fate:
        rows = await self.database.run(only(_FATE, decision=decision))
        if not rows:
            return Fate.UNKNOWN
        [(taken_at, expires_at)] = rows
        if taken_at is not None:
            return Fate.ANSWERED
        return Fate.WAITING if expires_at > moment(self.clock.now()) else Fate.EXPIRED

    async def expired(self) -> tuple[PausedRun, ...]:
        rows = await self.database.run(partial(_lapse, now=moment(self.clock.now())))
        return tuple(_readable(rows))


def _readable(rows: Sequence[Record]) -> Iterator[PausedRun]:
    for form, body in rows:
        try:
            yield paused_form.load(body, form=form)
        except StateUnusable:
            log.warning("expired_question_unreadable", form=form)


def _lapse(transaction: Transaction, *, now: str) -> Sequence[Record]:
    return [
        (form, body)
        for decision, form, body in transaction.execute(_EXPIRED, now=now)
        if transaction.execute(_LAPSE, decision=decision)
    ]


def _take(transaction: Transaction, *, decision: DecisionId, now: str) -> Sequence[Record]:
    waiting = transaction.execute(_LOOK, decision=decision, now=now)
    return waiting if transaction.execute(_TAKE, decision=decision, now=now) else ()


def _loaded(rows: Sequence[Record]) -> PausedRun | None:
    return next((paused_form.load(body, form=form) for form, body in rows), None)
