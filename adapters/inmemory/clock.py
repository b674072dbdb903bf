"""Clocks: the machine's own, and one that goes as it is told."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from time import monotonic


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The time of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass(slots=True)
class InMemoryClock:
    """Stands still; `sleep` and `advance` move it, and nobody really waits.

    `slept` remembers what was asked for.
    """

    time: datetime = datetime(2026, 11, 30, 9, tzinfo=UTC)
    slept: list[float] = field(default_factory=list[float])
    _elapsed: float = 0.0

    def now(self) -> datetime:
        return self.time + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        return self._elapsed

    def advance(self, seconds: float) -> None:
        self._elapsed += max(seconds, 0.0)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)
        await asyncio.sleep(0)
