"""P16: a million rows of ten columns through the door, beside the driver's own streaming."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol, cast

import psutil
import pytest

from adapters.storage.files import DiskFileStore
from adapters.warehouses.opening import open_warehouse
from adapters.warehouses.postgres import driver
from bench.frame import Line, interleaved
from bench.lateness import latest_of
from core.agent.csv_file import csv_chunks
from core.domain.connection import Limits
from core.domain.query import GuardedQuery
from core.ports.warehouse import Warehouse
from core.sql.guard import Guard
from tests.kit.own_servers import LOCAL, own_postgres
from tests.kit.servers import run_in_postgres

GOALS = ("P16",)
_ROWS = 1_000_000
_BATCH = 4_000
_QUERY = "SELECT * FROM wide"
_FILE_BATCH = 1_000  # rows that the product takes at once for a file
_SECONDS_BETWEEN_LOOKS = 0.01
_PATIENCE = 600.0  # seconds: a busy machine must not end a measurement
_TABLE = """
CREATE TABLE wide (id INTEGER, customer INTEGER, name TEXT, country TEXT, status TEXT,
  amount DOUBLE PRECISION, discount DOUBLE PRECISION, quantity INTEGER, note TEXT, visits INTEGER)
"""
_COLUMNS = """
 n, n % 1000, 'customer ' || (n % 1000), 'ES', 'paid', n * 0.5, 0.1, n % 7, 'note of row ' || n,
 n % 13
"""

Work = Callable[[], Awaitable[None]]


class _Transaction(Protocol):
    async def start(self) -> None: ...


class _Transactional(driver.Connection, Protocol):
    def transaction(self) -> _Transaction: ...


async def measure() -> list[Line]:
    """Read everything by turns with the door and with the bare driver; then watch memory and loop.

    No part of the product writes Parquet: a whole result is a file of CSV, which is held to the
    same bound.
    """
    with _rubbish_looked_for_as_by_the_server():
        lines = [*await _from_sqlite(), *await _from_postgres()]
    reason = "no part of the product writes Parquet: a whole result is CSV, measured beside"
    return [*lines, Line.without("P16", "whole result to Parquet", absent=reason)]


@contextmanager
def _rubbish_looked_for_as_by_the_server() -> Generator[None]:
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


async def _from_sqlite() -> list[Line]:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "wide.sqlite"
        await asyncio.to_thread(_make_sqlite, path)
        return await _beside("SQLite", str(path), lambda: asyncio.to_thread(_sqlite3_reads, path))


async def _from_postgres() -> list[Line]:
    try:
        with own_postgres() as server:
            url = f"postgresql://postgres@{LOCAL}:{server.port}/postgres"
            await run_in_postgres(
                url,
                _TABLE,
                f"INSERT INTO wide SELECT {_COLUMNS} FROM generate_series(1, {_ROWS}) AS n",
                "ANALYZE wide",
            )
            return await _beside("PostgreSQL", url, lambda: _asyncpg_reads(url))
    except pytest.skip.Exception as reason:
        return [Line.without("P16", "a million rows from PostgreSQL", absent=str(reason))]


async def _beside(engine: str, url: str, bare: Work) -> list[Line]:
    warehouse = await open_warehouse(url, limits=Limits(seconds=_PATIENCE))
    try:
        catalog = await warehouse.inspect()
        query = Guard(catalog=catalog).check(_QUERY, max_rows=_ROWS)

        async def read() -> None:
            await _read(warehouse, query)

        base, peak = _held(), _Peak()
        await peak.of(read())
        kept = _Peak()
        await kept.of(_to_file(warehouse, query))
        reference, product = await interleaved((bare, read), rounds=3, warm_up=0)
        late = await latest_of(read())
    finally:
        await warehouse.close()
    return [
        Line(
            goal="P16",
            what=f"a million rows from {engine} beside the driver's own streaming",
            value=product.wall / reference.wall,
            bound=1.3,
            unit="x",
            reference=reference.wall,
            product=product.wall,
            note=f"{product.wall:.2f} s, bare {reference.wall:.2f} s; CPU of this process "
            f"{product.cpu:.2f} and {reference.cpu:.2f} s",
        ),
        Line(
            goal="P16",
            what=f"memory meanwhile above base, {engine}",
            value=peak.mib - base,
            bound=64,
            unit="MiB",
            note="with its child processes",
        ),
        Line(
            goal="P16",
            what=f"memory above base while the whole result becomes a file of CSV, {engine}",
            value=kept.mib - base,
            bound=128,
            unit="MiB",
            note="with its child processes",
        ),
        Line(goal="P16", what=f"loop late meanwhile, {engine}", value=late, bound=25, unit="ms"),
    ]


async def _read(warehouse: Warehouse, query: GuardedQuery) -> None:
    rows = 0
    async for batch in warehouse.stream(query, batch_rows=_BATCH, max_rows=_ROWS):
        rows += len(batch.rows)
    assert rows == _ROWS


async def _to_file(warehouse: Warehouse, query: GuardedQuery) -> None:
    """Keep the result as the product does when rows were cut off."""
    tables = warehouse.stream(query, batch_rows=_FILE_BATCH, max_rows=_ROWS)
    with tempfile.TemporaryDirectory() as directory:
        ref = await DiskFileStore(Path(directory)).put("all.csv", "text/csv", csv_chunks(tables))
    assert ref.size_bytes > 50 * _ROWS


def _sqlite3_reads(path: Path) -> None:
    rows = 0
    with closing(sqlite3.connect(path)) as connection:
        cursor = connection.execute(_QUERY)
        while batch := cursor.fetchmany(_BATCH):
            rows += len(batch)
    assert rows == _ROWS


async def _asyncpg_reads(url: str) -> None:
    rows = 0
    connection = cast("_Transactional", await driver.connect(url, seconds=10))
    try:
        await connection.transaction().start()
        cursor = await (await connection.prepare(_QUERY)).cursor()
        while batch := await cursor.fetch(_BATCH):
            rows += len(batch)
    finally:
        connection.terminate()
    assert rows == _ROWS


class _Peak:
    """The most that this process and its children hold while something runs."""

    def __init__(self) -> None:
        self.mib = 0.0

    async def of(self, work: Awaitable[None]) -> None:
        async with asyncio.TaskGroup() as tasks:
            watching = tasks.create_task(self._watch())
            await work
            watching.cancel()

    async def _watch(self) -> None:
        while True:
            self.mib = max(self.mib, await asyncio.to_thread(_held))
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)


def _held() -> float:
    own = psutil.Process()
    found = [own, *(each for each in own.children() if "adapters" in " ".join(each.cmdline()))]
    return sum(each.memory_info().rss for each in found) / 2**20


def _make_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(_TABLE)
        connection.execute(
            f"INSERT INTO wide WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c"
            f" WHERE n < {_ROWS}) SELECT {_COLUMNS} FROM c"
        )
        connection.commit()
