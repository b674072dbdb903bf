"""What a thread remembers: its last turns."""

from typing import Protocol

from core.domain.conversation import Exchange, Thread
from core.domain.ids import ThreadId


class ThreadStore(Protocol):
    """Kept honest by tests/conformance/thread_store.py.

    - `load` gives a thread that nobody has written to as an empty one.
    - `append` keeps the last ten exchanges; two at once are both kept.
    - `forget` makes it empty again.
    """

    async def load(self, thread: ThreadId) -> Thread: ...

    async def append(self, thread: ThreadId, exchange: Exchange) -> None: ...

    async def forget(self, thread: ThreadId) -> None: ...
