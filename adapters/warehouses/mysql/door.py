"""The door to MySQL and MariaDB: SQLAlchemy's engine keeps the connections, aiomysql reads."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from adapters.warehouses.allowance import Allowance
from adapters.warehouses.mysql.driver import (
    BUFFERED,
    UNBUFFERED,
    Connection,
    DriverError,
    Login,
    connect,
    word_of,
)
from adapters.warehouses.mysql.failures import FAILURES, is_lost, translated
from adapters.warehouses.parts import Head, Heads, Parts, Rows
from adapters.warehouses.sizes import in_pieces
from core.domain.errors import QueryRejected
from core.domain.table import Row

_CONNECTIONS = 3
_SECONDS_TO_CONNECT = 10.0
_SECONDS_TO_CLEAN_UP = 2.0
# In MariaDB a read-only transaction does not keep a CREATE from running.
_READS = re.compile(r"[\s(]*(SELECT|WITH|VALUES|TABLE)\b", re.IGNORECASE)
_EXPLAINS = re.compile(r"\s*EXPLAIN\s+FORMAT\s*=\s*JSON\b", re.IGNORECASE)
_READ_ONLY = "SET SESSION TRANSACTION READ ONLY"
_SETTINGS = (
    # Backslashes escape and double quotes hold text: as the guard has read the query.
    "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,"
    "NO_ENGINE_SUBSTITUTION', time_zone = '+00:00', lock_wait_timeout = 3,"
    " innodb_lock_wait_timeout = 3, group_concat_max_len = 1048576, net_write_timeout = 300"
)
_BEGIN = "START TRANSACTION READ ONLY"
_CLEAN_UP = ("ROLLBACK", "DO RELEASE_ALL_LOCKS()")


class MysqlDoor:
    """A few connections of their own for analysis; `seconds` is how long one may be waited for."""

    def __init__(self, login: Login, *, seconds: float) -> None:
        self._login = login
        self._engine = create_async_engine(
            "mysql+aiomysql://",
            async_creator=self._connect,
            pool_size=_CONNECTIONS,
            max_overflow=0,
            pool_timeout=seconds,
            pool_reset_on_return=None,
        )

    async def answer(
        self, sql: str, *, rows: int, seconds: float, of_catalog: bool = False
    ) -> Parts:
        """Give the parts of an answer: Heads first, then Rows. Closing it early ends the query.

        Raises:
            QueryRejected, TemporarilyUnavailable: there is no (further) answer.
        """
        if not (_READS.match(sql) or (of_catalog and _EXPLAINS.match(sql))):
            raise QueryRejected("Only a SELECT may run.")
        allowance = Allowance(seconds)
        try:
            async with self._session(seconds) as session:
                async for part in session.read(sql, rows, allowance):
                    yield part
        except FAILURES as error:
            raise translated(error, seconds) from error

    async def close(self) -> None:
        await self._engine.dispose()

    @asynccontextmanager
    async def _session(self, seconds: float) -> AsyncGenerator[_Session]:
        connection, session = await self._begin(seconds)
        try:
            yield session
        finally:
            await self._check_in(connection, session)

    async def _begin(self, seconds: float) -> tuple[AsyncConnection, _Session]:
        lost = 0
        while True:
            connection = await self._check_out()
            driver: Any = (await connection.get_raw_connection()).driver_connection
            session = _Session(driver)
            begun = False
            try:
                async with asyncio.timeout(_SECONDS_TO_CONNECT):
                    await session.run(_READ_ONLY, _SETTINGS, session.limit(seconds), _BEGIN)
                begun = True
            except FAILURES as error:
                # A kept connection that the server has ended since is no reason to give up.
                lost += 1
                if not is_lost(error) or lost > _CONNECTIONS:
                    raise
            finally:
                if not begun:
                    await self._check_in(connection, session)
            if begun:
                return connection, session

    async def _check_out(self) -> AsyncConnection:
        try:
            return await self._engine.connect()
        except DBAPIError as error:
            # SQLAlchemy wraps what the driver said about a connection that it could not make.
            raise (error.orig or error) from error

    async def _check_in(self, connection: AsyncConnection, session: _Session) -> None:
        clean = False
        try:
            with suppress(*FAILURES):
                async with asyncio.timeout(_SECONDS_TO_CLEAN_UP):
                    if session.is_busy:
                        await self._kill(session.driver)
                    else:
                        await session.run(*_CLEAN_UP)
                        clean = True
        finally:
            if not clean:
                session.driver.close()
                await connection.invalidate()
            await connection.close()

    async def _kill(self, driver: Connection) -> None:
        killer = await self._connect()
        try:
            await _Session(killer).run(f"KILL {driver.thread_id()}")
        finally:
            killer.close()

    async def _connect(self) -> Connection:
        return await connect(self._login, seconds=_SECONDS_TO_CONNECT)


@dataclass(slots=True)
class _Session:
    """A connection in use; while it is busy, nothing else can be said to the server through it."""

    driver: Connection
    is_busy: bool = False

    def limit(self, seconds: float) -> str:
        """Return the statement that bounds the time of a query, in the server's own unit."""
        if "MariaDB" in self.driver.get_server_info():
            return f"SET SESSION max_statement_time = {seconds:.3f}"
        return f"SET SESSION max_execution_time = {int(seconds * 1000)}"

    async def run(self, *statements: str) -> None:
        self.is_busy = True
        for statement in statements:
            cursor = await self.driver.cursor(BUFFERED)
            await cursor.execute(statement)
        self.is_busy = False

    async def read(self, sql: str, at_most: int, allowance: Allowance) -> Parts:
        self.is_busy = True
        try:
            cursor = await self.driver.cursor(UNBUFFERED)
            await allowance.spend(cursor.execute(sql))
            described = cursor.description or ()
            yield Heads(tuple(Head(name, word_of(code)) for name, code, *_ in described))

            async def take(size: int) -> list[Row]:
                return await allowance.spend(cursor.fetchmany(size))

            async for rows in in_pieces(take, at_most):
                yield Rows(rows)
            # Only a result that was read to its end leaves the connection free.
            self.is_busy = bool(await allowance.spend(cursor.fetchmany(1)))
        except DriverError:
            self.is_busy = False
            raise
