"""Threads in memory: what was said is gone when the process ends."""

from dataclasses import dataclass, field

from core.domain.conversation import Exchange, Thread
from core.domain.ids import ThreadId

_KEPT = 10


@dataclass(slots=True)
class InMemoryThreadStore:
    """Keeps the last ten exchanges of each thread."""

    _exchanges: dict[ThreadId, tuple[Exchange, ...]] = field(
        default_factory=dict[ThreadId, tuple[Exchange, ...]]
    )

    async def load(self, thread: ThreadId) -> Thread:
        return Thread(id=thread, exchanges=self._exchanges.get(thread, ()))

    async def append(self, thread: ThreadId, exchange: Exchange) -> None:
        self._exchanges[thread] = (*self._exchanges.get(thread, ()), exchange)[-_KEPT:]

    async def forget(self, thread: ThreadId) -> None:
        self._exchanges.pop(thread, None)
