"""SQLite inside the child process: SQLAlchemy's async engine on aiosqlite, fenced."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import partial
from typing import cast
from urllib.parse import quote

import aiosqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import StaticPool

from adapters.warehouses.child.messages import Ask, Fault, Open
from adapters.warehouses.child.serving import EngineFailure, limit_memory, run
from adapters.warehouses.parts import Head, Heads, Parts, Rows
from adapters.warehouses.sizes import rows_at_once
from adapters.warehouses.sqlite.fence import FencedConnection
from core.domain.table import Row

_SECONDS_FOR_A_LOCK = 1.0


@dataclass(slots=True)
class SqliteEngine:
    """One read-only connection. Text that is no UTF-8 is read with replacement characters.

    The driver's own cursor reads: it sends the text as it is and makes plain tuples.
    """

    session: AsyncConnection
    driver: aiosqlite.Connection
    connection: FencedConnection

    async def answer(self, ask: Ask) -> Parts:
        self.connection.catalog_open = ask.of_catalog
        try:
            async with self.driver.execute(ask.sql) as cursor:
                yield Heads(tuple(Head(name) for name, *_ in cursor.description or ()))
                async for rows in _batches(cursor, ask.rows):
                    yield Rows(rows, plain=True)
        except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
            raise self._failure(error) from error

    def interrupt(self) -> None:
        self.connection.interrupt()

    async def close(self) -> None:
        await self.session.close()
        await self.session.engine.dispose()

    def _failure(self, error: Exception) -> EngineFailure:
        words = str(error)
        if "decode to UTF-8" in words:
            # Strict reading is faster, so this is done for the files that need it only.
            self.connection.text_factory = partial(str, encoding="utf-8", errors="replace")
            return EngineFailure(Fault.BUSY, "The text is no UTF-8; it is read leniently now.")
        return EngineFailure(_fault(error), words)


async def _batches(cursor: aiosqlite.Cursor, at_most: int) -> AsyncGenerator[list[Row], None]:
    left, size = at_most, rows_at_once(())
    while left > 0:
        rows = cast("list[Row]", await cursor.fetchmany(min(left, size)))
        if not rows:
            return
        yield rows
        left -= len(rows)
        size = rows_at_once(rows)


def _fault(error: Exception) -> Fault:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL")):
        return Fault.BUSY
    if name == "SQLITE_INTERRUPT":
        return Fault.STOPPED
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_IOERR")):
        return Fault.UNUSABLE
    return Fault.REJECTED


async def open_sqlite(opening: Open) -> SqliteEngine:
    """Open a file for reading; it has to be there.

    Raises:
        EngineFailure: it cannot be opened.
    """
    made: list[FencedConnection] = []

    def make() -> FencedConnection:
        made.append(
            sqlite3.connect(
                f"file:{quote(opening.path)}?mode=ro",
                uri=True,
                timeout=_SECONDS_FOR_A_LOCK,
                cached_statements=0,
                check_same_thread=False,
                factory=FencedConnection,
            )
        )
        return made[-1]

    driver = aiosqlite.Connection(make, iter_chunk_size=1)

    async def connect() -> aiosqlite.Connection:
        return await driver

    engine = create_async_engine("sqlite+aiosqlite://", async_creator=connect, poolclass=StaticPool)
    try:
        session = await engine.connect()
    except DBAPIError as error:
        await engine.dispose()
        cause = error.orig if isinstance(error.orig, Exception) else error
        raise EngineFailure(_fault(cause), str(cause)) from error
    # SQLAlchemy has set up its connection with PRAGMAs; from here on nobody may.
    await driver.set_authorizer(made[-1].fence())
    return SqliteEngine(session, driver, made[-1])


async def _open(opening: Open) -> SqliteEngine:
    limit_memory(opening.memory_bytes)
    return await open_sqlite(opening)


if __name__ == "__main__":
    run(_open)
