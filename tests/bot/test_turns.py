import asyncio
from pathlib import Path

import pytest

from adapters.inmemory.chat_model import Held
from bot.turn_gate import Declined, Limited
from core.domain.decisions import Clarification, Clarified
from core.domain.events import TurnFailed, TurnFinished, TurnPaused
from core.domain.ids import ActorId
from tests.kit.turn_stage import INTENT, Setting, calling, message, opened, small_shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_shop(tmp_path_factory.mktemp("turns") / "shop.sqlite")


async def test_a_question_is_answered_and_the_thread_remembers_it(shop: Path):
    query = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")
    async with opened(shop, INTENT, query, "The total is 3.5.") as bench:
        turn = await bench.turns.start(message("what is the total amount?"))
        events = await bench.events(turn)
        thread = await bench.turns.outside.threads.load(turn.thread)

    assert isinstance(events[-1], TurnFinished)
    assert events[-1].answer.text == "The total is 3.5."
    assert events[-1].answer.result
    assert events[-1].answer.result.table
    assert events[-1].answer.result.table.rows == ((3.5,),)
    assert [each.question for each in thread.exchanges] == ["what is the total amount?"]


async def test_a_message_that_comes_three_times_is_answered_once(shop: Path):
    async with opened(shop, INTENT, "Hello.") as bench:
        starts = [await bench.turns.start(message("how many?", id="m1")) for _ in range(3)]
        await bench.events(starts[0])
        again = await bench.turns.start(message("how many?", id="m1"))

    assert {turn.run for turn in (*starts, again)} == {starts[0].run}
    assert len(bench.model.requests) == 2


async def test_a_double_click_joins_the_run_that_is_under_way(shop: Path):
    going_on = asyncio.Event()
    async with opened(shop, INTENT, Held("Hello.", until=going_on)) as bench:
        first = await bench.turns.start(message("Hello  there"))
        second = await bench.turns.start(message("hello there"))
        elsewhere = bench.turns.gate.known(message("hello there", thread="other"))
        going_on.set()
        await bench.events(first)

    assert second.run == first.run
    assert elsewhere is None


async def test_two_questions_in_a_thread_are_answered_in_their_order(shop: Path):
    going_on = asyncio.Event()
    script = (INTENT, Held("One.", until=going_on), INTENT, "Two.")
    async with opened(shop, *script) as bench:
        first = await bench.turns.start(message("first?", person="p1"))
        second = await bench.turns.start(message("second?", person="p2"))
        await bench.model.until_asked(2)
        going_on.set()
        await bench.events(second)
        thread = await bench.turns.outside.threads.load(first.thread)

    assert [(each.question, each.asked_by.id) for each in thread.exchanges] == [
        ("first?", "p1"),
        ("second?", "p2"),
    ]


async def test_a_stopped_run_ends_and_the_next_question_works(shop: Path):
    script = (INTENT, Held("Never.", until=asyncio.Event()), INTENT, "Still here.")
    async with opened(shop, *script) as bench:
        turn = await bench.turns.start(message("long?"))
        await bench.model.until_asked(2)
        stopped = await bench.turns.stop(turn.run)
        events = await bench.events(turn)
        after = await bench.events(await bench.turns.start(message("still there?")))
        stopped_again = await bench.turns.stop(turn.run)

    assert stopped
    assert not stopped_again
    assert isinstance(events[-1], TurnFailed)
    assert events[-1].stopped
    assert isinstance(after[-1], TurnFinished)


async def test_a_question_back_is_answered_once_and_by_the_one_who_asked(shop: Path):
    ask = calling("ask_clarification", question="Which one?", options=["orders", "lines"])
    async with opened(shop, INTENT, ask, "Orders it is.") as bench:
        turn = await bench.turns.start(message("how many?"))
        paused = (await bench.events(turn))[-1]
        assert isinstance(paused, TurnPaused)
        assert isinstance(paused.decision, Clarification)
        decision = paused.decision.id
        with pytest.raises(Declined, match="Only Person p1"):
            await bench.turns.decide(Clarified(decision=decision, actor=ActorId("p2"), text="x"))
        answer = Clarified(decision=decision, actor=ActorId("p1"), text="orders")
        resumed = await bench.turns.decide(answer)
        end = (await bench.events(resumed))[-1]
        with pytest.raises(Declined, match="answered already"):
            await bench.turns.decide(answer)

    assert resumed.id == turn.id
    assert resumed.run != turn.run
    assert isinstance(end, TurnFinished)
    assert end.answer.text == "Orders it is."


@pytest.mark.parametrize("text", ["", "   \n", "x" * 20_000])
async def test_an_unusable_question_is_declined_with_what_to_do(shop: Path, text: str):
    async with opened(shop) as bench:
        with pytest.raises(Declined, match="Please ask"):
            await bench.turns.start(message(text))


async def test_who_asks_too_fast_is_told_when_to_come_back(shop: Path):
    async with opened(shop, INTENT, "One.", setting=Setting(burst=1)) as bench:
        await bench.events(await bench.turns.start(message("one?")))
        with pytest.raises(Limited) as caught:
            await bench.turns.start(message("two?"))

    assert 0 < caught.value.retry_after <= 60


async def test_a_connection_that_cannot_be_opened_is_said_in_a_sentence(tmp_path: Path):
    async with opened(tmp_path / "gone.sqlite") as bench:
        end = (await bench.events(await bench.turns.start(message("how many?"))))[-1]

    assert isinstance(end, TurnFailed)
    assert "gone.sqlite" in end.reason


async def test_an_unknown_connection_is_said_with_those_that_are_known(shop: Path):
    async with opened(shop, setting=Setting(connections={"warehouse": {}})) as bench:
        end = (await bench.events(await bench.turns.start(message("how many?"))))[-1]

    assert isinstance(end, TurnFailed)
    assert "no connection 'shop'" in end.reason
    assert "you may ask: warehouse" in end.reason
