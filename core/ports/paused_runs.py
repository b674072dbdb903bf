"""Runs that wait for a person."""

from typing import Protocol

from core.domain.ids import DecisionId
from core.domain.paused import PausedRun


class PausedRuns(Protocol):
    """Kept honest by tests/conformance/paused_runs.py.

    - `keep` stores the run under the id of its decision.
    - `look` gives it without taking it; None when it is not there or has expired.
    - `take` gives it exactly once, however many ask at the same time; None ever after.
    """

    async def keep(self, paused: PausedRun) -> None: ...

    async def look(self, decision: DecisionId) -> PausedRun | None: ...

    async def take(self, decision: DecisionId) -> PausedRun | None: ...
