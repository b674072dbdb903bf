import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.inmemory.paused_runs import InMemoryPausedRuns
from tests.conformance.paused_runs import NOW, QUESTION, PausedRunsContract, paused_run


class TestInMemoryPausedRuns(PausedRunsContract):
    @pytest.fixture
    def paused(self) -> InMemoryPausedRuns:
        return InMemoryPausedRuns(InMemoryClock(NOW))


async def test_expires_as_time_passes():
    clock = InMemoryClock(NOW)
    paused = InMemoryPausedRuns(clock)
    await paused.keep(paused_run(QUESTION))

    clock.advance(24 * 3_600)

    assert await paused.take(QUESTION.id) is None
