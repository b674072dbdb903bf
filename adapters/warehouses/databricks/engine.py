"""Databricks through its own SQL connector: time limit and time zone in the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
from core.domain.errors import QueryRejected, TemporarilyUnavailable, ToolError

# Error classes and texts of the service.
_TOO_SLOW = ("STATEMENT_TIMEOUT", "timed out", "Statement timed out")
_PASSING = (
    *("Invalid SessionHandle", "INVALID_HANDLE", "TEMPORARILY_UNAVAILABLE", "RESOURCE_EXHAUSTED"),
    *("REQUEST_LIMIT_EXCEEDED", "CANCELED", "Max retries exceeded", "ENDPOINT_NOT_FOUND"),
)
_REFUSED = ("401", "403", "Invalid access token", "PERMISSION_DENIED", "Error during request")
_NOT_THERE = ("NO_SUCH_CATALOG", "SCHEMA_NOT_FOUND", "CATALOG_NOT_FOUND")
_REJECTED = ("ServerOperationError", "ProgrammingError", "DataError", "NotSupportedError")


@dataclass(frozen=True, slots=True)
class DatabricksEngine:
    """`open_connection` connects; `errors` are the driver's own exceptions."""

    open_connection: Callable[[], Connection]
    errors: Sequence[type[Exception]]

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        return (*self.errors, OSError, ValueError)

    def connect(self) -> DbapiSession:
        return DbapiSession(self.open_connection(), explain="EXPLAIN COST")

    def translated(self, error: BaseException, seconds: float) -> ToolError:
        words = one_line(error)
        if isinstance(error, TimeoutError) or any(each in words for each in _TOO_SLOW):
            return too_slow(seconds)
        if any(each in words for each in _PASSING):
            return not_now(words)
        if isinstance(error, ValueError) or type(error).__name__ in _REJECTED:
            return QueryRejected(words)
        return not_now(words)

    def advice(self, error: ToolError) -> str:
        words = str(error.__cause__)
        if any(each in words for each in _NOT_THERE):
            return NOT_THERE
        if any(each in words for each in _REFUSED):
            return REFUSED
        unreachable = isinstance(error, TemporarilyUnavailable)
        return UNREACHABLE if unreachable else cannot_be_read(error)
