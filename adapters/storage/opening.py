"""From where the state is kept (a file or a server) to the stores that keep it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from adapters.storage.answers_due import StoredAnswersDue
from adapters.storage.audit_log import StoredAuditLog
from adapters.storage.database import Database, Transaction
from adapters.storage.forgetting import forget_old
from adapters.storage.paused_runs import StoredPausedRuns
from adapters.storage.purging import purge
from adapters.storage.run_log import StoredRunLog
from adapters.storage.sqlite import SqliteDatabase
from adapters.storage.stop_wishes import StoredStopWishes
from adapters.storage.threads import StoredThreads
from core.domain.errors import SettingsInvalid, StateUnusable
from core.domain.ids import FileId, WorkspaceId, fresh_id
from core.ports.clock import Clock

log = logging.getLogger(__name__)

_POSTGRES = {"postgresql", "postgres"}
_SECONDS_BETWEEN_SWEEPS = 3_600.0
_HOW = (
    "state_url is {scheme!r}…, which cannot keep the state. Use sqlite:///FILE or "
    "postgresql://USER:PASSWORD@HOST/DATABASE."
)
_HOW_TO_ESCAPE = (
    "state_url cannot be read. A port is a number, and the characters / @ : ? # in a password are "
    "written as %2F %40 %3A %3F %23."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything that outlives the process."""

    database: Database
    threads: StoredThreads
    paused: StoredPausedRuns
    run_log: StoredRunLog
    audit: StoredAuditLog
    due: StoredAnswersDue
    stops: StoredStopWishes

    @property
    def place(self) -> str:
        """Return where it all is, as may be shown."""
        return self.database.place

    async def purge(self, workspace: WorkspaceId) -> frozenset[FileId]:
        """Delete all that is kept of a workspace but the audit log; return the files it had.

        Raises:
            StateUnusable: it cannot be deleted; nothing was then.
        """
        await self.run_log.flush()
        return await self.database.run(partial(purge, workspace=workspace))

    async def ready(self) -> None:
        """Open the database and bring its tables up to date.

        Raises:
            StateUnusable: it cannot be, or it is of a newer version.
        """
        await self.database.run(_nothing)


@asynccontextmanager
async def open_state(url: str, clock: Clock) -> AsyncGenerator[State]:
    """Open the stores; the database itself is opened by the first that needs it.

    Leaving writes down what is not written yet.

    Raises:
        SettingsInvalid: the URL is of no kind of database that can keep the state.
    """
    database, process = _database(url), fresh_id()
    state = State(
        database=database,
        threads=StoredThreads(database, clock),
        paused=StoredPausedRuns(database, clock),
        run_log=StoredRunLog(database, clock, process=process),
        audit=StoredAuditLog(database),
        due=StoredAnswersDue(database, clock, process),
        stops=StoredStopWishes(database, process),
    )
    keeping = (
        asyncio.create_task(state.run_log.keep_writing()),
        asyncio.create_task(state.due.keep_alive()),
        asyncio.create_task(_keep_forgetting(database, clock)),
    )
    try:
        yield state
    finally:
        for task in keeping:
            task.cancel()
        await asyncio.wait(keeping)
        await _last_words(state)
        await database.close()


async def _last_words(state: State) -> None:
    if state.run_log.has_unwritten:
        try:
            await state.run_log.flush()
        except StateUnusable as error:
            log.warning("the last events are lost: %s", error)


async def _keep_forgetting(database: Database, clock: Clock) -> None:
    """Let go of old things once an hour, beginning an hour from now."""
    while True:
        await asyncio.sleep(_SECONDS_BETWEEN_SWEEPS)
        with suppress(StateUnusable):
            await database.run(partial(forget_old, now=clock.now()))


def _database(url: str) -> Database:
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite" and rest.startswith("/"):
        return SqliteDatabase(Path(rest.removeprefix("/")))
    if scheme in _POSTGRES:
        from adapters.storage.postgres import PostgresDatabase

        return PostgresDatabase(url, place=_place(url))
    raise SettingsInvalid(_HOW.format(scheme=scheme[:20]))


def _place(url: str) -> str:
    try:
        parts, _ = (found := urlsplit(url)), found.port
    except ValueError:
        # The cause could hold the password: it stays out of the log.
        raise SettingsInvalid(_HOW_TO_ESCAPE) from None
    return f"{parts.path.lstrip('/') or 'postgres'} on {parts.hostname or 'this machine'}"


def _nothing(transaction: Transaction) -> None:
    del transaction
