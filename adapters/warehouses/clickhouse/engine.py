"""ClickHouse through its own HTTP client: one query a session, its limits sent along with it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import uuid4

from adapters.warehouses.failures import too_slow
from adapters.warehouses.parts import Head
from adapters.warehouses.threads.catalog import plain_type
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

_CODE = re.compile(r"Code: (\d+)\.")
# The server's numbers, as system.errors lists them.
_TOO_SLOW = frozenset({159, 160})
_PASSING = frozenset({3, 159, 160, 202, 203, 209, 210, 241, 242, 279, 394, 439, 692, 999})
_REFUSED = frozenset({192, 193, 194, 516})
_NO_DATABASE = 81
_READ_ONLY = "1"
_MAY_SET = "2"


Block = Sequence[Sequence[object]]


def _nothing() -> Iterator[Block]:
    return iter(())


class TypeOfColumn(Protocol):
    name: str


class Source(Protocol):
    column_names: Sequence[str]
    column_types: Sequence[TypeOfColumn]


class Stream(AbstractContextManager[Iterator[Block]], Protocol):
    """Blocks of rows, as the server makes them."""

    source: Source


class Result(Source, Protocol):
    result_rows: Block


class Client(Protocol):
    @property
    def server_settings(self) -> Mapping[str, Any]: ...

    def query(self, query: str, *, settings: dict[str, object]) -> Result: ...

    def query_row_block_stream(self, query: str, *, settings: dict[str, object]) -> Stream: ...

    def command(self, cmd: str, /) -> object: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class ClickHouseSession:
    """One client; `another` opens a second one, which stops what the first has begun."""

    client: Client
    another: Callable[[], Client]
    _query: str = ""
    _stream: Stream | None = None
    _blocks: Iterator[Block] = field(default_factory=_nothing)
    _rows: list[Row] = field(default_factory=list[Row])

    def start(self, ask: Ask) -> tuple[Head, ...]:
        self._query = f"resona-{uuid4()}"
        settings = {**self._limits(ask), "query_id": self._query}
        if ask.purpose is not Purpose.READ:
            explain = "EXPLAIN ESTIMATE " if ask.purpose is Purpose.PLAN else ""
            whole = self.client.query(f"{explain}{ask.sql}", settings=settings)
            self._rows = rows_of(whole.result_rows)
            return _heads(whole)
        stream = self.client.query_row_block_stream(ask.sql, settings=settings)
        self._stream, self._rows = stream, []
        self._blocks = iter(stream.__enter__())
        # Without rows there is no block, and without a block no column is named.
        return _heads(stream.source) or self._described(ask)

    def _described(self, ask: Ask) -> tuple[Head, ...]:
        self.finish()
        columns = self.client.query(f"DESCRIBE ({ask.sql})", settings=self._limits(ask))
        return tuple(
            Head(str(name), plain_type(str(kind))) for name, kind, *_ in columns.result_rows
        )

    def take(self, size: int) -> list[Row]:
        while len(self._rows) < size:
            block = next(self._blocks, None)
            if block is None:
                break
            self._rows += rows_of(block)
        taken, self._rows = self._rows[:size], self._rows[size:]
        return taken

    def finish(self) -> None:
        if self._stream is not None:
            self._stream.__exit__(None, None, None)
        self._stream, self._blocks, self._rows = None, _nothing(), []

    def cancel(self) -> None:
        # A login whose profile says readonly = 1 may not; its profile's own time limit holds.
        killer = self.another()
        try:
            killer.command(f"KILL QUERY WHERE query_id = '{self._query}' ASYNC")
        finally:
            killer.close()

    def close(self) -> None:
        with suppress(OSError):
            self.client.close()

    def _limits(self, ask: Ask) -> dict[str, object]:
        mode = self.client.server_settings.get("readonly")
        given = str(mode.value) if mode is not None else "0"
        if given == _READ_ONLY:
            return {}  # nothing may be set: the profile's limits hold
        limits: dict[str, object] = {
            "max_execution_time": f"{ask.seconds:g}",
            "timeout_overflow_mode": "throw",
            "read_overflow_mode": "throw",
            "cancel_http_readonly_queries_on_client_close": 1,
        }
        for name, most in (
            ("max_rows_to_read", ask.ceiling.rows),
            ("max_bytes_to_read", ask.ceiling.bytes),
        ):
            if math.isfinite(most):
                limits[name] = max(1, int(most))
        # Our own questions ask, among others, what the profile says of writing.
        ours = ask.purpose is Purpose.CATALOG
        return limits if ours or given == _MAY_SET else {**limits, "readonly": 1}


@dataclass(frozen=True, slots=True)
class ClickHouseEngine:
    """`open_client` connects; `error` is the driver's own exception."""

    open_client: Callable[[], Client]
    error: type[Exception]

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        return (self.error, OSError, ValueError)

    def connect(self) -> ClickHouseSession:
        return ClickHouseSession(self.open_client(), self.open_client)

    def translated(self, error: BaseException, seconds: float) -> ToolError:
        code = code_of(error)
        if code in _TOO_SLOW or isinstance(error, TimeoutError):
            return too_slow(seconds)
        if code in _PASSING or not (code or isinstance(error, ValueError)):
            return not_now(one_line(error))
        return QueryRejected(one_line(error))

    def advice(self, error: ToolError) -> str:
        code = code_of(error.__cause__)
        if code in _REFUSED:
            return REFUSED
        if code == _NO_DATABASE:
            return NOT_THERE
        unreachable = isinstance(error, TemporarilyUnavailable) and not code
        return UNREACHABLE if unreachable else cannot_be_read(error)


def _heads(source: Source) -> tuple[Head, ...]:
    heads = zip(source.column_names, source.column_types, strict=True)
    return tuple(Head(name, plain_type(kind.name)) for name, kind in heads)


def code_of(error: BaseException | None) -> int:
    """Return the server's number for a failure; 0 where it did not answer."""
    found = _CODE.search(str(error))
    return int(found[1]) if found else 0
