import pytest

from adapters.inmemory.run_log import InMemoryRunLog
from core.domain.errors import NotPossible
from core.domain.ids import RunId
from tests.conformance.run_log import FINISHED, STARTED, RunLogContract


class TestInMemoryRunLog(RunLogContract):
    @pytest.fixture
    def log(self) -> InMemoryRunLog:
        return InMemoryRunLog()


async def test_lets_go_of_the_oldest_run_that_has_ended():
    log = InMemoryRunLog(max_runs=2)
    await log.append(RunId("going on"), STARTED)
    await log.append(RunId("ended"), STARTED)
    await log.append(RunId("ended"), FINISHED)

    await log.append(RunId("new"), STARTED)

    assert await log.append(RunId("going on"), FINISHED) == 2
    with pytest.raises(NotPossible):
        await anext(log.follow(RunId("ended")))
