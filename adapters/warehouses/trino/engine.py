"""Trino through its own client: one statement a request, limits as properties of the session."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from adapters.warehouses.failures import too_slow
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
from adapters.warehouses.threads.session import Ask
from core.domain.errors import QueryRejected, TemporarilyUnavailable, ToolError

_TOO_SLOW = ("EXCEEDED_TIME_LIMIT", "EXCEEDED_CPU_LIMIT")
_NOT_THERE = ("CATALOG_NOT_FOUND", "SCHEMA_NOT_FOUND")
_USER_ERROR = "USER_ERROR"
# What the query itself is too large for; anything else that is no error of the user may pass.
_TOO_LARGE = "EXCEEDED_SCAN_LIMIT"


@dataclass(slots=True)
class TrinoSession(DbapiSession):
    """One session; it tells the server again only what has changed."""

    explain: str = "EXPLAIN (TYPE IO, FORMAT JSON)"
    _told: dict[str, str] = field(default_factory=dict[str, str])

    def prepare(self, ask: Ask) -> None:
        seconds = f"{max(1, math.ceil(ask.seconds))}s"
        read = ask.ceiling.bytes
        wanted = {
            "query_max_run_time": seconds,
            "query_max_scan_physical_bytes": f"{int(read)}B" if math.isfinite(read) else "",
        }
        for name, value in wanted.items():
            if self._told.get(name, "") != value:
                self._tell(f"SET SESSION {name} = '{value}'" if value else f"RESET SESSION {name}")
                self._told[name] = value

    def _tell(self, statement: str) -> None:
        cursor = self.connection.cursor()
        cursor.execute(statement)
        cursor.fetchmany(1)  # the client learns of the new setting when it has read the answer


@dataclass(frozen=True, slots=True)
class TrinoEngine:
    """`open_connection` connects; `errors` are the driver's and its transport's own exceptions."""

    open_connection: Callable[[], Connection]
    errors: Sequence[type[Exception]]

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        return (*self.errors, OSError, ValueError)

    def connect(self) -> TrinoSession:
        return TrinoSession(self.open_connection())

    def translated(self, error: BaseException, seconds: float) -> ToolError:
        name, kind = said(error)
        words = str(getattr(error, "message", "")) or one_line(error)
        if name in _TOO_SLOW or isinstance(error, TimeoutError):
            return too_slow(seconds)
        if kind == _USER_ERROR or name == _TOO_LARGE or isinstance(error, ValueError):
            return QueryRejected(words)
        return not_now(words)

    def advice(self, error: ToolError) -> str:
        cause = error.__cause__
        name, kind = said(cause)
        if name in _NOT_THERE:
            return NOT_THERE
        if "401" in str(cause) or "403" in str(cause) or "Auth" in type(cause).__name__:
            return REFUSED
        unreachable = isinstance(error, TemporarilyUnavailable) and not kind
        return UNREACHABLE if unreachable else cannot_be_read(error)


def said(error: BaseException | None) -> tuple[str, str]:
    """Return the server's name for an error and its kind; nothing where there is none."""
    return str(getattr(error, "error_name", "") or ""), str(getattr(error, "error_type", "") or "")
