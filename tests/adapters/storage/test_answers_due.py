import asyncio
from datetime import timedelta

from adapters.inmemory.clock import InMemoryClock
from adapters.storage.forgetting import RUNS_DAYS, forget_old
from adapters.storage.opening import State, open_state
from adapters.storage.run_log import SECONDS_TO_LIVE
from core.domain.conversation import AnswerDue
from core.domain.ids import MessageId
from tests.conformance.answers_due import ADDRESS, turn
from tests.conformance.paused_runs import NOW

MESSAGE = MessageId("m1")


async def test_a_message_is_taken_once_among_several_processes(url: str, clock: InMemoryClock):
    turns = [turn() for _ in range(10)]
    async with open_state(url, clock) as one, open_state(url, clock) as two:
        await one.ready()
        await two.ready()
        states = [one, two] * 5
        takes = [
            state.due.take(MESSAGE, each, reply_to=ADDRESS)
            for state, each in zip(states, turns, strict=True)
        ]
        taken = await asyncio.gather(*takes)

    assert len({each.run for each in taken}) == 1


async def test_a_message_stays_taken_after_a_restart(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as before:
        asked = await before.due.take(MESSAGE, turn(), reply_to=ADDRESS)

    async with open_state(url, clock) as after:
        assert await after.due.take(MESSAGE, turn(), reply_to=ADDRESS) == asked


async def test_what_a_process_that_is_gone_owed_is_taken_over_once(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as gone:
        asked = await gone.due.take(MESSAGE, turn(), reply_to=ADDRESS)
        await gone.due.note(asked.run, "message 7")

    async with open_state(url, clock) as one, open_state(url, clock) as two:
        too_soon = await one.due.left("chat:")
        clock.advance(SECONDS_TO_LIVE + 1)
        elsewhere = await one.due.left("mail:")
        found = await asyncio.gather(*(each.due.left("chat:") for each in (one, two) * 3))
        again = await two.due.left("chat:")

    assert too_soon == elsewhere == again == ()
    assert [each for few in found for each in few] == [
        AnswerDue(turn=asked, reply_to=ADDRESS, standing="message 7")
    ]


async def test_what_a_process_owes_that_is_there_is_left_to_it(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as busy, open_state(url, clock) as other:
        await busy.due.take(MESSAGE, turn(), reply_to=ADDRESS)
        clock.advance(SECONDS_TO_LIVE - 1)
        await busy.due.take(MessageId("m2"), turn(), reply_to=ADDRESS)
        clock.advance(SECONDS_TO_LIVE - 1)

        assert await other.due.left("chat:") == ()


async def test_an_answer_that_stands_is_not_left(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as gone:
        asked = await gone.due.take(MESSAGE, turn(), reply_to=ADDRESS)
        await gone.due.take(MessageId("m2"), turn())
        await gone.due.shown(asked.run)

    clock.advance(SECONDS_TO_LIVE + 1)
    async with open_state(url, clock) as other:
        assert await other.due.left("") == ()


async def test_a_lost_run_is_begun_again_once(url: str, clock: InMemoryClock):
    first, second, third = turn(), turn(), turn()
    async with open_state(url, clock) as gone:
        await gone.due.take(MESSAGE, first, reply_to=ADDRESS, again=True)
        await gone.due.note(first.run, "message 7")
    clock.advance(SECONDS_TO_LIVE + 1)
    async with open_state(url, clock) as other:
        assert not await other.due.begin_again(first.run, second)
        await other.due.left("chat:")
        tries = [await other.due.begin_again(first.run, each) for each in (second, third)]
        assert await other.due.is_ours(second.run)
    clock.advance(SECONDS_TO_LIVE + 1)
    async with open_state(url, clock) as last:
        found = await last.due.left("chat:")
        retaken = await last.due.take(MESSAGE, third, reply_to=ADDRESS)

        assert tries == [True, False]
        assert found == (AnswerDue(turn=second, reply_to=ADDRESS, standing="message 7"),)
        assert retaken == second
        assert not await last.due.begin_again(second.run, third)


async def test_what_a_person_has_decided_is_not_begun_again(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as gone:
        asked = await gone.due.take(MESSAGE, turn(), reply_to=ADDRESS)
    clock.advance(SECONDS_TO_LIVE + 1)
    async with open_state(url, clock) as other:
        await other.due.left("chat:")

        assert not await other.due.begin_again(asked.run, turn())


async def test_what_somebody_wished_to_stop_is_not_begun_again(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as gone:
        asked = await gone.due.take(MESSAGE, turn(), reply_to=ADDRESS, again=True)
        await gone.run_log.begin(asked.run)
    clock.advance(SECONDS_TO_LIVE + 1)
    async with open_state(url, clock) as other:
        await other.due.left("chat:")
        await other.stops.wish(asked.run)

        assert not await other.due.begin_again(asked.run, turn())


async def test_a_process_learns_that_its_run_was_taken_over(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as slow, open_state(url, clock) as other:
        asked = await slow.due.take(MESSAGE, turn(), reply_to=ADDRESS, again=True)
        before = await slow.due.is_ours(asked.run)
        clock.advance(SECONDS_TO_LIVE + 1)
        await other.due.left("chat:")
        after = await slow.due.is_ours(asked.run)
        await other.due.begin_again(asked.run, turn())

        assert before
        assert not after
        assert not await slow.due.is_ours(asked.run)


async def test_messages_of_a_month_ago_are_let_go(state: State):
    asked = await state.due.take(MESSAGE, turn(), reply_to=ADDRESS)
    later = NOW + timedelta(days=RUNS_DAYS, seconds=1)

    await state.database.run(lambda transaction: forget_old(transaction, now=later))

    assert await state.due.take(MESSAGE, turn(), reply_to=ADDRESS) != asked
