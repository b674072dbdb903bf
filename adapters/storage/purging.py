"""Deletes what is kept of one workspace, when it has taken back its leave; the audit log stays."""

from __future__ import annotations

import re
from collections.abc import Iterable

from adapters.storage.database import Record, Transaction
from core.domain.ids import FileId, WorkspaceId

# A file as answers and messages name it; in a text that people wrote the marks are escaped.
_FILE = re.compile(r'"id":"([0-9a-f]{32})","name":')
_RUNS = "SELECT DISTINCT run FROM run_events WHERE lines LIKE :runs ESCAPE '!'"
_EVENTS = "SELECT lines FROM run_events WHERE run = :run"
_OF_A_RUN = (
    "DELETE FROM run_events WHERE run = :run",
    "DELETE FROM runs WHERE run = :run",
)
# What may name files, read before it goes.
_NAMING = (
    ("SELECT body FROM exchanges WHERE thread LIKE :value ESCAPE '!'", "threads"),
    ("SELECT body FROM paused_runs WHERE body LIKE :value ESCAPE '!'", "people"),
    ("SELECT turn FROM answers_due WHERE turn LIKE :value ESCAPE '!'", "people"),
)
_GOING = (
    ("DELETE FROM exchanges WHERE thread LIKE :value ESCAPE '!'", "threads"),
    ("DELETE FROM paused_runs WHERE body LIKE :value ESCAPE '!'", "people"),
    ("DELETE FROM answers_due WHERE turn LIKE :value ESCAPE '!'", "people"),
    ("DELETE FROM done_once WHERE deed LIKE :value ESCAPE '!'", "threads"),
    ("DELETE FROM chosen_connections WHERE chosen_by LIKE :value ESCAPE '!'", "threads"),
    (
        "DELETE FROM chosen_connections WHERE connection IN "
        "(SELECT name FROM connections WHERE body LIKE :value ESCAPE '!')",
        "added",
    ),
    ("DELETE FROM connections WHERE body LIKE :value ESCAPE '!'", "added"),
    ("DELETE FROM connect_attempts WHERE body LIKE :value ESCAPE '!'", "people"),
    ("DELETE FROM turn_usage WHERE workspace LIKE :value ESCAPE '!'", "itself"),
    ("DELETE FROM installation_workspaces WHERE workspace LIKE :value ESCAPE '!'", "itself"),
)


def purge(transaction: Transaction, *, workspace: WorkspaceId) -> frozenset[FileId]:
    """Delete threads, runs, connections and choices of a workspace, and return its files' ids.

    What belongs to a workspace is known by its id, with which the ids of its threads and people
    begin.
    """
    named = re.sub(r"([!%_])", r"!\1", workspace)
    patterns = {
        "itself": named,
        "threads": f"{named}:%",
        "people": f'%"workspace":"{named}"%',
        "added": f'%"added_by":"{named}:%',
    }
    files: set[FileId] = set()
    for statement, pattern in _NAMING:
        files |= set(_files(transaction.execute(statement, value=patterns[pattern])))
    for (run,) in transaction.execute(_RUNS, runs=f'%"thread_id":"{named}:%'):
        files |= set(_files(transaction.execute(_EVENTS, run=run)))
        for statement in _OF_A_RUN:
            transaction.execute(statement, run=run)
    for statement, pattern in _GOING:
        transaction.execute(statement, value=patterns[pattern])
    # Every process has to learn which connections are gone.
    transaction.execute("UPDATE connections_version SET version = version + 1")
    return frozenset(files)


def _files(rows: Iterable[Record]) -> Iterable[FileId]:
    for (text,) in rows:
        yield from map(FileId, _FILE.findall(text))
