import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.inmemory.rate_limiter import InMemoryRateLimiter
from core.ports.rate_limiter import RateLimiter
from tests.conformance.rate_limiter import RateLimiterContract


class TestInMemoryRateLimiter(RateLimiterContract):
    @pytest.fixture
    def limiter(self) -> InMemoryRateLimiter:
        return InMemoryRateLimiter(InMemoryClock(), per_minute=60, burst=3)

    async def pass_time(self, limiter: RateLimiter, seconds: float) -> None:
        assert isinstance(limiter, InMemoryRateLimiter)
        await limiter.clock.sleep(seconds)


async def test_forgets_who_has_been_away():
    clock = InMemoryClock()
    limiter = InMemoryRateLimiter(clock, per_minute=60, burst=3)
    for n in range(100):
        await limiter.admit(f"guest {n}")

    clock.advance(120)
    await limiter.admit("ann")

    assert len(limiter) == 1


@pytest.mark.parametrize(("per_minute", "burst"), [(0, 3), (60, 0)])
def test_a_bucket_that_admits_nobody_is_a_mistake(per_minute: float, burst: int):
    with pytest.raises(ValueError, match="at least one token"):
        InMemoryRateLimiter(InMemoryClock(), per_minute=per_minute, burst=burst)
