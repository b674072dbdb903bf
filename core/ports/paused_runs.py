"""Runs that wait for a person."""

from typing import Protocol

from core.domain.ids import DecisionId
from core.domain.paused import Fate, PausedRun


class PausedRuns(Protocol):
    """Kept honest by tests/conformance/paused_runs.py.

    - `keep` stores the run under the id of its decision.
    - `look` gives it without taking it; None when it is not there or has expired.
    - `take` gives it exactly once, however many ask at the same time; None ever after.
    - `fate` says why: it was answered (taken) or has expired, for as long as that is remembered.
    - `keep` of a run that was taken makes it wait again.
    - `expired` gives those whose time has passed, each exactly once, however many ask.
    """

    async def keep(self, paused: PausedRun) -> None: ...

    async def look(self, decision: DecisionId) -> PausedRun | None: ...

    async def take(self, decision: DecisionId) -> PausedRun | None: ...

    async def fate(self, decision: DecisionId) -> Fate: ...

    async def expired(self) -> tuple[PausedRun, ...]: ...
