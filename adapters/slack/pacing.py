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
_DEBT = 3.0  # calls over the pace that Slack lets pass, for answers alone


@dataclass(slots=True)
class _Bucket:
    a_second: float
    most: float
    tokens: float
    filled_at: float
    closed_until: float = 0.0

    def fill(self, now: float) -> None:
        if now <= self.filled_at:
            return
        self.tokens = min(self.most, self.tokens + (now - self.filled_at) * self.a_second)
        self.filled_at = now

    def seconds_until(self, tokens: float, now: float) -> float:
        self.fill(now)
        missing = max(0.0, tokens - self.tokens) / self.a_second
        return max(missing, self.closed_until - now)


@dataclass(slots=True)
class Pacing:
    """Answers may run into some debt, and then queue; progress waits until there is room for it."""

    clock: Clock
    _buckets: dict[str, _Bucket] = field(default_factory=dict[str, _Bucket])

    def reserve(self, method: str) -> float:
        """Count a call that has to be made; return the seconds until it is its turn.

        Many that have to be made at once get turns one after the other, so that Slack takes each.
        """
        bucket, now = self._bucket(method), self.clock.monotonic()
        bucket.fill(now)
        bucket.tokens -= 1
        behind = max(0.0, -bucket.tokens - _DEBT) / bucket.a_second
        return max(0.0, bucket.closed_until - now) + behind

    def closed(self, method: str, seconds: float) -> None:
        """Remember that Slack did not take a call, and wants no other for some seconds."""
        bucket = self._bucket(method)
        bucket.closed_until = bucket.filled_at = self.clock.monotonic() + seconds
        bucket.tokens = min(bucket.tokens, -_DEBT) + 1

    def has_room(self, method: str) -> bool:
        return self._wait(method) <= 0

    async def room(self, method: str, hurry: asyncio.Event) -> bool:
        """Wait for room and take it; False as soon as `hurry` is set, with nothing taken."""
        while not hurry.is_set():
            wait = self._wait(method)
            if wait <= 0:
                self.reserve(method)
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
