"""The events of runs in memory: whoever follows late still gets all of them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import get_args

from core.domain.errors import NotPossible
from core.domain.events import End, Event
from core.domain.ids import RunId


@dataclass(slots=True)
class _Run:
    events: list[Event] = field(default_factory=list[Event])
    ended: bool = False
    grown: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, event: Event) -> int:
        self.events.append(event)
        self.ended = isinstance(event, get_args(End))
        # Those who wait hold the old signal; the next ones wait for the new.
        self.grown.set()
        self.grown = asyncio.Event()
        return len(self.events)


@dataclass(slots=True)
class InMemoryRunLog:
    """Lets go of the oldest ended runs beyond `max_runs`."""

    max_runs: int = 1_000
    _runs: dict[RunId, _Run] = field(default_factory=dict[RunId, _Run])

    async def begin(self, run: RunId) -> None:
        self._log_of(run)

    async def append(self, run: RunId, event: Event) -> int:
        return self._log_of(run).add(event)

    async def follow(self, run: RunId, *, after: int = 0) -> AsyncIterator[tuple[int, Event]]:
        log = self._runs.get(run)
        if log is None:
            raise NotPossible(f"There is no run {run!r}; it may be too long ago.")
        given = max(after, 0)
        while True:
            while given < len(log.events):
                given += 1
                yield given, log.events[given - 1]
            if log.ended:
                return
            await log.grown.wait()

    def _log_of(self, run: RunId) -> _Run:
        if run not in self._runs:
            self._make_room()
            self._runs[run] = _Run()
        return self._runs[run]

    def _make_room(self) -> None:
        if len(self._runs) < self.max_runs:
            return
        oldest = next((run for run, log in self._runs.items() if log.ended), None)
        if oldest is not None:
            del self._runs[oldest]
