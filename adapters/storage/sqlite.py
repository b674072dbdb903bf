"""A state database in a file: one connection, in a thread of its own.

Jobs that wait at the same time share one commit. Only the thread waits for the disk or for another
process that writes; the event loop never does.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from adapters.storage.database import Only, Record, Result, Transaction, Value
from adapters.storage.migrating import migrate
from core.domain.errors import StateUnusable

_SECONDS_FOR_OTHERS = 30.0
_MOST_AT_ONCE = 256
_TRIES_TO_OPEN = 20
_SECONDS_BETWEEN = 0.05


@dataclass(slots=True)
class _Task:
    """A job, who waits for it, and how it ended."""

    job: Callable[[Transaction], Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None

    def settle(self) -> None:
        """Tell the one who waits; runs in the event loop."""
        if self.done.cancelled():
            return
        if self.error is not None:
            self.done.set_exception(self.error)
        else:
            self.done.set_result(self.result)


@dataclass(frozen=True, slots=True)
class _SqliteTransaction:
    connection: sqlite3.Connection

    def execute(self, statement: str, **values: Value) -> Sequence[Record]:
        return self.connection.execute(statement, values).fetchall()


@dataclass(slots=True)
class SqliteDatabase:
    """Keeps a file that its owner alone can read; it is made with the first job.

    A job runs to its end even when the task that waits for it is cancelled.
    """

    path: Path
    _tasks: SimpleQueue[_Task | None] = field(default_factory=SimpleQueue[_Task | None])
    _thread: Thread | None = None

    @property
    def place(self) -> str:
        return str(self.path)

    async def run(self, job: Callable[[Transaction], Result]) -> Result:
        if self._thread is None:
            self._thread = Thread(target=self._work, name=f"state {self.path.name}", daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        task = _Task(job, loop, loop.create_future())
        self._tasks.put(task)
        return await task.done

    async def close(self) -> None:
        """End once every job that was given has been run."""
        if self._thread is not None:
            self._tasks.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    def _work(self) -> None:
        connection: sqlite3.Connection | None = None
        while batch := self._next_batch():
            try:
                connection = connection or _opened(self.path)
            except (sqlite3.Error, OSError, StateUnusable) as error:
                _fail(batch, self._in_words(error))
            else:
                self._run(connection, batch)
            _settle(batch)
        if connection is not None:
            connection.close()

    def _next_batch(self) -> list[_Task]:
        """Wait for a task and take those that have come meanwhile; none of them means the end."""
        batch: list[_Task] = []
        with suppress(Empty):
            task = self._tasks.get()
            while task is not None:
                batch.append(task)
                if len(batch) == _MOST_AT_ONCE:
                    return batch
                task = self._tasks.get_nowait()
            if batch:
                self._tasks.put(None)  # first these, then the end
        return batch

    def _run(self, connection: sqlite3.Connection, batch: list[_Task]) -> None:
        try:
            _run_together(connection, batch)
        except Exception as error:
            if len(batch) == 1:
                _fail(batch, self._in_words(error))
                return
            # Whoever it was, the others must not suffer for it.
            for task in batch:
                self._run(connection, [task])

    def _in_words(self, error: Exception) -> Exception:
        if not isinstance(error, sqlite3.Error | OSError):
            return error
        return StateUnusable(
            f"The state database {self.path} cannot be used ({error}). Check that the disk has "
            "room and the file may be written, or set state_url to another database."
        )


def _run_together(connection: sqlite3.Connection, batch: list[_Task]) -> None:
    transaction = _SqliteTransaction(connection)
    first = batch[0]
    if len(batch) == 1 and isinstance(first.job, Only):
        first.result = first.job(transaction)
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for task in batch:
            task.result = task.job(transaction)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _fail(batch: list[_Task], error: Exception) -> None:
    for task in batch:
        task.error = error


def _settle(batch: list[_Task]) -> None:
    for task in batch:
        # A loop that is closed has nobody left who waits.
        with suppress(RuntimeError):
            task.loop.call_soon_threadsafe(task.settle)


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    connection = sqlite3.connect(path, isolation_level=None, timeout=_SECONDS_FOR_OTHERS)
    try:
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        # The system keeps the file's pages anyway; these are kibibytes of our own.
        connection.execute("PRAGMA cache_size = -512")
        connection.execute("BEGIN IMMEDIATE")
        migrate(_SqliteTransaction(connection), "sqlite")
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection) -> None:
    # Two processes that make the file at the same moment are told "locked" at once, not in time.
    for _ in range(_TRIES_TO_OPEN):
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL")
            return
        time.sleep(_SECONDS_BETWEEN)
    connection.execute("PRAGMA journal_mode = WAL")
