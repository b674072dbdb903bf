import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.storage.opening import State, open_state
from tests.conformance.paused_runs import NOW
from tests.kit.servers import postgres_database, run_in_postgres


@pytest.fixture
def clock() -> InMemoryClock:
    return InMemoryClock(NOW)


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    with postgres_database() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.service)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give where an empty state database is, or will be."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'state' / 'state.sqlite'}"
        return
    found: str = request.getfixturevalue("server_url")
    yield found
    asyncio.run(run_in_postgres(found, "DROP SCHEMA IF EXISTS resona CASCADE"))


@pytest.fixture
async def state(url: str, clock: InMemoryClock) -> AsyncIterator[State]:
    async with open_state(url, clock) as opened:
        yield opened
