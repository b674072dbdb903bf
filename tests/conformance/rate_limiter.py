"""What every RateLimiter does. Subclass it next to the implementation; add nothing to pass."""

import asyncio

from core.ports.rate_limiter import RateLimiter


class RateLimiterContract:
    """The subclass gives a `limiter` of 3 at once and 60 a minute, and a way to let time pass."""

    async def pass_time(self, limiter: RateLimiter, seconds: float) -> None:
        """Let time pass for the limiter."""
        raise NotImplementedError

    async def test_admits_a_burst_and_then_says_how_long_to_wait(self, limiter: RateLimiter):
        answers = [await limiter.admit("ann") for _ in range(4)]

        assert answers[:3] == [0.0, 0.0, 0.0]
        assert 0.0 < answers[3] <= 1.0

    async def test_a_refusal_takes_no_token(self, limiter: RateLimiter):
        waits = [await limiter.admit("ann") for _ in range(10)]

        assert waits[-1] <= 1.0

    async def test_admits_again_after_the_time_it_named(self, limiter: RateLimiter):
        waits = [await limiter.admit("ann") for _ in range(4)]

        await self.pass_time(limiter, waits[-1])

        assert await limiter.admit("ann") == 0.0

    async def test_never_holds_more_than_a_burst(self, limiter: RateLimiter):
        await self.pass_time(limiter, 3_600)

        answers = [await limiter.admit("ann") for _ in range(4)]

        assert [wait == 0.0 for wait in answers] == [True, True, True, False]

    async def test_keeps_keys_apart(self, limiter: RateLimiter):
        for _ in range(4):
            await limiter.admit("ann")

        assert await limiter.admit("bob") == 0.0

    async def test_two_at_once_never_take_the_same_token(self, limiter: RateLimiter):
        async with asyncio.TaskGroup() as tasks:
            asked = [tasks.create_task(limiter.admit("ann")) for _ in range(10)]

        assert sum(each.result() == 0.0 for each in asked) == 3
