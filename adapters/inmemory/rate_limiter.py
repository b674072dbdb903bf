"""Token buckets in memory: each process counts for itself."""

from dataclasses import dataclass, field

from core.ports.clock import Clock


@dataclass(slots=True)
class _Bucket:
    tokens: float
    seen: float


@dataclass(slots=True)
class InMemoryRateLimiter:
    """Each key may ask `burst` times at once, and `per_minute` times in the long run.

    A key that has its whole bucket back is forgotten.
    """

    clock: Clock
    per_minute: float = 20.0
    burst: int = 10
    _buckets: dict[str, _Bucket] = field(default_factory=dict[str, _Bucket])
    _swept: float = 0.0

    def __post_init__(self) -> None:
        if self.per_minute <= 0 or self.burst < 1:
            raise ValueError("a bucket holds at least one token and fills up again")

    def __len__(self) -> int:
        """Return how many keys are remembered."""
        return len(self._buckets)

    async def admit(self, key: str) -> float:
        now = self.clock.monotonic()
        self._sweep(now)
        bucket = self._buckets.setdefault(key, _Bucket(tokens=float(self.burst), seen=now))
        bucket.tokens = self._tokens_at(bucket, now)
        bucket.seen = now
        if bucket.tokens >= 1.0:
            bucket.tokens -= 1.0
            return 0.0
        return (1.0 - bucket.tokens) * 60.0 / self.per_minute

    def _tokens_at(self, bucket: _Bucket, now: float) -> float:
        return min(self.burst, bucket.tokens + (now - bucket.seen) * self.per_minute / 60.0)

    def _sweep(self, now: float) -> None:
        if now - self._swept < 60.0:
            return
        self._swept = now
        full = [k for k, b in self._buckets.items() if self._tokens_at(b, now) >= self.burst]
        for key in full:
            del self._buckets[key]
