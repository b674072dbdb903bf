"""What is read from and written to the tables of runs, as jobs of a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adapters.storage.database import Record, Transaction
from adapters.storage.event_lines import decode, encode
from core.domain.events import STOPPED, TurnFailed
from core.domain.ids import RunId, TurnId

_SEEN = """
    INSERT INTO processes (process, seen_at) VALUES (:process, :now)
    ON CONFLICT (process) DO UPDATE SET seen_at = :now
"""
_RUN = """
    INSERT INTO runs (run, process, begun_at, ended) VALUES (:run, :process, :now, :ended)
    ON CONFLICT (run) DO UPDATE SET ended = :ended
"""
# A part that was written before is written again when nobody knows whether it was.
_PART = """
    INSERT INTO run_events (run, first_position, last_position, lines)
    VALUES (:run, :first, :last, :lines)
    ON CONFLICT (run, first_position) DO UPDATE SET last_position = :last, lines = :lines
"""
_STATE = """
    SELECT runs.ended, runs.process, processes.seen_at FROM runs
    LEFT JOIN processes ON processes.process = runs.process WHERE runs.run = :run
"""
_AFTER = """
    SELECT first_position, lines FROM run_events
    WHERE run = :run AND last_position > :after ORDER BY first_position
"""
_ALL = "SELECT last_position, lines FROM run_events WHERE run = :run ORDER BY first_position"
# Of two who find it left at the same moment, the second finds that the first has ended it.
_END = "UPDATE runs SET ended = 1 WHERE run = :run AND ended = 0 RETURNING stop_wished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Events of a run that follow each other, from position `first` to `last`; `lines` has them."""

    run: RunId
    first: int
    last: int
    lines: str
    is_known: bool
    ended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A run as the tables have it: who runs it, when that process was seen last, what there is."""

    ended: bool
    process: str
    seen_at: str
    parts: Sequence[Record]


def show_life(transaction: Transaction, *, process: str, now: str) -> None:
    """Write down that a process is there."""
    transaction.execute(_SEEN, process=process, now=now)


def write(transaction: Transaction, *, process: str, now: str, parts: Iterable[Part]) -> None:
    """Write parts of runs down."""
    for part in parts:
        if part.ended or not part.is_known:
            transaction.execute(_RUN, run=part.run, process=process, now=now, ended=int(part.ended))
        if part.lines:
            transaction.execute(
                _PART, run=part.run, first=part.first, last=part.last, lines=part.lines
            )


def find(transaction: Transaction, *, run: RunId, after: int) -> Found | None:
    """Return a run with the parts that have events after a position; None when it is not known."""
    for ended, process, seen_at in transaction.execute(_STATE, run=run):
        parts = transaction.execute(_AFTER, run=run, after=after)
        return Found(ended=bool(ended), process=process, seen_at=seen_at or "", parts=parts)
    return None


def close(transaction: Transaction, *, run: RunId, reason: str, error_id: str) -> None:
    """Give a run the end that its process cannot give it any more, unless it has one."""
    ended = transaction.execute(_END, run=run)
    if not ended:
        return
    stopped = bool(ended[0][0])
    parts = transaction.execute(_ALL, run=run)
    begun = next((event for _, lines in parts for event in decode(lines)), None)
    turn = begun.turn_id if begun else TurnId(run)
    position = max((last for last, _ in parts), default=0) + 1
    end = TurnFailed(
        turn_id=turn,
        reason=STOPPED if stopped else reason,
        error_id=error_id,
        stopped=stopped,
        lost=not stopped,
    )
    lines = encode([end])
    transaction.execute(_PART, run=run, first=position, last=position, lines=lines)
