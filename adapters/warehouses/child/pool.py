"""A few child processes with the same database, started when needed and kept warm."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field

from adapters.warehouses.child.messages import Ask, Open
from adapters.warehouses.child.process import Child
from adapters.warehouses.failures import all_busy
from adapters.warehouses.parts import Heads, Rows


@dataclass(slots=True)
class ChildPool:
    """At most `size` questions run at once; further ones wait for their turn."""

    module: str
    opening: Open
    size: int = 2
    _idle: list[Child] = field(default_factory=list[Child])
    _all: list[Child] = field(default_factory=list[Child])
    _room: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._room = asyncio.Semaphore(self.size)

    async def answer(self, ask: Ask, *, seconds: float) -> AsyncGenerator[Heads | Rows, None]:
        """Give the parts of an answer: Heads first, then Rows. Closing it early ends the query.

        Raises:
            QueryRejected, TemporarilyUnavailable: there is no (further) answer.
        """
        await self._wait_for_room(seconds)
        try:
            child = await self._take()
            try:
                async with aclosing(child.answer(ask, seconds=seconds)) as parts:
                    async for part in parts:
                        yield part
            finally:
                if await child.settle():
                    self._idle.append(child)
        finally:
            self._room.release()

    async def close(self) -> None:
        """End every child; there is no answer after this."""
        ending, self._all, self._idle = self._all, [], []
        for child in ending:
            await child.end()

    async def _wait_for_room(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._room.acquire()
        except TimeoutError as error:
            raise all_busy(seconds) from error

    async def _take(self) -> Child:
        while self._idle:
            child = self._idle.pop()
            if child.is_alive:
                return child
        await self._forget_the_dead()
        child = await Child.start(self.module, self.opening)
        self._all.append(child)
        return child

    async def _forget_the_dead(self) -> None:
        for child in [each for each in self._all if each not in self._idle and not each.is_alive]:
            self._all.remove(child)
            await child.end()
