"""DuckDB inside the child process: its own driver, read-only and locked, in a thread."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import duckdb

from adapters.warehouses.child.messages import Ask, Fault, Open
from adapters.warehouses.child.serving import EngineFailure, limit_memory, run
from adapters.warehouses.parts import Head, Heads, Parts, Rows
from adapters.warehouses.sizes import in_pieces
from core.domain.table import Row

_THREADS = 2
_MOST_ON_DISK = "4GB"
_OVERHEAD = 1024 * 1024 * 1024
_LOST = (duckdb.FatalException, duckdb.InternalException)


@dataclass(slots=True)
class DuckDBEngine:
    """One connection that may only read its own file.

    Moments come in UTC; an interval's months count 30 days each.
    """

    connection: duckdb.DuckDBPyConnection

    async def answer(self, ask: Ask) -> Parts:
        try:
            yield await asyncio.to_thread(self._execute, ask)
            async for rows in in_pieces(self._take, ask.rows):
                yield Rows(rows)
        except _LOST:
            # The driver is of no use after this: let the process end, a new one will do.
            raise
        except duckdb.Error as error:
            raise EngineFailure(_fault(error), str(error)) from error

    def interrupt(self) -> None:
        self.connection.interrupt()

    def _execute(self, ask: Ask) -> Heads:
        statements = self.connection.extract_statements(ask.sql)
        allowed = {duckdb.StatementType.SELECT}
        if ask.of_catalog:
            allowed.add(duckdb.StatementType.EXPLAIN)
        if len(statements) == 1 and statements[0].type is duckdb.StatementType.MULTI:
            raise EngineFailure(Fault.REJECTED, _PIVOT_WITHOUT_VALUES)
        if len(statements) != 1 or statements[0].type not in allowed:
            raise EngineFailure(Fault.REJECTED, "only one SELECT may run")
        self.connection.execute(statements[0])
        described = self.connection.description or ()
        return Heads(tuple(Head(str(name), str(kind)) for name, kind, *_ in described))

    async def _take(self, size: int) -> list[Row]:
        return await asyncio.to_thread(self.connection.fetchmany, size)


# The engine would make a type of the values first, which is no reading.
_PIVOT_WITHOUT_VALUES = (
    "PIVOT has to name its values here, as in PIVOT t ON status IN ('paid', 'open') USING sum(x)"
)


def _fault(error: duckdb.Error) -> Fault:
    match error:
        case duckdb.InterruptException():
            return Fault.STOPPED
        case duckdb.IOException():
            return Fault.UNUSABLE
        case _:
            return Fault.REJECTED


async def open_duckdb(opening: Open) -> DuckDBEngine:
    """Open a file for reading, with everything beyond it locked.

    Raises:
        EngineFailure: it cannot be opened.
    """
    try:
        connection = duckdb.connect(opening.path, read_only=True, config=locked_settings(opening))
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("SET lock_configuration = true")
    except duckdb.Error as error:
        raise EngineFailure(Fault.UNUSABLE, str(error)) from error
    return DuckDBEngine(connection)


def locked_settings(opening: Open) -> dict[str, str | bool | int | float | list[str]]:
    """Return the settings with which a query reaches nothing but the file, once they are locked."""
    return {
        "enable_external_access": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "python_enable_replacements": "false",
        "memory_limit": f"{opening.memory_bytes // 2**20}MiB",
        "threads": str(_THREADS),
        "temp_directory": opening.scratch,
        "max_temp_directory_size": _MOST_ON_DISK,
    }


async def _open(opening: Open) -> DuckDBEngine:
    limit_memory(opening.memory_bytes + _OVERHEAD)
    return await open_duckdb(opening)


if __name__ == "__main__":
    run(_open)
