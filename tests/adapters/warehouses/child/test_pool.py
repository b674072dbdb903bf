from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path

import psutil
import pytest

from adapters.warehouses.child.messages import Open
from adapters.warehouses.child.pool import ChildPool
from adapters.warehouses.parts import Heads, Rows
from core.domain.errors import QueryRejected, TemporarilyUnavailable
from core.domain.table import Row
from tests.adapters.warehouses.test_sqlite import make_file
from tests.kit.children import until_one_works
from tests.kit.patience import PATIENCE

SQLITE = "adapters.warehouses.sqlite.engine"
ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT MAX(n) FROM c"
BOMB = "SELECT length(printf('%.*c', 2000000000, 'x'))"
MANY = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"


@pytest.fixture
def opening(tmp_path: Path) -> Open:
    path = make_file(tmp_path / "a.db", "CREATE TABLE t AS SELECT 1 AS n")
    return Open(path=str(path), memory_bytes=2**30)


@pytest.fixture
async def pool(opening: Open, request: pytest.FixtureRequest) -> AsyncIterator[ChildPool]:
    pool = ChildPool(SQLITE, opening, size=getattr(request, "param", 1))
    yield pool
    await pool.close()


async def rows(
    pool: ChildPool, sql: str = "SELECT n FROM t", *, seconds: float = 20.0
) -> list[Row]:
    async with aclosing(pool.answer(sql, rows=10, seconds=seconds)) as parts:
        return [row async for part in parts if isinstance(part, Rows) for row in part.rows]


Children = Callable[[], list[psutil.Process]]


@pytest.fixture
def children() -> Children:
    """Give a look at the processes that this test has started; others may have left some warm."""
    others = set(psutil.Process().children())

    def look() -> list[psutil.Process]:
        found = [each for each in psutil.Process().children() if each not in others]
        return [each for each in found if each.status() != psutil.STATUS_ZOMBIE]

    return look


async def test_starts_a_child_when_it_is_needed_and_keeps_it(pool: ChildPool, children: Children):
    assert children() == []

    assert await rows(pool) == [(1,)]
    [first] = children()
    assert await rows(pool) == [(1,)]

    assert children() == [first]


async def test_a_child_gets_no_secret_and_loads_little(pool: ChildPool, children: Children):
    await rows(pool)
    [child] = children()

    assert set(child.environ()) <= {"PYTHONPATH", "LC_ALL", "SQLITE_TMPDIR", "LC_CTYPE"}
    loaded = {Path(each.path).name.split(".")[0] for each in child.memory_maps()}
    assert loaded.isdisjoint({"_multiarray_umath", "_pydantic_core", "lib", "_duckdb", "_greenlet"})


async def test_leaves_nothing_behind(opening: Open, children: Children):
    pool = ChildPool(SQLITE, opening)
    await rows(pool)
    [child] = children()
    scratch = Path(child.environ()["SQLITE_TMPDIR"])

    there = await asyncio.to_thread(scratch.is_dir)
    await pool.close()

    assert there
    assert children() == []
    assert not await asyncio.to_thread(scratch.exists)


async def test_may_be_used_again_after_it_was_closed(pool: ChildPool):
    await rows(pool)
    await pool.close()

    assert await rows(pool) == [(1,)]


