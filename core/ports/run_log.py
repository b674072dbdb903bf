"""The events of every run, as they happen and after."""

from collections.abc import AsyncIterator
from typing import Protocol

from core.domain.events import Event
from core.domain.ids import RunId


class RunLog(Protocol):
    """Kept honest by tests/conformance/run_log.py.

    - `begin` makes a run known before its first event, so that it can be followed while it waits.
    - Positions count from 1 in each run, without gaps.
    - `follow` gives every event after the position, those that are there and those to come, and
      ends after the run's last one. Any number may follow; none slows the run.
    - `follow` raises NotPossible for a run that is not known.
    """

    async def begin(self, run: RunId) -> None: ...

    async def append(self, run: RunId, event: Event) -> int: ...

    def follow(self, run: RunId, *, after: int = 0) -> AsyncIterator[tuple[int, Event]]: ...
