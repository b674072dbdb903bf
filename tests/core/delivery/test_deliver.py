import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.inmemory.surface import InMemorySurface
from core.delivery.deliver import deliver, told
from core.domain.answer import Answer
from core.domain.errors import DeliveryFailed
from core.domain.events import Event, Progress, TextWritten, TurnFinished, TurnStarted
from core.domain.ids import RunId, ThreadId, TurnId

TURN, HERE = TurnId("t"), ThreadId("here")
STARTED = TurnStarted(turn_id=TURN, run_id=RunId("r"), thread_id=HERE, question="how many?")
FINISHED = TurnFinished(turn_id=TURN, answer=Answer(text="42 orders."))


async def run_of(*events: Event) -> AsyncIterator[Event]:
    for event in events:
        yield event


async def test_ends_with_the_final_view_shown_once():
    surface = InMemorySurface()

    view = await deliver(run_of(STARTED, FINISHED), thread=HERE, surface=surface)

    [message] = surface.messages
    assert view.text == "42 orders."
    assert [shown.done for shown in message.history].count(True) == 1
    assert message.history[-1] == view


async def test_shows_few_views_however_many_pieces_of_text_come():
    surface = InMemorySurface()
    pieces = [TextWritten(turn_id=TURN, text="x") for _ in range(1_000)]

    await deliver(run_of(STARTED, *pieces, FINISHED), thread=HERE, surface=surface)

    assert len(surface.messages[0].history) == 2


async def test_a_view_that_nothing_follows_is_shown_all_the_same():
    surface = InMemorySurface()
    go_on = asyncio.Event()

    async def slow_run() -> AsyncIterator[Event]:
        yield STARTED
        yield Progress(turn_id=TURN, text="Reading two billion rows")
        await go_on.wait()
        yield FINISHED

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(deliver(slow_run(), thread=HERE, surface=surface, pace=0.01))
        await surface.until(lambda view: view.status == "Reading two billion rows")
        go_on.set()

    assert surface.messages[0].history[-1].done


async def test_a_step_that_takes_long_says_for_how_long():
    surface = InMemorySurface()
    go_on, now = asyncio.Event(), [0.0]

    async def slow_run() -> AsyncIterator[Event]:
        yield STARTED
        yield Progress(turn_id=TURN, text="Reading two billion rows")
        await go_on.wait()
        yield FINISHED

    async with asyncio.TaskGroup() as tasks:
        shown = deliver(slow_run(), thread=HERE, surface=surface, pace=0.01, clock=lambda: now[0])
        tasks.create_task(shown)
        await surface.until(lambda view: view.going_on == "Reading two billion rows")
        now[0] = 7.0
        await surface.until(lambda view: view.going_on == "Reading two billion rows (5 s so far)")
        now[0] = 95.0
        await surface.until(lambda view: view.going_on.endswith("(1 min 30 s so far)"))
        go_on.set()

    last = surface.messages[0].history[-1]
    assert (last.done, last.waited) == (True, 0)


def test_the_longer_it_takes_the_less_often_it_is_told():
    tellings = [
        len({told(second) for second in range(start, start + 60)}) for start in (0, 60, 120)
    ]

    assert tellings == sorted(tellings, reverse=True)
    assert tellings[0] <= 9
    assert told(4.9) == 0


async def test_a_surface_that_takes_no_message_ends_the_run():
    surface = InMemorySurface()
    closed = asyncio.Event()

    async def endless_run() -> AsyncIterator[Event]:
        try:
            yield STARTED
            surface.closed = True
            yield Progress(turn_id=TURN, text="Reading two billion rows")
            await asyncio.Event().wait()
        finally:
            closed.set()

    with pytest.raises(ExceptionGroup) as failed:
        await deliver(endless_run(), thread=HERE, surface=surface, pace=0.01)

    assert failed.group_contains(DeliveryFailed)
    assert closed.is_set()
