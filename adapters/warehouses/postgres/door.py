"""The door to PostgreSQL: SQLAlchemy's engine keeps the connections, asyncpg's cursor reads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from sqlalchemy import event
from sqlalchemy.engine.interfaces import AdaptedConnection, DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from adapters.warehouses.allowance import Allowance
from adapters.warehouses.parts import Head, Heads, Parts, Rows
from adapters.warehouses.postgres.cells import reader_for, set_codecs
from adapters.warehouses.postgres.driver import Connection, connect
from adapters.warehouses.postgres.failures import FAILURES, translated
from adapters.warehouses.sizes import in_pieces
from core.domain.errors import QueryRejected
from core.domain.table import Row

_CONNECTIONS = 3
_SECONDS_TO_CONNECT = 10.0
_SECONDS_TO_CLEAN_UP = 2.0
_BEGIN = """
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL default_transaction_read_only = on;
SET LOCAL statement_timeout = {milliseconds};
SET LOCAL lock_timeout = 3000;
SET LOCAL idle_in_transaction_session_timeout = 300000;
SET LOCAL TimeZone = 'UTC';
SET LOCAL lc_monetary = 'C';
SET LOCAL standard_conforming_strings = on
"""
# Rolling back undoes what a function changed; the rest is what would outlive a transaction.
_CLEAN_UP = "ROLLBACK; SELECT pg_advisory_unlock_all(); CLOSE ALL; UNLISTEN *; RESET ALL"


class PostgresDoor:
    """A few connections of their own for analysis; `seconds` is how long one may be waited for."""

    def __init__(self, dsn: str, *, seconds: float) -> None:
        self._dsn = dsn
        self._engine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=self._connect,
            pool_size=_CONNECTIONS,
            max_overflow=0,
            pool_timeout=seconds,
            pool_reset_on_return=None,
        )
        event.listen(self._engine.sync_engine, "connect", _after_sqlalchemy)

    async def answer(
        self, sql: str, *, rows: int, seconds: float, of_catalog: bool = False
    ) -> Parts:
        """Give the parts of an answer: Heads first, then Rows. Closing it early ends the query.

        Raises:
            QueryRejected, TemporarilyUnavailable: there is no (further) answer.
        """
        allowance = Allowance(seconds)
        try:
            async with self._session(seconds) as driver:
                # A prepared statement is one statement, whatever the text says.
                statement = await allowance.spend(driver.prepare(sql))
                attributes = statement.get_attributes()
                if not attributes:
                    raise QueryRejected("Only a SELECT may run.")
                yield Heads(tuple(Head(each.name, each.type.name) for each in attributes))
                read = reader_for(attributes)
                cursor = await allowance.spend(statement.cursor())

                async def take(size: int) -> list[Row]:
                    return read(await allowance.spend(cursor.fetch(size)))

                async for piece in in_pieces(take, rows):
                    yield Rows(piece)
        except FAILURES as error:
            raise translated(error, seconds) from error

    async def close(self) -> None:
        await self._engine.dispose()

    @asynccontextmanager
    async def _session(self, seconds: float) -> AsyncGenerator[Connection]:
        begin = _BEGIN.format(milliseconds=int(seconds * 1000))
        connection, driver = await self._begin(begin)
        try:
            yield driver
        finally:
            await _check_in(connection, driver)

    async def _begin(self, begin: str) -> tuple[AsyncConnection, Connection]:
        lost = 0
        while True:
            connection = await self._check_out()
            driver: Any = (await connection.get_raw_connection()).driver_connection
            begun = False
            try:
                async with asyncio.timeout(_SECONDS_TO_CONNECT):
                    await driver.execute(begin)
                begun = True
            except FAILURES:
                # A kept connection that the server has ended since is no reason to give up.
                lost += 1
                if not driver.is_closed() or lost > _CONNECTIONS:
                    raise
            finally:
                if not begun:
                    await _check_in(connection, driver)
            if begun:
                return connection, driver

    async def _check_out(self) -> AsyncConnection:
        try:
            return await self._engine.connect()
        except DBAPIError as error:
            # SQLAlchemy wraps, twice, what the driver said about a connection it could not make.
            said = error.orig.__cause__ if error.orig else None
            raise (said or error.orig or error) from error

    async def _connect(self) -> Connection:
        return await connect(self._dsn, seconds=_SECONDS_TO_CONNECT)


def _after_sqlalchemy(connection: DBAPIConnection, _record: object) -> None:
    # SQLAlchemy sets codecs for JSON on each new connection; ours come after them.
    cast("AdaptedConnection", connection).run_async(set_codecs)


async def _check_in(connection: AsyncConnection, driver: Connection) -> None:
    clean = False
    try:
        with suppress(*FAILURES):
            async with asyncio.timeout(_SECONDS_TO_CLEAN_UP):
                await driver.execute(_CLEAN_UP)
            clean = True
    finally:
        if not clean:
            driver.terminate()
            await connection.invalidate()
        await connection.close()
