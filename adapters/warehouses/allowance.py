"""Time that may be spent waiting for an engine, whatever the reader does in between."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

_T = TypeVar("_T")


class Allowance:
    """Seconds that get fewer with every wait; `of` is how many there were."""

    def __init__(self, seconds: float) -> None:
        self.of = seconds
        self._left = seconds

    async def spend(self, work: Awaitable[_T]) -> _T:
        """Wait for some work as long as there is time left.

        Raises:
            TimeoutError: there was not enough; the work is cancelled.
        """
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            async with asyncio.timeout(max(self._left, 0.0)):
                return await work
        finally:
            self._left -= clock() - began
