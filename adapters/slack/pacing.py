"""How often each method may be called for a workspace: one bucket a method, shared by all runs."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

from adapters.slack import limits
from core.ports.clock import Clock

_OTHER_METHODS = 50
_SHARE_USED = 0.9  # of what Slack allows, so that its clock and ours need not agree
_BURST_SECONDS = 12.0
_KEPT_FOR_ENDS = 3.0  # calls that progress leaves to answers


@dataclass(slots=True)
class _Bucket:
    a_second: float
    most: float
    tokens: float
    filled_at: float
    closed_until: float = 0.0

    def fill(self, now: float) -> None:
        self.tokens = min(self.most, self.tokens + (now - self.filled_at) * self.a_second)
        self.filled_at = now

    def seconds_until(self, tokens: float, now: float) -> float:
        self.fill(now)
        missing = max(0.0, tokens - self.tokens) / self.a_second
        return max(missing, self.closed_until - now)


@dataclass(slots=True)
class Pacing:
    """Answers go at once and may run into debt; progress waits until there is room for it."""

    clock: Clock
    _buckets: dict[str, _Bucket] = field(default_factory=dict[str, _Bucket])

    def spend(self, method: str) -> None:
        """Count a call that is made whatever the pace."""
        bucket = self._bucket(method)
        bucket.fill(self.clock.monotonic())
        bucket.tokens -= 1

    def closed(self, method: str, seconds: float) -> None:
        """Remember that Slack wants no such call for some seconds."""
        self._bucket(method).closed_until = self.clock.monotonic() + seconds

    def has_room(self, method: str) -> bool:
        return self._wait(method) <= 0

    async def room(self, method: str, hurry: asyncio.Event) -> bool:
        """Wait for room and take it; False as soon as `hurry` is set, with nothing taken."""
        while not hurry.is_set():
            wait = self._wait(method)
            if wait <= 0:
                self.spend(method)
                return True
            with suppress(TimeoutError):
                await asyncio.wait_for(hurry.wait(), timeout=wait)
        return False

    def _wait(self, method: str) -> float:
        return self._bucket(method).seconds_until(1.0 + _KEPT_FOR_ENDS, self.clock.monotonic())

    def _bucket(self, method: str) -> _Bucket:
        if method not in self._buckets:
            a_second = limits.CALLS_A_MINUTE.get(method, _OTHER_METHODS) * _SHARE_USED / 60
            most = a_second * _BURST_SECONDS + _KEPT_FOR_ENDS
            now = self.clock.monotonic()
            self._buckets[method] = _Bucket(a_second, most, tokens=most, filled_at=now)
        return self._buckets[method]
