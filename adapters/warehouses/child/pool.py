"""A few child processes with the same database, started when needed and kept warm."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field

from adapters.warehouses.allowance import Allowance
from adapters.warehouses.child.messages import Ask, Open
from adapters.warehouses.child.process import Child, ChildDied
from adapters.warehouses.failures import all_busy
from adapters.warehouses.parts import Parts


@dataclass(slots=True)
class ChildPool:
    """At most `size` questions run at once; further ones wait for their turn.

    A child that had nothing to do for `idle_seconds` is ended, so that the file is let go.
    """

    module: str
    opening: Open
    size: int = 2
    idle_seconds: float = 300.0
    _idle: dict[Child, asyncio.TimerHandle] = field(
        default_factory=dict[Child, asyncio.TimerHandle]
    )
    _all: list[Child] = field(default_factory=list[Child])
    _room: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._room = asyncio.Semaphore(self.size)

    async def answer(
        self, sql: str, *, rows: int, seconds: float, of_catalog: bool = False
    ) -> Parts:
        """Give the parts of an answer: Heads first, then Rows. Closing it early ends the query.

        A question on which a child dies that was kept is begun again in a new one, once, with
        what is left of its time.

        Raises:
            QueryRejected, TemporarilyUnavailable: there is no (further) answer.
        """
        ask = Ask(sql=sql, rows=rows, of_catalog=of_catalog)
        allowance = Allowance(seconds)
        await self._wait_for_room(seconds)
        try:
            kept = True
            while kept:
                child, kept = await self._take()
                try:
                    async with aclosing(child.answer(ask, allowance)) as parts:
                        async for part in parts:
                            kept = False
                            yield part
                except ChildDied:
                    # It may have died in its sleep; a new one shows whether the query did it.
                    if not kept:
                        raise
                else:
                    kept = False
                finally:
                    if await child.settle():
                        self._keep_warm(child)
        finally:
            self._room.release()

    async def close(self) -> None:
        """End every child; it may be used again, with new ones."""
        ending, self._all = self._all, []
        for child in [*self._idle]:
            self._retire(child)
        for child in ending:
            await child.end()

    def _keep_warm(self, child: Child) -> None:
        loop = asyncio.get_running_loop()
        self._idle[child] = loop.call_later(self.idle_seconds, self._retire, child)

    def _retire(self, child: Child) -> None:
        self._idle.pop(child).cancel()
        child.kill()

    async def _wait_for_room(self, seconds: float) -> None:
        if not self._room.locked():
            await self._room.acquire()
            return
        try:
            async with asyncio.timeout(seconds):
                await self._room.acquire()
        except TimeoutError as error:
            raise all_busy(seconds) from error

    async def _take(self) -> tuple[Child, bool]:
        """Return a child, and whether it is one that was kept."""
        while self._idle:
            child, retirement = self._idle.popitem()
            retirement.cancel()
            if child.is_alive:
                return child, True
        await self._forget_the_dead()
        child = await Child.start(self.module, self.opening)
        self._all.append(child)
        return child, False

    async def _forget_the_dead(self) -> None:
        # Others come by here while the dead are buried: they must not find them again.
        dead = [each for each in self._all if each not in self._idle and not each.is_alive]
        self._all = [each for each in self._all if each not in dead]
        for child in dead:
            await child.end()
