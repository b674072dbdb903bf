"""A child process that opens a DuckDB file with one of the fences up, or none, for each text."""

from __future__ import annotations

import asyncio

import duckdb

from adapters.warehouses.child.messages import Ask, Fault, Open
from adapters.warehouses.child.serving import EngineFailure, limit_memory, run
from adapters.warehouses.duckdb.engine import locked_settings
from adapters.warehouses.parts import Heads, Parts


class DuckDB:
    """`path` is that of the file after the name of the fence."""

    def __init__(self, opening: Open) -> None:
        self._fence, _, self._path = opening.path.partition(":")
        self._settings = locked_settings(opening) if self._fence == "locked settings" else {}

    async def answer(self, ask: Ask) -> Parts:
        try:
            await asyncio.to_thread(self._run, ask.sql)
        except duckdb.Error as error:
            raise EngineFailure(Fault.REJECTED, str(error)) from error
        yield Heads(())

    def interrupt(self) -> None:
        """Do not listen: the time limit of these trials is the kill."""

    def _run(self, sql: str) -> None:
        read_only = self._fence == "read-only file"
        with duckdb.connect(self._path, read_only=read_only, config=self._settings) as connection:
            if self._fence == "locked settings":
                connection.execute("SET lock_configuration = true")
            if self._fence == "one SELECT a text":
                kinds = [each.type for each in connection.extract_statements(sql)]
                if kinds != [duckdb.StatementType.SELECT]:
                    raise EngineFailure(Fault.REJECTED, "only one SELECT may run")
            connection.execute(sql).fetchmany(1_000)


async def _open(opening: Open) -> DuckDB:
    limit_memory(2 * opening.memory_bytes)
    return DuckDB(opening)


if __name__ == "__main__":
    run(_open)
