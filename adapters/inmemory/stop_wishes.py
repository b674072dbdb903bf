"""Wishes that a run should stop, where there is one process: whatever goes on, goes on here."""

from core.domain.ids import RunId


class InMemoryStopWishes:
    """A run that does not go on in this process has ended."""

    async def wish(self, run: RunId) -> bool:
        return False

    async def wished(self) -> frozenset[RunId]:
        return frozenset()