async def test_a_child_that_listens_is_stopped_and_kept(
    pool: ChildPool, children: Children, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("adapters.warehouses.child.process._SECONDS_TO_STOP", PATIENCE)
    await rows(pool)
    [before] = children()

    with pytest.raises(TemporarilyUnavailable, match=r"0\.3 seconds"):
        await rows(pool, ENDLESS, seconds=0.3)
    async with aclosing(pool.answer(MANY, rows=10**9, seconds=20)) as parts:
        assert isinstance(await anext(parts), Heads)
        assert isinstance(await anext(parts), Rows)

    assert await rows(pool) == [(1,)]
    assert children() == [before]


async def test_a_child_that_does_not_listen_is_killed_and_replaced(
    pool: ChildPool, children: Children
):
    await rows(pool)
    [before] = children()

    with pytest.raises(TemporarilyUnavailable):
        await rows(pool, BOMB, seconds=0.3)

    assert await rows(pool) == [(1,)]
    assert children() != [before]


async def test_a_child_that_dies_takes_its_question_along(pool: ChildPool, children: Children):
    async with aclosing(pool.answer(MANY, rows=10**9, seconds=20)) as parts:
        await anext(parts)
        [child] = children()
        child.kill()

        with pytest.raises(QueryRejected, match="ended while it ran this query"):
            async for _ in parts:
                pass

    assert await rows(pool) == [(1,)]


async def test_a_child_that_died_in_its_sleep_is_replaced(pool: ChildPool, children: Children):
    await rows(pool)
    [child] = children()

    child.kill()
    await asyncio.to_thread(child.wait)

    assert await rows(pool) == [(1,)]


async def test_a_question_that_is_begun_again_has_no_more_time_than_before(
    pool: ChildPool, monkeypatch: pytest.MonkeyPatch
):
    loop = asyncio.get_running_loop()
    time, passed = loop.time, 0.0
    monkeypatch.setattr(loop, "time", lambda: time() + passed)
    await rows(pool)

    running = asyncio.create_task(rows(pool, ENDLESS, seconds=10 * PATIENCE))
    for each in await until_one_works():
        passed += 6 * PATIENCE
        each.kill()
        await asyncio.to_thread(each.wait)
    await until_one_works()
    passed += 6 * PATIENCE
    await asyncio.wait({running}, timeout=PATIENCE)

    assert running.done()
    with pytest.raises(TemporarilyUnavailable, match="was stopped after 1200 seconds"):
        await running


@pytest.mark.parametrize("pool", [3], indirect=True)
async def test_several_that_died_in_their_sleep_are_replaced_at_once(
    pool: ChildPool, children: Children
):
    def side_by_side() -> asyncio.Future[list[list[Row] | BaseException]]:
        return asyncio.gather(*(rows(pool) for _ in range(3)), return_exceptions=True)

    assert await side_by_side() == [[(1,)]] * 3
    slept = children()
    assert len(slept) == 3

    for child in slept:
        child.kill()
        await asyncio.to_thread(child.wait)

    assert await side_by_side() == [[(1,)]] * 3
    assert len(children()) == 3


async def test_lets_go_of_the_file_after_a_while(opening: Open, children: Children):
    pool = ChildPool(SQLITE, opening, idle_seconds=0.0)

    await rows(pool)
    [child] = children()
    async with asyncio.timeout(PATIENCE):
        await asyncio.to_thread(child.wait)

    assert await rows(pool) == [(1,)]
    await pool.close()


async def test_a_question_waits_for_its_turn_but_not_for_ever(pool: ChildPool):
    async with aclosing(pool.answer(MANY, rows=10**9, seconds=20)) as parts:
        await anext(parts)

        with pytest.raises(TemporarilyUnavailable, match="busy with other queries"):
            await rows(pool, seconds=0.1)


async def test_time_that_the_reader_takes_does_not_count(
    pool: ChildPool, monkeypatch: pytest.MonkeyPatch
):
    loop = asyncio.get_running_loop()
    time, read, taken = loop.time, 0, 0.0
    monkeypatch.setattr(loop, "time", lambda: time() + taken)
    async with aclosing(pool.answer(MANY, rows=50_000, seconds=PATIENCE)) as parts:
        async for part in parts:
            read += len(part.rows) if isinstance(part, Rows) else 0
            taken += 2 * PATIENCE

    assert read == 50_000


async def test_says_so_when_a_child_cannot_start(opening: Open):
    pool = ChildPool("adapters.warehouses.parts", opening)  # a module that ends at once

    with pytest.raises(TemporarilyUnavailable, match="did not start"):
        await rows(pool)
    await pool.close()


@pytest.mark.parametrize("sql", [MANY, ENDLESS, BOMB], ids=["many", "endless", "bomb"])
async def test_a_child_does_not_outlive_its_parent(opening: Open, sql: str):
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PARENT, opening.path, sql),
        stdout=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert parent.stdout is not None
    child = psutil.Process(int(await parent.stdout.readline()))
    scratch = Path(child.environ()["SQLITE_TMPDIR"])

    parent.send_signal(signal.SIGKILL)
    await parent.wait()

    async with asyncio.timeout(PATIENCE):
        await asyncio.to_thread(child.wait)
    assert not await asyncio.to_thread(scratch.exists)


PARENT = f"""
import asyncio, sys, psutil
from adapters.warehouses.child.messages import Open
from adapters.warehouses.child.pool import ChildPool

async def main():
    pool = ChildPool({SQLITE!r}, Open(path=sys.argv[1], memory_bytes=2**30))
    async for part in pool.answer("SELECT 1", rows=1, seconds=60):
        [child] = psutil.Process().children()
    print(child.pid, flush=True)
    async for part in pool.answer(sys.argv[2], rows=10**9, seconds=60):
        pass

asyncio.run(main())
"""
