"""A state database on a PostgreSQL server, in a schema of its own."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from adapters.storage.database import Record, Result, Transaction, Value
from adapters.storage.migrating import migrate
from core.domain.errors import StateUnusable

_asyncpg: Any = importlib.import_module("asyncpg")
_SCHEMA = "resona"
_LOCK = 0x7265736F6E61  # the name of the schema as a number
_SECONDS_TO_CONNECT = 10.0
_CONNECTIONS = 5


@dataclass(frozen=True, slots=True)
class _PostgresTransaction:
    connection: Connection

    def execute(self, statement: str, **values: Value) -> Sequence[Record]:
        if not values:
            # What stands behind a colon would be taken for a value.
            result = self.connection.exec_driver_sql(statement)
        else:
            result = self.connection.execute(text(statement), values)
        return result.all() if result.returns_rows else ()


@dataclass(slots=True)
class PostgresDatabase:
    """A pool of connections to one server."""

    url: str
    place: str
    _engine: AsyncEngine = field(init=False)
    _is_current: bool = False
    _migrating: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self._engine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=self._connect,
            pool_size=_CONNECTIONS,
            pool_pre_ping=True,
        )

    async def run(self, job: Callable[[Transaction], Result]) -> Result:
        try:
            await self._migrate()
            return await self._transact(job)
        except (SQLAlchemyError, _asyncpg.PostgresError, OSError, TimeoutError) as error:
            raise StateUnusable(
                f"The state database {self.place} cannot be used ({_first_line(error)}). Check "
                "that the server runs and the login may write, or set state_url to another one."
            ) from error

    async def close(self) -> None:
        await self._engine.dispose()

    async def _connect(self) -> object:
        connection: object = await _asyncpg.connect(
            self.url,
            timeout=_SECONDS_TO_CONNECT,
            server_settings={"application_name": "resona", "search_path": _SCHEMA},
        )
        return connection

    async def _migrate(self) -> None:
        async with self._migrating:
            if not self._is_current:
                await self._transact(_made_current)
                self._is_current = True

    async def _transact(self, job: Callable[[Transaction], Result]) -> Result:
        async with self._engine.begin() as connection:
            return await connection.run_sync(lambda sync: job(_PostgresTransaction(sync)))


def _made_current(transaction: Transaction) -> None:
    # The lock goes with the transaction, so that one process that starts waits for another.
    transaction.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
    known = "SELECT 1 FROM pg_namespace WHERE nspname = :name"
    if not transaction.execute(known, name=_SCHEMA):  # making one takes a right that using does not
        transaction.execute(f"CREATE SCHEMA {_SCHEMA}")
    migrate(transaction, "postgres")


def _first_line(error: Exception) -> str:
    cause = getattr(error, "orig", None) or error
    return str(cause).partition("\n")[0] or type(cause).__name__
