"""Runs that wait, in memory: they do not outlive the process."""

from collections import OrderedDict
from dataclasses import dataclass, field

from core.domain.ids import DecisionId
from core.domain.paused import Fate, PausedRun
from core.ports.clock import Clock

_REMEMBERED_FATES = 1_000


@dataclass(slots=True)
class InMemoryPausedRuns:
    """Forgets a run once it has been taken or has expired, and what became of it much later."""

    clock: Clock
    _kept: dict[DecisionId, PausedRun] = field(default_factory=dict[DecisionId, PausedRun])
    _expired: list[PausedRun] = field(default_factory=list[PausedRun])
    _fates: OrderedDict[DecisionId, Fate] = field(default_factory=OrderedDict[DecisionId, Fate])

    async def keep(self, paused: PausedRun) -> None:
        self._forget_expired()
        self._kept[paused.decision.id] = paused

    async def look(self, decision: DecisionId) -> PausedRun | None:
        self._forget_expired()
        return self._kept.get(decision)

    async def take(self, decision: DecisionId) -> PausedRun | None:
        self._forget_expired()
        taken = self._kept.pop(decision, None)
        if taken is not None:
            self._remember(decision, Fate.ANSWERED)
        return taken

    async def fate(self, decision: DecisionId) -> Fate:
        self._forget_expired()
        if decision in self._kept:
            return Fate.WAITING
        return self._fates.get(decision, Fate.UNKNOWN)

    async def expired(self) -> tuple[PausedRun, ...]:
        self._forget_expired()
        given, self._expired = self._expired, []
        return tuple(given)

    def _forget_expired(self) -> None:
        now = self.clock.now()
        for decision in [key for key, run in self._kept.items() if run.expires_at <= now]:
            self._expired.append(self._kept.pop(decision))
            self._remember(decision, Fate.EXPIRED)

    def _remember(self, decision: DecisionId, fate: Fate) -> None:
        self._fates[decision] = fate
        while len(self._fates) > _REMEMBERED_FATES:
            self._fates.popitem(last=False)
