import asyncio
from datetime import timedelta
from functools import partial

import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.storage.attempts import StoredAttempts
from adapters.storage.database import only
from adapters.storage.forgetting import forget_old
from adapters.storage.opening import State, open_state
from tests.conformance.paused_runs import NOW

LINK, BODY = "link-that-nobody-guesses", '{"name": "sales"}'
SOON = NOW + timedelta(minutes=10)


@pytest.fixture
def attempts(state: State, clock: InMemoryClock) -> StoredAttempts:
    return StoredAttempts(state.database, clock)


async def test_looking_is_free_and_taking_works_once(attempts: StoredAttempts):
    await attempts.keep("a1", BODY, token=LINK, expires=SOON)

    assert [await attempts.peek(LINK) for _ in range(3)] == [BODY] * 3
    assert await attempts.take(LINK) == BODY
    assert await attempts.take(LINK) is None
    assert await attempts.peek(LINK) is None
    assert await attempts.look("a1") == BODY


async def test_another_link_finds_nothing(attempts: StoredAttempts):
    await attempts.keep("a1", BODY, token=LINK, expires=SOON)

    for other in ("", LINK[:-1], LINK + "x", "a1", "' OR 1=1 --"):
        assert await attempts.peek(other) is None
        assert await attempts.take(other) is None
    assert await attempts.look("a2") is None


async def test_of_several_processes_one_takes_it(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as one, open_state(url, clock) as two:
        both = [StoredAttempts(each.database, clock) for each in (one, two)]
        await both[0].keep("a1", BODY, token=LINK, expires=SOON)
        await both[1].peek(LINK)
        async with asyncio.TaskGroup() as tasks:
            takers = [tasks.create_task(each.take(LINK)) for _ in range(5) for each in both]

    assert [each.result() for each in takers if each.result()] == [BODY]


async def test_a_link_ends_with_its_time(attempts: StoredAttempts, clock: InMemoryClock):
    await attempts.keep("a1", BODY, token=LINK, expires=SOON)
    await clock.sleep(600)

    assert await attempts.peek(LINK) is None
    assert await attempts.take(LINK) is None
    assert await attempts.look("a1") == BODY


async def test_the_link_itself_is_kept_nowhere(attempts: StoredAttempts, state: State):
    await attempts.keep("a1", BODY, token=LINK, expires=SOON)

    rows = await state.database.run(only("SELECT * FROM connect_attempts"))

    assert LINK not in repr([tuple(row) for row in rows])


async def test_an_attempt_of_the_day_before_is_let_go_of(attempts: StoredAttempts, state: State):
    await attempts.keep("a1", BODY, token=LINK, expires=SOON)
    await state.database.run(partial(forget_old, now=SOON + timedelta(hours=23)))
    assert await attempts.look("a1") == BODY

    await state.database.run(partial(forget_old, now=SOON + timedelta(hours=25)))
    assert await attempts.look("a1") is None
