"""BigQuery through Google's client: a dry run first, then one job with its ceiling."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol
from uuid import uuid4

from pydantic import BaseModel, Field, ValidationError

from adapters.warehouses.failures import too_slow
from adapters.warehouses.parts import Head
from adapters.warehouses.threads.driver import rows_of
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

# So much is billed for each table at least; a lower ceiling would refuse every query.
_LEAST_BILLED = 10 * 1024 * 1024
_SECONDS_FOR_A_REQUEST = 15.0
_PLAN = (Head("statement_type"), Head("total_bytes_processed"), Head("accuracy"))
_REJECTED = frozenset({400, 404, 409, 412})
_FORBIDDEN = 403  # for want of a right, and for too many requests, too
_TOO_SLOW = ("Job timed out", "Operation timed out", "timeoutMs", "jobTimeoutMs")
_UNREACHABLE = (0, 500, 502, 503, 504)


class ColumnField(Protocol):
    name: str
    field_type: str
    mode: str


class ResultRow(Protocol):
    def values(self) -> tuple[object, ...]: ...


class Result(Protocol):
    schema: Sequence[ColumnField]

    def __iter__(self) -> Iterator[ResultRow]: ...


class Job(Protocol):
    location: str

    @property
    def statement_type(self) -> str | None: ...

    @property
    def total_bytes_processed(self) -> int | None: ...

    @property
    def referenced_tables(self) -> Sequence[object]: ...

    def result(
        self, *, page_size: int, timeout: float, retry: object, job_retry: None
    ) -> Result: ...


class Client(Protocol):
    def query(
        self,
        query: str,
        *,
        job_config: object,
        job_id: str,
        timeout: float,
        retry: object,
        job_retry: None,
    ) -> Job: ...

    def cancel_job(
        self, job_id: str, *, location: str | None, timeout: float, retry: object
    ) -> object: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class BigQuerySession:
    """One client and the job that runs.

    `config` makes the driver's settings of a job. `retry` makes its rule to ask a service that
    does not answer again for so many seconds; its own goes on for ten minutes.
    """

    client: Client
    config: Callable[[dict[str, object]], object]
    retry: Callable[[float], object]
    _job: str = ""
    _location: str | None = None
    _rows: Iterator[ResultRow] = field(default_factory=lambda: iter(list[ResultRow]()))
    _plan: list[Row] = field(default_factory=list[Row])

    def start(self, ask: Ask) -> tuple[Head, ...]:
        self._plan = []
        dry = self._send(ask, {"dry_run": True, "use_query_cache": False})
        kind = dry.statement_type
        if kind != "SELECT":
            raise QueryRejected(f"Only a SELECT may run; this is {kind or 'of an unknown kind'}.")
        if ask.purpose is Purpose.PLAN:
            self._plan = [(kind, dry.total_bytes_processed, accuracy_of(dry))]
            return _PLAN
        job = self._send(ask, self._limits(ask, len(dry.referenced_tables)))
        self._location = job.location
        result = job.result(
            page_size=_page(ask),
            timeout=ask.seconds,
            retry=self.retry(ask.seconds),
            job_retry=None,
        )
        self._rows = iter(result)
        return tuple(Head(each.name, _word(each)) for each in result.schema)

    def take(self, size: int) -> list[Row]:
        if self._plan:
            taken, self._plan = self._plan, []
            return taken
        return rows_of([row.values() for row in islice(self._rows, size)])

    def finish(self) -> None:
        self._job = ""

    def cancel(self) -> None:
        if self._job:
            self.client.cancel_job(
                self._job,
                location=self._location,
                timeout=_SECONDS_FOR_A_REQUEST,
                retry=self.retry(_SECONDS_FOR_A_REQUEST),
            )

    def close(self) -> None:
        self.client.close()

    def _send(self, ask: Ask, settings: dict[str, object]) -> Job:
        # Chosen here, so that it can be stopped before the service has answered.
        self._job = f"resona_{uuid4().hex}"
        return self.client.query(
            ask.sql,
            job_config=self.config(settings),
            job_id=self._job,
            timeout=_SECONDS_FOR_A_REQUEST,
            retry=self.retry(ask.seconds),
            job_retry=None,
        )

    def _limits(self, ask: Ask, tables: int) -> dict[str, object]:
        limits: dict[str, object] = {"job_timeout_ms": int(ask.seconds * 1000)}
        if math.isfinite(ask.ceiling.bytes):
            least = _LEAST_BILLED * max(1, tables)
            limits["maximum_bytes_billed"] = max(least, math.ceil(ask.ceiling.bytes))
        return limits


def _page(ask: Ask) -> int:
    return 10_000 if ask.purpose is Purpose.CATALOG else 2_000


def _word(column: ColumnField) -> str:
    return "array" if column.mode == "REPEATED" else column.field_type.casefold()


def accuracy_of(job: object) -> str:
    """Return how far a dry run can be trusted; the driver has no public name for it."""
    try:
        return _Answer.model_validate(getattr(job, "_properties", {})).statistics.query.accuracy
    except ValidationError:
        return ""


class _Query(BaseModel):
    accuracy: str = Field(default="", alias="totalBytesProcessedAccuracy")


class _Statistics(BaseModel):
    query: _Query = Field(default_factory=_Query)


class _Answer(BaseModel):
    statistics: _Statistics = Field(default_factory=_Statistics)


@dataclass(frozen=True, slots=True)
class BigQueryEngine:
    """`open_client` connects; `errors` are the driver's, its login's and its transport's own."""

    open_client: Callable[[], Client]
    config: Callable[[dict[str, object]], object]
    retry: Callable[[float], object]
    errors: Sequence[type[Exception]]

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        return (*self.errors, OSError, ValueError)

    def connect(self) -> BigQuerySession:
        return BigQuerySession(self.open_client(), self.config, self.retry)

    def translated(self, error: BaseException, seconds: float) -> ToolError:
        code, words = said(error)
        if isinstance(error, TimeoutError) or any(each in words for each in _TOO_SLOW):
            return too_slow(seconds)
        denied = code == _FORBIDDEN and "denied" in words.casefold()
        rejected = denied or code in _REJECTED or (not code and isinstance(error, ValueError))
        return QueryRejected(words) if rejected else not_now(words)

    def advice(self, error: ToolError) -> str:
        code, words = said(error.__cause__) if error.__cause__ else (0, "")
        if code in (401, _FORBIDDEN) or "credentials" in words.casefold():
            return f"{REFUSED.rstrip('.')}. Google says: {words}"
        if code == 404:
            return NOT_THERE
        unreachable = isinstance(error, TemporarilyUnavailable) and code in _UNREACHABLE
        return UNREACHABLE if unreachable else cannot_be_read(error)


def said(error: BaseException) -> tuple[int, str]:
    """Return the status of a failure, 0 where the service did not answer, and its words."""
    code = getattr(error, "code", 0)
    message = getattr(error, "message", "")
    words = " ".join(message.split()) if isinstance(message, str) else ""
    return int(code) if isinstance(code, int) else 0, words or one_line(error)
