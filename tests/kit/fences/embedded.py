"""Files of SQLite and DuckDB that attacks are let loose on, and the ways to send them one."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, closing
from pathlib import Path
from shutil import copyfile

import duckdb

from adapters.warehouses.child.messages import Open
from adapters.warehouses.child.pool import ChildPool
from core.domain.query import Dialect
from tests.kit.children import at_work
from tests.kit.fences.files import CANARY_OF_A_FILE, Places, listing
from tests.kit.fences.trial import SECONDS, Send, State

_ROWS = 1_000
_MEMORY = 512 * 1024**2
_WITH_ONE_FENCE = {
    Dialect.SQLITE: (
        "tests.kit.fences.sqlite_with_one_fence",
        ("none", "read-only file", "authorizer", "one statement a text"),
    ),
    Dialect.DUCKDB: (
        "tests.kit.fences.duckdb_with_one_fence",
        ("none", "read-only file", "locked settings", "one SELECT a text"),
    ),
}
_TABLES = (
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT, country TEXT)",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount REAL, status TEXT)",
    "CREATE TABLE events (id INTEGER PRIMARY KEY, payload TEXT)",
    *(f"INSERT INTO customers VALUES ({n}, 'n{n}', '{n}@example.org', 'FR')" for n in range(60)),
    *(f"INSERT INTO orders VALUES ({n}, {n % 60}, {n}.5, 'paid')" for n in range(200)),
    "INSERT INTO events VALUES (1, 'a'), (2, 'b')",
)


class FileWorld:
    """A database in one file, beside files with secrets; `url` is where it is."""

    failures: tuple[type[BaseException], ...] = (OSError,)
    canaries = (CANARY_OF_A_FILE,)

    def __init__(self, dialect: Dialect, directory: Path) -> None:
        self.dialect = dialect
        self.path = directory / "shop" / f"shop.{dialect}"
        self.url = f"{dialect}:///{self.path}"
        self._whole = directory / "whole"
        self._places = Places.below(directory)

    def make(self) -> None:
        self.path.parent.mkdir()
        if self.dialect is Dialect.SQLITE:
            _make_sqlite(self.path)
        else:
            _make_duckdb(self.path)
        copyfile(self.path, self._whole)

    async def state(self) -> State:
        return {"files": listing(self.path.parent, self._places.written, self._places.read)}

    async def running(self) -> Sequence[str]:
        """Return the child processes that work; one that waits for work is none of them."""
        return [str(each.pid) for each in at_work()]

    async def restore(self) -> None:
        for each in self.path.parent.iterdir():
            each.unlink()
        copyfile(self._whole, self.path)
        self._places.clear()

    def fitted(self, sql: str) -> str:
        return self._places.fitted(sql)


@asynccontextmanager
async def ways(world: FileWorld) -> AsyncGenerator[Mapping[str, Send]]:
    """Give the ways by the name of the fence that is up; each text has its own connection."""
    module, fences = _WITH_ONE_FENCE[world.dialect]
    pools = {
        fence: ChildPool(module, Open(path=f"{fence}:{world.path}", memory_bytes=_MEMORY))
        for fence in fences
    }
    try:
        yield {fence: _way(pool) for fence, pool in pools.items()}
    finally:
        for pool in pools.values():
            await pool.close()


def _way(pool: ChildPool) -> Send:
    async def send(sql: str) -> str:
        async with aclosing(pool.answer(sql, rows=_ROWS, seconds=SECONDS)) as parts:
            return str([part async for part in parts])

    return send


def _make_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in _TABLES:
            connection.execute(statement)
        connection.commit()


def _make_duckdb(path: Path) -> None:
    with duckdb.connect(path) as connection:
        for statement in (*_TABLES, "CREATE SEQUENCE seq1"):
            connection.execute(statement)
