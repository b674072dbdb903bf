"""Ways to PostgreSQL with one fence up, or none: a new connection for each text."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol, cast

from adapters.warehouses.postgres import driver
from tests.kit.fences.postgres import PostgresWorld
from tests.kit.fences.trial import SECONDS, Send
from tests.kit.patience import PATIENCE


class _Statement(Protocol):
    async def fetch(self) -> object: ...


class _Connection(driver.Connection, Protocol):
    def get_server_pid(self) -> int: ...


def ways(world: PostgresWorld) -> Mapping[str, Send]:
    """Return the ways by the name of the fence that is up."""
    return {
        "none": _way(world, world.url, _as_text),
        "read-only transaction": _way(world, world.url, _reading_only),
        "safe role": _way(world, world.reader_url, _as_text),
        "one prepared statement": _way(world, world.url, _prepared),
    }


def _way(world: PostgresWorld, url: str, run: Callable[[_Connection, str], Awaitable[str]]) -> Send:
    async def send(sql: str) -> str:
        connection = cast("_Connection", await driver.connect(url, seconds=PATIENCE))
        pid = connection.get_server_pid()
        try:
            async with asyncio.timeout(SECONDS):
                return await run(connection, sql)
        finally:
            connection.terminate()
            await world.end(pid)

    return send


async def _as_text(connection: _Connection, sql: str) -> str:
    return await connection.execute(sql)


async def _reading_only(connection: _Connection, sql: str) -> str:
    await connection.execute("BEGIN READ ONLY; SET LOCAL default_transaction_read_only = on")
    told = await connection.execute(sql)
    await connection.execute("ROLLBACK")
    return told


async def _prepared(connection: _Connection, sql: str) -> str:
    return str(await cast("_Statement", await connection.prepare(sql)).fetch())
