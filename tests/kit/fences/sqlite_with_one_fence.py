"""A child process that opens a SQLite file with one of the fences up, or none, for each text."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

from adapters.warehouses.child.messages import Ask, Fault, Open
from adapters.warehouses.child.serving import EngineFailure, limit_memory, run
from adapters.warehouses.parts import Heads, Parts
from adapters.warehouses.sqlite.fence import FencedConnection


class Sqlite:
    """`path` is that of the file after the name of the fence."""

    def __init__(self, path: str) -> None:
        self._fence, _, self._path = path.partition(":")

    async def answer(self, ask: Ask) -> Parts:
        try:
            await asyncio.to_thread(self._run, ask.sql)
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise EngineFailure(Fault.REJECTED, str(error)) from error
        yield Heads(())

    def interrupt(self) -> None:
        """Do not listen: the time limit of these trials is the kill."""

    def _run(self, sql: str) -> None:
        mode = "ro" if self._fence == "read-only file" else "rw"
        with closing(
            sqlite3.connect(
                f"file:{self._path}?mode={mode}",
                uri=True,
                isolation_level=None,
                factory=FencedConnection,
            )
        ) as connection:
            if self._fence == "authorizer":
                connection.set_authorizer(connection.fence())
            if self._fence == "one statement a text":
                connection.execute(sql).fetchall()
            else:
                connection.executescript(sql)


async def _open(opening: Open) -> Sqlite:
    limit_memory(opening.memory_bytes)
    return Sqlite(opening.path)


if __name__ == "__main__":
    run(_open)
