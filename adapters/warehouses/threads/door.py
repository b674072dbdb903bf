"""The door to engines whose drivers block: a few threads, a few sessions, and a way to stop them.

SQLAlchemy's pool keeps the sessions, the drivers' own calls read. Nothing here blocks the event
loop. A thread whose driver does not come back, though its query was cancelled and its connection
closed, keeps its place, so that there are never more threads than places; it ends with the process.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from sqlalchemy.pool import PoolProxiedConnection, QueuePool

from adapters.warehouses.allowance import Allowance
from adapters.warehouses.failures import all_busy
from adapters.warehouses.parts import Head, Heads, Parts, Rows
from adapters.warehouses.sizes import in_pieces
from adapters.warehouses.threads.failures import not_now
from adapters.warehouses.threads.session import Ask, Engine, Purpose, Session
from adapters.warehouses.threads.workers import Workers
from core.domain.errors import QueryRejected, TemporarilyUnavailable
from core.domain.table import Row

_T = TypeVar("_T")

_PLACES = 3
_SECONDS_TO_CONNECT = 30.0
_SECONDS_TO_CLEAN_UP = 5.0
# Gateways and cloud services forget a session that was idle for long.
_SECONDS_TO_KEEP = 600
_READS = re.compile(r"[\s(]*(SELECT|WITH|VALUES|TABLE)\b", re.IGNORECASE)


class ThreadDoor:
    """A few sessions of an engine; `seconds` is how long one may be waited for."""

    def __init__(self, engine: Engine, *, seconds: float) -> None:
        self._engine = engine
        self._seconds = seconds
        self._places = asyncio.Semaphore(_PLACES)
        self._pool = QueuePool(
            cast("Any", engine.connect),
            pool_size=_PLACES,
            max_overflow=0,
            recycle=_SECONDS_TO_KEEP,
            reset_on_return=None,
        )
        self._workers, self._stoppers = _threads()

    def answer(self, sql: str, *, rows: int, seconds: float, of_catalog: bool = False) -> Parts:
        purpose = Purpose.CATALOG if of_catalog else Purpose.READ
        return self.ask(Ask(sql=sql, purpose=purpose, seconds=seconds), rows=rows)

    async def ask(self, ask: Ask, *, rows: int) -> Parts:
        """Give the parts of an answer: Heads first, then Rows. Closing it early ends the query.

        Raises:
            QueryRejected, TemporarilyUnavailable: there is no (further) answer.
        """
        if ask.purpose is not Purpose.CATALOG and not _READS.match(ask.sql):
            raise QueryRejected("Only a SELECT may run.")
        allowance = Allowance(ask.seconds)
        async with self._place() as place:
            try:
                heads = await self._start(place, ask, allowance)
                yield Heads(heads)

                async def take(size: int) -> list[Row]:
                    return await allowance.spend(place.run(lambda: place.session.take(size)))

                async for piece in in_pieces(take, rows):
                    yield Rows(piece)
            except (*self._engine.failures, TimeoutError) as error:
                raise self._engine.translated(error, ask.seconds) from error

    async def close(self) -> None:
        """Close what is not in use; the door may be used again."""
        old, workers, stoppers = self._pool, self._workers, self._stoppers
        self._pool = old.recreate()
        self._workers, self._stoppers = _threads()
        await asyncio.wrap_future(stoppers.submit(old.dispose))
        workers.shutdown()
        stoppers.shutdown()

    async def _start(self, place: _Place, ask: Ask, allowance: Allowance) -> tuple[Head, ...]:
        """Start a query on a kept session, or, where that one has died in its sleep, a new one."""
        for _ in range(_PLACES):
            await self._connect(place)
            try:
                return await allowance.spend(place.run(lambda: place.session.start(ask)))
            except self._engine.failures as error:
                said = self._engine.translated(error, ask.seconds)
                if not (place.was_kept and isinstance(said, TemporarilyUnavailable)):
                    raise
                await place.run(place.throw_away)
        raise TimeoutError

    async def _connect(self, place: _Place) -> None:
        pool = self._pool
        try:
            async with asyncio.timeout(_SECONDS_TO_CONNECT):
                await place.run(lambda: place.check_out(pool))
        except TimeoutError as error:
            raise not_now(f"it gave no connection in {_SECONDS_TO_CONNECT:g} seconds") from error

    @asynccontextmanager
    async def _place(self) -> AsyncGenerator[_Place]:
        try:
            async with asyncio.timeout(self._seconds):
                await self._places.acquire()
        except TimeoutError as error:
            raise all_busy(self._seconds) from error
        place = _Place(self._workers, self._stoppers, self._engine.failures)
        try:
            yield place
        finally:
            await self._leave(place)

    async def _leave(self, place: _Place) -> None:
        """Hand the session back or close it; the place is free when its thread has returned."""
        try:
            await place.clean_up()
        finally:
            loop = asyncio.get_running_loop()
            place.when_idle(lambda: _release(loop, self._places))


def _threads() -> tuple[Workers, Workers]:
    """Return those that read and those that stop them."""
    return Workers("warehouse", _PLACES), Workers("warehouse-stop", _PLACES)


def _release(loop: asyncio.AbstractEventLoop, places: asyncio.Semaphore) -> None:
    with suppress(RuntimeError):  # the loop has ended, and with it whoever waited
        loop.call_soon_threadsafe(places.release)


@dataclass(slots=True)
class _Place:
    """One of the few that read: its session, and what its thread is at."""

    workers: Workers
    stoppers: Workers
    failures: tuple[type[Exception], ...]
    was_kept: bool = False
    _held: PoolProxiedConnection | None = None
    _running: Future[Any] | None = None

    @property
    def session(self) -> Session:
        if self._held is None or self._held.dbapi_connection is None:
            raise TimeoutError
        return cast("Session", self._held.dbapi_connection)

    async def run(self, work: Callable[[], _T]) -> _T:
        """Run this in a thread; whoever waits may give up, the thread goes on."""
        running = self.workers.submit(work)
        self._running = running
        result = asyncio.wrap_future(running)
        # What it raises after everybody has left concerns nobody.
        result.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        return await asyncio.shield(result)

    def check_out(self, pool: QueuePool) -> None:
        held = pool.connect()
        self.was_kept = bool(held.info.get("kept"))
        held.info["kept"] = True
        self._held = held

    def throw_away(self) -> None:
        if self._held is not None:
            self._held.invalidate()
            self._held.close()
            self._held = None

    def hand_back(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None

    async def clean_up(self) -> None:
        """Make the session ready for the next, or be rid of it."""
        if self._held is None and self._is_idle:
            return
        if self._is_idle and await self._is_done(self.session.finish, self.workers):
            self.hand_back()
            return
        if self._held is not None:
            await self._is_done(self.session.cancel, self.stoppers)
        if not self._is_idle and self._running is not None:
            await asyncio.wait({_watched(self._running)}, timeout=_SECONDS_TO_CLEAN_UP)
        await self._is_done(self.throw_away, self.stoppers)

    @property
    def _is_idle(self) -> bool:
        return self._running is None or self._running.done()

    def when_idle(self, then: Callable[[], None]) -> None:
        """Do this when the thread has returned; what it may have opened meanwhile is closed."""

        def idle(_: object) -> None:
            self.throw_away()
            then()

        if self._running is None:
            then()
        else:
            self._running.add_done_callback(idle)

    async def _is_done(self, work: Callable[[], None], where: Workers) -> bool:
        """Say whether this was done within some seconds, without an error."""
        future = where.submit(work)
        if where is self.workers:
            self._running = future
        await asyncio.wait({_watched(future)}, timeout=_SECONDS_TO_CLEAN_UP)
        return future.done() and future.exception() is None


def _watched(future: Future[Any]) -> asyncio.Future[None]:
    """Return what ends when a thread's work does, whatever comes of it."""
    loop = asyncio.get_running_loop()
    ended = loop.create_future()

    def tell(_: Future[Any]) -> None:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(lambda: ended.done() or ended.set_result(None))

    future.add_done_callback(tell)
    return ended
