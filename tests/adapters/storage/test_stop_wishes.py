from adapters.inmemory.clock import InMemoryClock
from adapters.storage.opening import open_state
from adapters.storage.run_log import SECONDS_TO_LIVE
from core.domain.answer import Answer
from core.domain.events import TurnFailed, TurnFinished, TurnStarted
from core.domain.ids import RunId, ThreadId, TurnId

RUN, TURN = RunId("a"), TurnId("turn")
STARTED = TurnStarted(turn_id=TURN, run_id=RUN, thread_id=ThreadId("t"), question="How many?")
FINISHED = TurnFinished(turn_id=TURN, answer=Answer(text="Two."))


async def test_a_wish_reaches_the_process_of_the_run_alone(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as runs, open_state(url, clock) as other:
        await runs.run_log.append(RUN, STARTED)
        await runs.run_log.flush()

        assert await other.stops.wish(RUN)
        assert await other.stops.wish(RUN)
        assert await other.stops.wished() == frozenset()
        assert await runs.stops.wished() == {RUN}


async def test_a_run_that_has_ended_is_not_to_be_stopped(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as runs, open_state(url, clock) as other:
        for event in (STARTED, FINISHED):
            await runs.run_log.append(RUN, event)

        assert not await other.stops.wish(RUN)
        assert await runs.stops.wished() == frozenset()


async def test_a_lost_run_that_should_stop_has_stopped(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as gone:
        await gone.run_log.append(RUN, STARTED)

    async with open_state(url, clock) as other:
        assert await other.stops.wish(RUN)
        clock.advance(SECONDS_TO_LIVE + 1)
        events = [event async for _, event in other.run_log.follow(RUN)]

    end = events[-1]
    assert isinstance(end, TurnFailed)
    assert end.stopped
    assert not end.lost
