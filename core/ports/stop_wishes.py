"""Wishes that a run should stop, which reach it in whatever process it goes on."""

from typing import Protocol

from core.domain.ids import RunId


class StopWishes(Protocol):
    """Kept honest by tests/conformance/stop_wishes.py.

    - `wish` keeps the wish, as often as it comes; False where the run has ended or is not known.
    - `wished` gives the runs of this process that go on and should stop.
    """

    async def wish(self, run: RunId) -> bool: ...

    async def wished(self) -> frozenset[RunId]: ...
