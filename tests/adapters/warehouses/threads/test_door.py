from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field

import pytest

from adapters.warehouses.parts import Head, Rows
from adapters.warehouses.threads.door import ThreadDoor
from adapters.warehouses.threads.session import Ask
from core.domain.errors import QueryRejected, TemporarilyUnavailable, ToolError
from core.domain.table import Row
from tests.kit.patience import PATIENCE, patiently


class Failure(Exception):
    pass


@dataclass
class Work:
    """What the sessions are at, and what lets them go on."""

    opened: int = 0
    closed: int = 0
    cancelled: int = 0
    finished: int = 0
    threads: set[str] = field(default_factory=set[str])
    largest_piece: int = 0
    deaf: bool = False
    ends: threading.Event = field(default_factory=threading.Event)
    waiting: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))


@dataclass
class CountingSession:
    """Counts upwards; `slow` waits until it is cancelled, and when deaf longer than that."""

    work: Work
    left: int = 0

    def start(self, ask: Ask) -> tuple[Head, ...]:
        self.work.threads.add(threading.current_thread().name)
        # A process waits at its end for all threads but these.
        assert threading.current_thread().daemon
        if "wrong" in ask.sql:
            raise Failure("wrong")
        if "slow" in ask.sql:
            self.work.waiting.release()
            assert self.work.ends.wait(PATIENCE)
            raise Failure("cancelled")
        self.left = 100_000
        return (Head("n", "int"),)

    def take(self, size: int) -> list[Row]:
        self.work.largest_piece = max(self.work.largest_piece, size)
        rows: list[Row] = [(n,) for n in range(min(size, self.left))]
        self.left -= len(rows)
        return rows

    def finish(self) -> None:
        self.work.finished += 1

    def cancel(self) -> None:
        self.work.cancelled += 1
        if not self.work.deaf:
            self.work.ends.set()

    def close(self) -> None:
        self.work.closed += 1


@dataclass
class CountingEngine:
    work: Work
    failures: tuple[type[Exception], ...] = (Failure,)

    def connect(self) -> CountingSession:
        self.work.opened += 1
        return CountingSession(self.work)

    def translated(self, error: BaseException, seconds: float) -> ToolError:
        if isinstance(error, TimeoutError):
            return TemporarilyUnavailable(f"over after {seconds:g} s")
        return QueryRejected(str(error))

    def advice(self, error: ToolError) -> str:
        return error.advice


@pytest.fixture
def work() -> Work:
    return Work()


@pytest.fixture
async def door(work: Work) -> AsyncIterator[ThreadDoor]:
    door = ThreadDoor(CountingEngine(work), seconds=0.5)
    yield door
    work.ends.set()
    await door.close()


async def read(door: ThreadDoor, sql: str = "SELECT n", *, rows: int = 10) -> int:
    async with aclosing(door.answer(sql, rows=rows, seconds=PATIENCE)) as parts:
        return sum([len(part.rows) async for part in parts if isinstance(part, Rows)])


async def test_rows_come_in_pieces_from_threads_of_its_own(door: ThreadDoor, work: Work):
    assert await read(door, rows=50_000) == 50_000

    assert work.largest_piece <= 4_000
    assert all(name.startswith("warehouse") for name in work.threads)


async def test_a_session_is_kept_for_the_next_query(door: ThreadDoor, work: Work):
    for _ in range(5):
        await read(door)

    assert (work.opened, work.finished, work.closed) == (1, 5, 0)


async def test_a_rejection_leaves_the_session_usable(door: ThreadDoor, work: Work):
    with pytest.raises(QueryRejected, match="wrong"):
        await read(door, "SELECT wrong")

    assert await read(door) == 10
    assert (work.opened, work.cancelled) == (1, 0)


async def test_an_answer_that_is_given_up_between_two_pieces_is_finished(
    door: ThreadDoor, work: Work
):
    async with aclosing(door.answer("SELECT n", rows=1_000, seconds=PATIENCE)) as parts:
        async for _ in parts:
            break

    assert (work.finished, work.cancelled) == (1, 0)


async def test_time_that_is_over_cancels_and_closes(door: ThreadDoor, work: Work):
    with pytest.raises(TemporarilyUnavailable, match=r"over after 0\.2 s"):
        async with aclosing(door.answer("SELECT slow", rows=1, seconds=0.2)) as parts:
            await anext(parts)

    assert (work.cancelled, work.closed) == (1, 1)
    assert await read(door) == 10


async def test_the_loop_goes_on_while_a_driver_waits(door: ThreadDoor, work: Work):
    running = asyncio.create_task(read(door, "SELECT slow"))
    await asyncio.to_thread(work.waiting.acquire)

    assert await read(door) == 10
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert work.cancelled == 1


async def test_a_thread_that_does_not_come_back_keeps_its_place(
    door: ThreadDoor, work: Work, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("adapters.warehouses.threads.door._SECONDS_TO_CLEAN_UP", 0.05)
    work.deaf = True
    for _ in range(3):
        running = asyncio.create_task(read(door, "SELECT slow"))
        await asyncio.to_thread(work.waiting.acquire)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    with pytest.raises(TemporarilyUnavailable, match="busy with other queries"):
        await read(door)

    # Once the drivers have come back, there is room again.
    work.ends.set()
    assert await patiently(lambda: read(door)) == 10
    assert work.closed == 3
