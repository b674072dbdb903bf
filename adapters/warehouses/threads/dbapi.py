"""A session over a driver that follows PEP 249; an engine's own one changes what it must."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from adapters.warehouses.parts import Head
from adapters.warehouses.threads.driver import Connection, Cursor, rows_of
from adapters.warehouses.threads.session import Ask, Purpose
from core.domain.errors import QueryRejected
from core.domain.table import Row


@dataclass(slots=True)
class DbapiSession:
    """One connection and the cursor that reads through it. `explain` goes before a plan."""

    connection: Connection
    explain: str = "EXPLAIN"
    cursor: Cursor | None = None

    def start(self, ask: Ask) -> tuple[Head, ...]:
        self.prepare(ask)
        self.cursor = self.connection.cursor()
        sql = f"{self.explain} {ask.sql}" if ask.purpose is Purpose.PLAN else ask.sql
        self.execute(self.cursor, sql)
        return self.heads(self.cursor)

    def prepare(self, ask: Ask) -> None:
        """Set the session up for this statement."""

    def execute(self, cursor: Cursor, sql: str) -> None:
        """Send the text as it is: without arguments a driver reads no percent sign or colon."""
        cursor.execute(sql)

    def heads(self, cursor: Cursor) -> tuple[Head, ...]:
        """Return the columns of what runs.

        Raises:
            QueryRejected: it has none.
        """
        described = cursor.description
        if not described:
            raise QueryRejected("Only a SELECT may run.")
        return tuple(Head(str(name), self.type_word(code)) for name, code, *_ in described)

    def type_word(self, code: object) -> str:
        """Return the engine's word for a type; nothing where it is not known."""
        return code if isinstance(code, str) else ""

    def take(self, size: int) -> list[Row]:
        return rows_of(self.cursor.fetchmany(size)) if self.cursor else []

    def finish(self) -> None:
        if self.cursor is not None:
            self.cursor.close()
            self.cursor = None

    def cancel(self) -> None:
        if self.cursor is not None:
            self.cursor.cancel()

    def close(self) -> None:
        # What is broken cannot always be closed, and each driver says so in its own way.
        with suppress(Exception):
            self.connection.close()

    def run(self, *statements: str) -> None:
        """Run statements of our own, which give nothing."""
        for statement in statements:
            cursor = self.connection.cursor()
            cursor.execute(statement)
            cursor.close()
