"""Lets go of what nobody comes back for; the audit log is never touched."""

from __future__ import annotations

from datetime import datetime, timedelta

from adapters.storage.database import Transaction, moment

RUNS_DAYS = 30
THREADS_DAYS = 90
_OLD_EVENTS = """
    DELETE FROM run_events WHERE run IN (SELECT run FROM runs WHERE begun_at < :before)
"""


def forget_old(transaction: Transaction, *, now: datetime) -> None:
    """Delete runs of a month ago and threads of three, and what nobody answered or went on with."""
    runs_before = moment(now - timedelta(days=RUNS_DAYS))
    yesterday = moment(now - timedelta(days=1))
    threads_before = moment(now - timedelta(days=THREADS_DAYS))
    transaction.execute(_OLD_EVENTS, before=runs_before)
    transaction.execute("DELETE FROM answers_due WHERE taken_at < :before", before=runs_before)
    transaction.execute("DELETE FROM runs WHERE begun_at < :before", before=runs_before)
    transaction.execute("DELETE FROM processes WHERE seen_at < :before", before=runs_before)
    transaction.execute("DELETE FROM paused_runs WHERE expires_at < :before", before=runs_before)
    transaction.execute("DELETE FROM connect_attempts WHERE expires_at < :before", before=yesterday)
    transaction.execute("DELETE FROM exchanges WHERE kept_at < :before", before=threads_before)
