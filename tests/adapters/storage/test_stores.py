import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.inmemory.clock import InMemoryClock
from adapters.storage.database import only
from adapters.storage.opening import State, open_state
from core.domain.chat import ChatMessage
from core.domain.errors import StateUnusable
from core.domain.paused import Fate
from core.domain.people import Place, Role
from tests.conformance.audit_log import READ, every
from tests.conformance.paused_runs import COSTLY, NOW, QUESTION, paused_run
from tests.conformance.thread_store import HERE, exchange


async def test_everything_outlives_the_process(url: str, clock: InMemoryClock):
    async with open_state(url, clock) as before:
        await before.audit.record(READ)
        await before.threads.append(HERE, exchange("one"))
        await before.paused.keep(paused_run(COSTLY))

    async with open_state(url, clock) as after:
        assert await every(after.audit) == (READ,)
        assert (await after.threads.load(HERE)).exchanges == (exchange("one"),)
        assert await after.paused.take(COSTLY.id) == paused_run(COSTLY)


async def test_a_decision_is_taken_once_among_several_processes(url: str, clock: InMemoryClock):
    async with (
        open_state(url, clock) as one,
        open_state(url, clock) as two,
        asyncio.TaskGroup() as tasks,
    ):
        await one.paused.keep(paused_run(COSTLY))
        await two.ready()
        takers = [
            tasks.create_task(state.paused.take(COSTLY.id))
            for _ in range(5)
            for state in (one, two)
        ]

    assert [taker.result() for taker in takers if taker.result()] == [paused_run(COSTLY)]


async def test_of_a_taken_run_nothing_but_that_it_was_taken_is_kept(state: State):
    await state.paused.keep(paused_run(COSTLY))
    await state.paused.take(COSTLY.id)

    rows = await state.database.run(only("SELECT body FROM paused_runs"))

    assert [tuple(row) for row in rows] == [("",)]
    assert await state.paused.fate(COSTLY.id) is Fate.ANSWERED


async def test_a_decision_expires_as_time_passes(state: State, clock: InMemoryClock):
    await state.paused.keep(paused_run(COSTLY, expires_at=NOW + timedelta(hours=24)))

    clock.advance(24 * 3_600 - 0.001)
    before = await state.paused.look(COSTLY.id)
    clock.advance(0.001)

    assert before is not None
    assert await state.paused.take(COSTLY.id) is None
    assert await state.paused.fate(COSTLY.id) is Fate.EXPIRED


async def test_keeps_where_and_on_whose_behalf_a_run_asks(state: State):
    plain = paused_run(QUESTION)
    actor = replace(plain.turn.actor, role=Role.ANALYST, groups=("finance", "data"))
    place = Place(platform="slack", channel="C01")
    paused = replace(plain, turn=replace(plain.turn, actor=actor, place=place))

    await state.paused.keep(paused)

    assert await state.paused.take(QUESTION.id) == paused


async def test_keeps_who_said_what(state: State):
    await state.paused.keep(paused_run(QUESTION))

    taken = await state.paused.take(QUESTION.id)

    assert taken is not None
    assert [type(message) for message in taken.messages] == [
        type(message) for message in paused_run(QUESTION).messages
    ]
    assert all(isinstance(message, ChatMessage) for message in taken.messages)


@pytest.mark.parametrize(
    "change",
    ["UPDATE paused_runs SET form = 99", "UPDATE paused_runs SET body = '{\"decision\": 1}'"],
)
async def test_a_run_of_another_version_is_said_in_a_sentence(state: State, change: str):
    await state.paused.keep(paused_run(QUESTION))
    await state.database.run(only(change))

    with pytest.raises(StateUnusable, match="another version"):
        await state.paused.look(QUESTION.id)


async def test_the_audit_log_takes_any_text(state: State):
    await state.audit.record(replace(READ, question="a\0b \ud800", sql="", note="x" * 100_000))

    [entry] = await every(state.audit)

    assert entry.question == "a\N{REPLACEMENT CHARACTER}b ?"
    assert len(entry.note) == 100_000
