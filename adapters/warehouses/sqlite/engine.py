"""SQLite inside the child process: aiosqlite alone, fenced."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from functools import partial
from typing import cast
from urllib.parse import quote

import aiosqlite

from adapters.warehouses.child.messages import Ask, Fault, Open
from adapters.warehouses.child.serving import EngineFailure, limit_memory, run
from adapters.warehouses.parts import Head, Heads, Parts, Rows
from adapters.warehouses.sizes import in_pieces
from adapters.warehouses.sqlite.fence import FencedConnection
from core.domain.table import Row

_SECONDS_FOR_A_LOCK = 1.0
_FAILURES = (sqlite3.Error, sqlite3.Warning, OverflowError)


@dataclass(slots=True)
class SqliteEngine:
    """One read-only connection. Text that is no UTF-8 is read with replacement characters.

    The driver's own cursor reads: it sends the text as it is and makes plain tuples.
    """

    driver: aiosqlite.Connection
    connection: FencedConnection

    async def answer(self, ask: Ask) -> Parts:
        self.connection.catalog_open = ask.of_catalog
        sent, again = False, True
        while again:
            again = False
            try:
                async for part in self._read(ask):
                    sent = True
                    yield part
            except _FAILURES as error:
                again = self._may_read_again(error, sent=sent)

    async def _read(self, ask: Ask) -> Parts:
        async with self.driver.execute(ask.sql) as cursor:

            async def take(size: int) -> list[Row]:
                return cast("list[Row]", await cursor.fetchmany(size))

            pieces = in_pieces(take, ask.rows)
            # Nothing is sent before the first rows could be read as text.
            first = await anext(pieces, None)
            yield Heads(tuple(Head(name) for name, *_ in cursor.description or ()))
            if first:
                yield Rows(first, plain=True)
            async for rows in pieces:
                yield Rows(rows, plain=True)

    def _may_read_again(self, error: Exception, *, sent: bool) -> bool:
        """Go on leniently with text that is no UTF-8; it is slower, so only where it is needed."""
        if "decode to UTF-8" not in str(error):
            raise EngineFailure(_fault(error), str(error)) from error
        self.connection.text_factory = partial(str, encoding="utf-8", errors="replace")
        if sent:
            raise EngineFailure(Fault.BUSY, "Some text is no UTF-8. Try again.") from error
        return True

    def interrupt(self) -> None:
        self.connection.interrupt()

    async def close(self) -> None:
        await self.driver.close()


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
    try:
        await driver
    except _FAILURES as error:
        raise EngineFailure(_fault(error), str(error)) from error
    await driver.set_authorizer(made[-1].fence())
    return SqliteEngine(driver, made[-1])


async def _open(opening: Open) -> SqliteEngine:
    limit_memory(opening.memory_bytes)
    return await open_sqlite(opening)


if __name__ == "__main__":
    run(_open)
