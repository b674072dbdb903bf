import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.storage.database import Result, Transaction, only
from adapters.storage.opening import State, open_state
from adapters.storage.run_log import SECONDS_TO_LIVE, StoredRunLog
from core.domain.answer import Answer
from core.domain.errors import NotPossible, StateUnusable
from core.domain.events import (
    Event,
    Progress,
    TextWithdrawn,
    TextWritten,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from core.domain.ids import RunId, ThreadId, TurnId
from tests.kit.grammar import assert_well_formed

RUN, TURN = RunId("a"), TurnId("turn")
STARTED = TurnStarted(
    turn_id=TURN, run_id=RUN, thread_id=ThreadId("here"), question="how many? 日本"
)
FINISHED = TurnFinished(turn_id=TURN, answer=Answer(text="42"))
WHOLE: tuple[Event, ...] = (
    STARTED,
    *(TextWritten(turn_id=TURN, text=text) for text in ("Let ", 'me "look"\n', "\u2028")),
    TextWithdrawn(turn_id=TURN),
    Progress(turn_id=TURN, text="Reading"),
    *(TextWritten(turn_id=TURN, text=text) for text in ("It is ", "42")),
    FINISHED,
)


async def written(log: StoredRunLog, *events: Event, run: RunId = RUN) -> None:
    for event in events:
        await log.append(run, event)


async def read(log: StoredRunLog, *, after: int = 0, run: RunId = RUN) -> list[tuple[int, Event]]:
    return [each async for each in log.follow(run, after=after)]


async def test_a_run_is_there_after_a_restart(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as before:
        await written(before.run_log, *WHOLE)

    async with open_state(url, clock) as after:
        events = await read(after.run_log)

    assert events == list(enumerate(WHOLE, start=1))


@pytest.mark.parametrize("after", [0, 1, 3, 4, 6, len(WHOLE)])
async def test_is_followed_from_any_position_after_a_restart(
    url: str, clock: InMemoryClock, after: int
):
    async with open_state(url, clock) as before:
        await written(before.run_log, *WHOLE[:6])
        await before.run_log.flush()
        await written(before.run_log, *WHOLE[6:])

    async with open_state(url, clock) as later:
        events = await read(later.run_log, after=after)

    assert events == list(enumerate(WHOLE, start=1))[after:]


async def test_what_was_not_written_down_yet_is_when_the_program_ends(
    url: str, clock: InMemoryClock
):
    async with open_state(url, clock) as before:
        await written(before.run_log, *WHOLE[:-1])

    async with open_state(url, clock) as after:
        rows = await after.database.run(only("SELECT MAX(last_position) FROM run_events"))

    assert [tuple(row) for row in rows] == [(len(WHOLE) - 1,)]


async def test_the_end_of_a_run_is_written_down_at_once(state: State):
    await written(state.run_log, *WHOLE)

    rows = await state.database.run(only("SELECT ended FROM runs"))

    assert [tuple(row) for row in rows] == [(1,)]


async def test_another_process_follows_a_run_that_goes_on(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as here, open_state(url, clock) as there:
        await written(here.run_log, *WHOLE[:3])
        await here.run_log.flush()
        following = aiter(there.run_log.follow(RUN))
        early = [await anext(following) for _ in range(3)]
        await written(here.run_log, *WHOLE[3:])
        late = [each async for each in following]

    assert [*early, *late] == list(enumerate(WHOLE, start=1))


async def test_a_run_that_its_process_left_is_ended_once(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as before:
        await written(before.run_log, *WHOLE[:3])

    async with open_state(url, clock) as after, asyncio.TaskGroup() as tasks:
        readers = [tasks.create_task(read(after.run_log)) for _ in range(3)]

    first, *others = [reader.result() for reader in readers]
    assert_well_formed([event for _, event in first])
    assert isinstance(first[-1][1], TurnFailed)
    assert "ask again" in first[-1][1].reason
    assert all(other == first for other in others)


async def test_a_process_is_given_time_to_show_that_it_lives(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as before:
        await written(before.run_log, *WHOLE[:3])

    async with open_state(url, clock) as after:
        await read(after.run_log)

    assert sum(clock.slept) >= SECONDS_TO_LIVE


async def test_a_run_that_was_left_before_its_first_event_ends_too(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as before:
        await before.run_log.begin(RUN)

    async with open_state(url, clock) as after:
        events = await read(after.run_log)

    assert [event.kind for _, event in events] == ["turn_failed"]


async def test_an_event_of_another_version_is_said_in_a_sentence(state: State):
    await written(state.run_log, *WHOLE)
    await state.database.run(only('UPDATE run_events SET lines = \'{"kind": "unheard_of"}\''))

    with pytest.raises(NotPossible, match="another version"):
        await read(state.run_log)


@dataclass(slots=True)
class Unreliable:
    """A database that is away for as long as it is told to."""

    state: State
    away: bool = True

    @property
    def place(self) -> str:
        return self.state.place

    async def run(self, job: Callable[[Transaction], Result]) -> Result:
        if self.away:
            raise StateUnusable("The disk is full.")
        return await self.state.database.run(job)

    async def close(self) -> None: ...


async def test_a_run_goes_on_while_the_database_is_away_and_is_written_down_later(
    state: State, clock: InMemoryClock
):
    database = Unreliable(state)
    log = StoredRunLog(database, clock)
    await written(log, *WHOLE)

    meanwhile = await read(log)
    database.away = False
    await log.flush()

    assert meanwhile == list(enumerate(WHOLE, start=1))
    assert not log.has_unwritten
    assert await read(state.run_log) == meanwhile


@dataclass(slots=True)
class Slow:
    """A database whose disk takes its time."""

    state: State
    ready: asyncio.Event

    @property
    def place(self) -> str:
        return self.state.place

    async def run(self, job: Callable[[Transaction], Result]) -> Result:
        await self.ready.wait()
        return await self.state.database.run(job)

    async def close(self) -> None: ...


async def test_nobody_sees_an_answer_that_would_be_lost_with_its_process(
    state: State, clock: InMemoryClock
):
    ready = asyncio.Event()
    log = StoredRunLog(Slow(state, ready), clock)
    seen: list[Event] = []

    async def follow() -> None:
        async for _, event in log.follow(RUN):
            seen.append(event)

    async with asyncio.TaskGroup() as tasks:
        await log.append(RUN, STARTED)
        tasks.create_task(follow())
        tasks.create_task(written(log, FINISHED))
        for _ in range(10):
            await asyncio.sleep(0)
        before = list(seen)
        ready.set()

    assert (before, seen) == ([STARTED], [STARTED, FINISHED])


async def test_runs_that_were_written_down_whole_leave_the_memory(state: State):
    for n in range(20):
        await written(state.run_log, *WHOLE, run=RunId(str(n)))

    assert len(state.run_log) == 0


async def test_keeps_a_bounded_number_of_runs_while_the_database_is_away(
    state: State, clock: InMemoryClock
):
    database = Unreliable(state)
    log = StoredRunLog(database, clock)

    for n in range(1_100):
        await written(log, STARTED, FINISHED, run=RunId(str(n)))

    assert len(log) == 1_000
