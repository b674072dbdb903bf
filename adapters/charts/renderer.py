"""Charts drawn by matplotlib, in processes of their own: the server never loads it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import structlog

from adapters.charts.process import DrawingProcess, ProcessDied
from adapters.charts.wire import Outcome, Reply, pack
from core.domain.alt_text import describe
from core.domain.artifact import Chart
from core.domain.errors import NotPossible, TemporarilyUnavailable
from core.ports.chart_renderer import Picture

_TRIES = 2
_ROWS_PACKED_AT_ONCE = 500  # more than that would hold up the loop
_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class MatplotlibCharts:
    """Up to `workers` processes, each started when there is a chart and none is free.

    A chart may take `seconds`. A process that ends or hangs is replaced and its chart drawn again.
    """

    workers: int = 2
    seconds: float = 30.0
    _idle: list[DrawingProcess] = field(default_factory=list[DrawingProcess], init=False)
    _places: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._places = asyncio.Semaphore(self.workers)

    @property
    def pids(self) -> tuple[int, ...]:
        """Return the ids of the processes that wait for a chart."""
        return tuple(process.pid for process in self._idle)

    async def warm(self) -> None:
        """Start a process and wait until it is ready; without it, the first chart waits."""
        async with self._places:
            process = await self._take()
            try:
                await process.settle()
            except ProcessDied as error:
                _log.warning("charts_cannot_be_drawn", reason=str(error))
                await process.kill()
            self._give_back(process)

    async def render(self, chart: Chart) -> Picture:
        words = describe(chart)
        many = len(chart.table.rows) > _ROWS_PACKED_AT_ONCE
        request = await asyncio.to_thread(pack, chart) if many else pack(chart)
        for _ in range(_TRIES):
            reply = await self._draw(request)
            if reply is not None:
                return Picture(_png(reply), words)
        raise TemporarilyUnavailable("The chart was not drawn; its table has the same figures.")

    async def close(self) -> None:
        """Wait for charts that are being drawn, then end the processes."""
        for _ in range(self.workers):
            await self._places.acquire()
        while self._idle:
            await self._idle.pop().close()
        for _ in range(self.workers):
            self._places.release()

    async def _draw(self, request: bytes) -> Reply | None:
        """Return the reply of a process; None when it had to be given up."""
        async with self._places:
            process = await self._take()
            try:
                async with asyncio.timeout(self.seconds):
                    return await process.draw(request)
            except (ProcessDied, TimeoutError) as error:
                _log.warning("chart_process_lost", pid=process.pid, reason=repr(error))
                await process.kill()
                return None
            finally:
                self._give_back(process)

    async def _take(self) -> DrawingProcess:
        while self._idle:
            process = self._idle.pop()
            if process.alive:
                return process
        return await DrawingProcess.start()

    def _give_back(self, process: DrawingProcess) -> None:
        if process.alive:
            self._idle.append(process)


def _png(reply: Reply) -> bytes:
    match reply.outcome:
        case Outcome.DRAWN:
            return reply.body
        case Outcome.REFUSED:
            raise NotPossible(reply.body.decode())
        case _:
            _log.error("chart_failed", reason=reply.body.decode())
            raise NotPossible("This chart could not be drawn; its table has the same figures.")
