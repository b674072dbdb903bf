"""asyncpg as far as it is used here, with types: the library brings none of its own."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from core.domain.table import Cell

_asyncpg: Any = importlib.import_module("asyncpg")


class TypeOfColumn(Protocol):
    name: str


class Attribute(Protocol):
    """A column of a result."""

    name: str
    type: TypeOfColumn


class Record(Protocol):
    """One row; its cells in order."""

    def __iter__(self) -> Iterator[Cell]: ...

    def __getitem__(self, key: slice, /) -> tuple[Cell, ...]: ...

    def items(self) -> Iterable[tuple[str, object]]: ...


class Range(Protocol):
    """A range of numbers or dates."""

    lower: object
    upper: object
    lower_inc: bool
    upper_inc: bool
    isempty: bool


class Cursor(Protocol):
    async def fetch(self, n: int) -> list[Record]: ...


class Statement(Protocol):
    def get_attributes(self) -> Sequence[Attribute]: ...

    async def cursor(self) -> Cursor: ...


class Connection(Protocol):
    async def prepare(self, query: str) -> Statement: ...

    async def execute(self, query: str) -> str: ...

    async def set_type_codec(
        self,
        typename: str,
        *,
        schema: str,
        encoder: Callable[..., object],
        decoder: Callable[..., object],
        format: str,
    ) -> None: ...

    def is_closed(self) -> bool: ...

    def terminate(self) -> None: ...


# What the server says, what the driver says, and what the driver says of itself.
ServerError: type[Exception] = _asyncpg.PostgresError
DriverError: type[Exception] = _asyncpg.InterfaceError
InternalError: type[Exception] = _asyncpg.InternalClientError
RECORD: type[Any] = _asyncpg.Record
RANGE: type[Any] = _asyncpg.Range


async def connect(dsn: str, *, seconds: float) -> Connection:
    """Open a connection that keeps no statements: settings must not outlive a transaction."""
    connection: Connection = await _asyncpg.connect(
        dsn,
        timeout=seconds,
        statement_cache_size=0,
        server_settings={"application_name": "resona"},
    )
    return connection


def state_of(error: BaseException | None) -> str:
    """Return the SQLSTATE that the server gave, or nothing."""
    return getattr(error, "sqlstate", None) or ""


def words_of(error: BaseException) -> str:
    """Return what the server said, with its hint."""
    hint: str = getattr(error, "hint", None) or ""
    return f"{error}. {hint}" if hint else str(error)
