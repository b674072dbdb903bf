"""Redshift through Amazon's driver: a read-only transaction and a server-side cursor a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from adapters.warehouses.failures import too_slow
from adapters.warehouses.parts import Head
from adapters.warehouses.threads.dbapi import DbapiSession
from adapters.warehouses.threads.driver import Connection, rows_of
from adapters.warehouses.threads.failures import (
    NOT_THERE,
    REFUSED,
    UNREACHABLE,
    cannot_be_read,
    not_now,
    one_line,
)
from adapters.warehouses.threads.session import Ask, Purpose
from core.domain.errors import QueryRejected, TemporarilyUnavailable, ToolError
from core.domain.table import Row

_FIRST_ROWS = 100
_BEGIN = "BEGIN READ ONLY"
# Classes of SQLSTATE after which the same query may work: connection, transaction, resources,
# locks, an operator, the system.
_PASSING = ("08", "40", "53", "55", "57", "58")
_CANCELLED = "57014"
_REFUSED = ("28000", "28P01")
_NO_DATABASE = "3D000"
# The numbers of types in pg_type, as the driver gives them.
_WORDS = {
    16: "boolean",
    20: "bigint",
    21: "smallint",
    23: "integer",
    700: "real",
    701: "double",
    1700: "numeric",
    1082: "date",
    1114: "timestamp",
    1184: "timestamptz",
    1083: "time",
    1266: "timetz",
    1186: "interval",
    3802: "json",
    114: "json",
    4000: "super",
}


class RedshiftConnection(Connection, Protocol):
    autocommit: bool


@dataclass(slots=True)
class RedshiftSession(DbapiSession):
    """One connection; `another` opens a second one, which stops what the first has begun.

    The driver reads a whole result into memory, so that a checked query is read through a cursor
    that the server keeps.
    """

    another: Callable[[], RedshiftConnection] = field(kw_only=True)
    process: int = 0
    _first: Sequence[Sequence[object]] | None = None

    def start(self, ask: Ask) -> tuple[Head, ...]:
        self.run(_BEGIN, f"SET LOCAL statement_timeout = {int(ask.seconds * 1000)}")
        self.cursor = cursor = self.connection.cursor()
        self._first = None
        if ask.purpose is Purpose.READ:
            cursor.execute(f"DECLARE resona NO SCROLL CURSOR FOR {ask.sql}")
            cursor.execute(f"FETCH FORWARD {_FIRST_ROWS} FROM resona")
            self._first = cursor.fetchmany(_FIRST_ROWS)
        else:
            self.execute(cursor, f"EXPLAIN {ask.sql}" if ask.purpose is Purpose.PLAN else ask.sql)
        return self.heads(cursor)

    def type_word(self, code: object) -> str:
        return _WORDS.get(code, "") if isinstance(code, int) else ""

    def take(self, size: int) -> list[Row]:
        if self.cursor is None:
            return []
        if self._first is None:
            return rows_of(self.cursor.fetchmany(size))
        taken, self._first = self._first[:size], self._first[size:]
        missing = size - len(taken)
        if missing:
            self.cursor.execute(f"FETCH FORWARD {missing} FROM resona")
            taken = [*taken, *self.cursor.fetchmany(missing)]
        return rows_of(taken)

    def finish(self) -> None:
        self.run("ROLLBACK")
        self.cursor = None

    def cancel(self) -> None:
        killer = self.another()
        try:
            killer.cursor().execute(f"SELECT pg_cancel_backend({self.process})")
        finally:
            killer.close()


@dataclass(frozen=True, slots=True)
class RedshiftEngine:
    """`open_connection` connects; `error` is the driver's own exception."""

    open_connection: Callable[[], RedshiftConnection]
    error: type[Exception]

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        return (self.error, OSError, ValueError, AttributeError)

    def connect(self) -> RedshiftSession:
        connection = self._connected()
        cursor = connection.cursor()
        cursor.execute("SELECT pg_backend_pid()")
        [[process]] = cursor.fetchmany(1)
        return RedshiftSession(connection, another=self._connected, process=int(str(process)))

    def _connected(self) -> RedshiftConnection:
        connection = self.open_connection()
        connection.autocommit = True  # the transactions are ours
        return connection

    def translated(self, error: BaseException, seconds: float) -> ToolError:
        state, words = said(error)
        if state == _CANCELLED or isinstance(error, TimeoutError):
            return too_slow(seconds)
        if state.startswith(_PASSING) or (not state and not isinstance(error, ValueError)):
            return not_now(words)
        return QueryRejected(words)

    def advice(self, error: ToolError) -> str:
        state = said(error.__cause__)[0] if error.__cause__ else ""
        if state in _REFUSED:
            return REFUSED
        if state == _NO_DATABASE:
            return NOT_THERE
        unreachable = isinstance(error, TemporarilyUnavailable) and not state
        return UNREACHABLE if unreachable else cannot_be_read(error)


def said(error: BaseException) -> tuple[str, str]:
    """Return the SQLSTATE and the words of the server, of which the driver makes a dict."""
    first = error.args[0] if error.args else ""
    if not isinstance(first, dict):
        return "", one_line(error)
    parts = cast("dict[str, object]", first)
    return str(parts.get("C", "")), " ".join(str(parts.get("M", "")).split())
