"""Snowflake through its own connector: a query is sent, waited for and read by its id."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Protocol

from adapters.warehouses.failures import too_slow
from adapters.warehouses.parts import Head
from adapters.warehouses.threads.driver import Cursor, rows_of
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
_WAIT, _LONGEST_WAIT = 0.05, 1.0
# The service's numbers.
_TOO_SLOW = frozenset({604, 630})
_PASSING = frozenset({90001, 90030, 90073, 250001, 250003, 251005, 390112, 390114})
_REFUSED = frozenset({390100, 390101, 390144, 390195, 390318})
_NETWORK = ("OperationalError", "InterfaceError")
_WRONG_LOGIN = "ncorrect username or password"
_NO_WAREHOUSE = 606
_MISSING = 2003
_WORDS = {
    0: "number",
    1: "float",
    2: "varchar",
    3: "date",
    4: "timestamp",
    5: "variant",
    6: "timestamp_ltz",
    7: "timestamp_tz",
    8: "timestamp_ntz",
    9: "object",
    10: "array",
    11: "binary",
    12: "time",
    13: "boolean",
}


class SnowflakeCursor(Cursor, Protocol):
    def execute_async(self, command: str, *, num_statements: int) -> object: ...

    def get_results_from_sfqid(self, sfqid: str) -> None: ...

    def abort_query(self, qid: str) -> bool: ...

    @property
    def sfqid(self) -> str | None: ...


class SnowflakeConnection(Protocol):
    def cursor(self) -> SnowflakeCursor: ...

    def get_query_status_throw_if_error(self, sf_qid: str) -> object: ...

    def is_still_running(self, status: object) -> bool: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class SnowflakeSession:
    """One connection and the query that runs on it."""

    connection: SnowflakeConnection
    _cursor: SnowflakeCursor | None = None
    _query: str = ""
    _stopped: Event = field(default_factory=Event)
    _first: list[Row] = field(default_factory=list[Row])

    def start(self, ask: Ask) -> tuple[Head, ...]:
        self._cursor = cursor = self.connection.cursor()
        sql = f"EXPLAIN USING JSON {ask.sql}" if ask.purpose is Purpose.PLAN else ask.sql
        # One text is one statement, whatever it says.
        cursor.execute_async(sql, num_statements=1)
        self._query = cursor.sfqid or ""
        self._wait()
        cursor.get_results_from_sfqid(self._query)
        # The columns are known once something was read.
        self._first = rows_of(cursor.fetchmany(_FIRST_ROWS))
        described = cursor.description
        if not described:
            raise QueryRejected("Only a SELECT may run.")
        return tuple(Head(str(name), _WORDS.get(code, "")) for name, code, *_ in described)

    def take(self, size: int) -> list[Row]:
        taken, self._first = self._first[:size], self._first[size:]
        missing = size - len(taken)
        if missing and self._cursor is not None:
            taken += rows_of(self._cursor.fetchmany(missing))
        return taken

    def finish(self) -> None:
        if self._cursor is not None:
            self._cursor.close()
        self._cursor, self._query = None, ""

    def cancel(self) -> None:
        self._stopped.set()
        if self._query:
            self.connection.cursor().abort_query(self._query)

    def close(self) -> None:
        self.connection.close()

    def _wait(self) -> None:
        pause = _WAIT
        while self.connection.is_still_running(
            self.connection.get_query_status_throw_if_error(self._query)
        ):
            if self._stopped.wait(pause):
                raise TimeoutError
            pause = min(pause * 1.5, _LONGEST_WAIT)


@dataclass(frozen=True, slots=True)
class SnowflakeEngine:
    """`open_connection` connects; `error` is the driver's own exception."""

    open_connection: Callable[[], SnowflakeConnection]
    error: type[Exception]

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        return (self.error, OSError, ValueError)

    def connect(self) -> SnowflakeSession:
        return SnowflakeSession(self.open_connection())

    def translated(self, error: BaseException, seconds: float) -> ToolError:
        number = number_of(error)
        if number in _TOO_SLOW or isinstance(error, TimeoutError):
            return too_slow(seconds)
        words = words_of(error)
        if number == _NO_WAREHOUSE:
            return QueryRejected(f"{words} Name one in the connection's URL: ?warehouse=NAME.")
        passing = number in _PASSING or type(error).__name__ in (
            "OperationalError",
            "InterfaceError",
        )
        if passing or isinstance(error, OSError):
            return not_now(words)
        return QueryRejected(words)

    def advice(self, error: ToolError) -> str:
        number = number_of(error.__cause__)
        if number in _REFUSED or _WRONG_LOGIN in error.advice:
            return REFUSED
        if number == _MISSING:
            return NOT_THERE
        unreachable = isinstance(error, TemporarilyUnavailable)
        return UNREACHABLE if unreachable else cannot_be_read(error)


def number_of(error: BaseException | None) -> int:
    """Return the service's number for a failure; 0 where there is none."""
    number = getattr(error, "errno", None)
    return number if isinstance(number, int) else 0


def words_of(error: BaseException) -> str:
    """Return what the service said, without the ids that the driver puts around it."""
    raw = getattr(error, "raw_msg", None)
    return " ".join(raw.split()) if isinstance(raw, str) and raw else one_line(error)
