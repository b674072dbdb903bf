"""How late the event loop is: the difference between when a sleeper asked to be woken and was."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable

_TICK = 0.002


async def latest_of(work: Awaitable[object]) -> float:
    """Run `work` and return the 99th percentile of the loop's lateness meanwhile, in ms."""
    late: list[float] = []
    async with asyncio.TaskGroup() as tasks:
        watch = tasks.create_task(_watch(late))
        await work
        watch.cancel()
    return statistics.quantiles(late, n=100)[98] * 1_000 if len(late) > 1 else 0.0


async def _watch(late: list[float]) -> None:
    while True:
        before = time.perf_counter()
        await asyncio.sleep(_TICK)
        late.append(time.perf_counter() - before - _TICK)
