"""Runs that wait, in memory: they do not outlive the process."""

from dataclasses import dataclass, field

from core.domain.ids import DecisionId
from core.domain.paused import PausedRun
from core.ports.clock import Clock


@dataclass(slots=True)
class InMemoryPausedRuns:
    """Forgets a run once it has been taken or has expired."""

    clock: Clock
    _kept: dict[DecisionId, PausedRun] = field(default_factory=dict[DecisionId, PausedRun])

    async def keep(self, paused: PausedRun) -> None:
        self._forget_expired()
        self._kept[paused.decision.id] = paused

    async def look(self, decision: DecisionId) -> PausedRun | None:
        self._forget_expired()
        return self._kept.get(decision)

    async def take(self, decision: DecisionId) -> PausedRun | None:
        self._forget_expired()
        return self._kept.pop(decision, None)

    def _forget_expired(self) -> None:
        now = self.clock.now()
        for decision in [key for key, run in self._kept.items() if run.expires_at <= now]:
            del self._kept[decision]
