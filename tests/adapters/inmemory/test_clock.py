from datetime import timedelta

import pytest

from adapters.inmemory.clock import InMemoryClock, SystemClock
from tests.conformance.clock import ClockContract


class TestSystemClock(ClockContract):
    @pytest.fixture
    def clock(self) -> SystemClock:
        return SystemClock()


class TestInMemoryClock(ClockContract):
    @pytest.fixture
    def clock(self) -> InMemoryClock:
        return InMemoryClock()

    async def test_sleeping_moves_it_and_nobody_waits(self, clock: InMemoryClock):
        before = clock.now()

        await clock.sleep(3_600)

        assert clock.now() - before == timedelta(hours=1)
        assert clock.slept == [3_600]
