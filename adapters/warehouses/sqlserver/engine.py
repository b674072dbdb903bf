"""SQL Server through ODBC: a transaction a query, always rolled back, with read-only intent."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, cast

from adapters.warehouses.failures import too_slow
from adapters.warehouses.parts import Head
from adapters.warehouses.threads.dbapi import DbapiSession
from adapters.warehouses.threads.driver import Connection
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

# What a text means must not depend on the login's defaults.
_SETTINGS = (
    "SET LOCK_TIMEOUT 3000",
    "SET QUOTED_IDENTIFIER ON",
    "SET ANSI_NULLS ON",
    "SET DATEFORMAT ymd",
    "SET DATEFIRST 1",
)
_TOO_SLOW = ("HYT00", "HYT01")
_PASSING = ("08", "40", "HYT", "HY008")
_LOCKED = "(1222)"
_LOGIN_FAILED = "28000"
_NO_DATABASE = "(4060)"
_NO_ODBC_DRIVER = ("IM002", "01000")
_INSTALL = (
    "cannot be reached without Microsoft's ODBC driver. Install msodbcsql18, or name another one in"
    " the URL: ?driver=NAME."
)


class OdbcConnection(Connection, Protocol):
    timeout: int

    def rollback(self) -> None: ...


@dataclass(slots=True)
class SqlServerSession(DbapiSession):
    """One connection without autocommit."""

    odbc: OdbcConnection = field(kw_only=True)
    _shows_plans: bool = False

    def prepare(self, ask: Ask) -> None:
        self.odbc.timeout = max(1, math.ceil(ask.seconds))
        self.run(*_SETTINGS)
        if ask.purpose is Purpose.PLAN:
            self.run("SET SHOWPLAN_XML ON")
            self._shows_plans = True

    def start(self, ask: Ask) -> tuple[Head, ...]:
        # With SHOWPLAN on, a statement gives its plan and is not run.
        self.prepare(ask)
        self.cursor = cursor = self.connection.cursor()
        self.execute(cursor, ask.sql)
        return self.heads(cursor)

    def type_word(self, code: object) -> str:
        return _WORDS.get(code.__name__, "") if isinstance(code, type) else ""

    def finish(self) -> None:
        if self.cursor is not None:
            self.cursor.close()
            self.cursor = None
        if self._shows_plans:
            self.run("SET SHOWPLAN_XML OFF")
            self._shows_plans = False
        self.odbc.rollback()


# The driver tells Python's types, not the server's.
_WORDS = {
    "int": "int",
    "float": "float",
    "Decimal": "decimal",
    "bool": "bit",
    "date": "date",
    "datetime": "datetime2",
    "time": "time",
}


@dataclass(frozen=True, slots=True)
class SqlServerEngine:
    """`open_connection` connects; `error` is the driver's own exception."""

    open_connection: Callable[[], Connection]
    error: type[Exception]

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        return (self.error, OSError, ValueError)

    def connect(self) -> SqlServerSession:
        connection = self.open_connection()
        return SqlServerSession(connection, odbc=cast("OdbcConnection", connection))

    def translated(self, error: BaseException, seconds: float) -> ToolError:
        state, words = said(error)
        if state in _TOO_SLOW or isinstance(error, TimeoutError):
            return too_slow(seconds)
        if state.startswith(_PASSING) or _LOCKED in words or isinstance(error, OSError):
            return not_now(words)
        return QueryRejected(words)

    def advice(self, error: ToolError) -> str:
        state, words = said(error.__cause__)
        if state in _NO_ODBC_DRIVER:
            return _INSTALL
        if _NO_DATABASE in words:
            return NOT_THERE
        if state == _LOGIN_FAILED:
            return REFUSED
        unreachable = isinstance(error, TemporarilyUnavailable)
        return UNREACHABLE if unreachable else cannot_be_read(error)


def said(error: BaseException | None) -> tuple[str, str]:
    """Return the SQLSTATE and the words of a failure."""
    if error is None:
        return "", ""
    state, words = (*map(str, error.args), "", "")[:2]
    return (state, " ".join(words.split())) if words else ("", one_line(error))
