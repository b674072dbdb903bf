"""Ways to MariaDB with one fence up, or none: a new connection for each text."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from pymysql import Connection
from pymysql.cursors import Cursor

from tests.kit.fences.mariadb import PASSWORD, READER, MariadbWorld
from tests.kit.fences.trial import SECONDS, Send

_READ_ONLY = ("SET SESSION TRANSACTION READ ONLY", "START TRANSACTION READ ONLY")


def ways(world: MariadbWorld) -> Mapping[str, Send]:
    """Return the ways by the name of the fence that is up."""
    return {
        "none": _way(world, several=True),
        "read-only transaction": _way(world, several=True, before=_READ_ONLY, after=("ROLLBACK",)),
        "safe role": _way(world, several=True, user=READER, password=PASSWORD),
        "one statement a text": _way(world, several=False),
    }


def _way(
    world: MariadbWorld,
    *,
    several: bool,
    user: str = "root",
    password: str = "",
    before: Sequence[str] = (),
    after: Sequence[str] = (),
) -> Send:
    async def send(sql: str) -> str:
        with world.connected(user, password, several=several) as connection:
            work = asyncio.to_thread(_run, connection, [*before, sql, *after])
            running = asyncio.ensure_future(work)
            done, _ = await asyncio.wait({running}, timeout=SECONDS)
            if not done:
                world.kill(_number_of(connection))
                await asyncio.wait({running})
                raise TimeoutError from running.exception()
            told = running.result()
            if sql == "SHUTDOWN":
                world.server.wait_for_its_end()
        return told

    return send


class _Numbered(Protocol):
    def thread_id(self) -> int: ...


def _number_of(connection: Connection[Cursor]) -> str:
    """Return the server's number for a connection."""
    return str(cast("_Numbered", connection).thread_id())


def _run(connection: Connection[Cursor], script: Sequence[str]) -> str:
    told: list[str] = []
    with connection.cursor() as cursor:
        cursor.execute("USE shop")
        for statement in script:
            cursor.execute(statement)
            told.append(str(cursor.fetchall()))
            while cursor.nextset():
                told.append(str(cursor.fetchall()))
    return "\n".join(told)
