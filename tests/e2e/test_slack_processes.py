import asyncio
from pathlib import Path

from tests.kit.openai_wire import Reply
from tests.kit.slack_process import Scene, scene
from tests.kit.slack_stage import INTENT, calling
from tests.kit.slack_things import Failure, Message
from tests.kit.slack_world import BOT_USER

TOTAL = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")
SILENCE = Reply(text=("never",), sends_head=False)
FOR_EVER = Failure(seconds=300)
LOST = "ended before it was done"


def button(message: Message, label: str) -> dict[str, object]:
    return next(each for each in message.buttons() if label in each["text"]["text"])


def shown(stage: Scene, words: str) -> int:
    return sum(words in each.words for each in stage.world.seen())


async def test_a_query_approved_after_a_kill_is_answered_once(tmp_path: Path):
    async with scene(tmp_path) as stage:
        costly = {"connections__shop__thresholds__rows": "0"}
        stage.model_says(INTENT, TOTAL)
        first = await stage.start(**costly)
        await stage.slack.asks("U1", "what is the total?")
        card = await stage.until_shown("Approve")
        await stage.kill(first)
        stage.model_says("The total is 3.5.")
        await stage.start(**costly)
        approve = button(card, "Approve")
        await asyncio.gather(*(stage.slack.press("U1", approve, card) for _ in range(2)))
        await stage.until_shown("The total is 3.5.")
        await stage.until(lambda world: any("answered already" in m.words for m in world.messages))

    assert shown(stage, "The total is 3.5.") == 1
    assert len(stage.world.seen()) == 2
    assert not shown(stage, LOST)


async def test_a_question_whose_process_was_killed_is_begun_again_where_it_was_shown(
    tmp_path: Path,
):
    async with scene(tmp_path) as stage:
        stage.model_says(INTENT)
        stage.model.queue(SILENCE)
        first = await stage.start()
        asked = await stage.slack.asks("U1", "what is the total?")
        await stage.until(lambda _: len(stage.model.requests) == 2)
        await stage.kill(first)
        stage.model_says(INTENT, TOTAL, "The total is 3.5.", INTENT, "Two.")
        await stage.start()
        await stage.until_shown("The total is 3.5.")
        await stage.slack.event(asked, retry=1)
        await stage.slack.asks("U1", "and now?")
        await stage.until_shown("Two.")

    assert len(stage.world.seen()) == 2
    assert not any(each.streaming for each in stage.world.seen())
    assert stage.world.statuses[-1] == "active"


async def test_a_question_that_was_lost_twice_is_said_to_be_lost(tmp_path: Path):
    async with scene(tmp_path) as stage:
        for requests in (2, 4):
            stage.model_says(INTENT)
            stage.model.queue(SILENCE)
            process = await stage.start()
            if requests == 2:
                await stage.slack.asks("U1", "what is the total?")
            await stage.until(lambda _, most=requests: len(stage.model.requests) == most)
            await stage.kill(process)
        await stage.start()
        await stage.until_shown(LOST)

    [told] = stage.world.seen()
    assert button(told, "Ask again")
    assert len(stage.model.requests) == 4


async def test_an_answer_that_was_there_before_the_kill_is_shown_after_it(tmp_path: Path):
    async with scene(tmp_path) as stage:
        stage.model_says(INTENT, TOTAL, "The total is 3.5.")
        stage.world.fail("chat.stopStream", FOR_EVER)
        first = await stage.start()
        await stage.slack.asks("U1", "what is the total?")
        await stage.until(lambda world: not world.failures["chat.stopStream"])
        await stage.kill(first)
        await stage.start()
        await stage.until_shown("The total is 3.5.")

    assert len(stage.world.seen()) == 1
    assert len(stage.model.requests) == 3


async def test_of_two_processes_one_answers(tmp_path: Path):
    async with scene(tmp_path) as stage:
        stage.model_says(INTENT, TOTAL, "The total is 3.5.", INTENT, TOTAL, "Still 3.5.")
        await stage.start()
        await stage.start()
        event = stage.slack.says("U1", f"<@{BOT_USER}> what is the total?")
        for each in (event, {**event, "type": "app_mention"}, event, event):
            stage.slack.sockets.reverse()
            await stage.slack.event(each)
        answer = await stage.until_shown("The total is 3.5.")
        stage.slack.sockets.reverse()
        await stage.slack.event(stage.slack.says("U1", "and now?", thread_ts=answer.thread_ts))
        await stage.until_shown("Still 3.5.")

    assert len(stage.world.seen()) == 2
    assert len(stage.model.requests) == 6


async def test_a_stop_reaches_the_process_that_works_on_it(tmp_path: Path):
    async with scene(tmp_path) as stage:
        stage.world.streams = False
        stage.model_says(INTENT)
        stage.model.queue(SILENCE)
        await stage.start()
        await stage.slack.asks("U1", "what is the total?")
        await stage.until(lambda _: len(stage.model.requests) == 2)
        [working] = stage.world.seen()
        await stage.start()
        stop = button(working, "Stop")
        await stage.slack.press("U2", stop, working)
        await stage.until(lambda world: any(world.seen(ephemeral=True)))
        await stage.slack.press("U1", stop, working)
        await stage.until_shown("Stopped, as you asked.")

    [refused] = stage.world.seen(ephemeral=True)
    assert (refused.only_for, "Only the person who asked" in refused.text) == ("U2", True)
    assert len(stage.world.seen()) == 1


async def test_slacks_own_stop_button_reaches_the_process_that_works_on_it(tmp_path: Path):
    async with scene(tmp_path) as stage:
        stage.model_says(INTENT)
        stage.model.queue(SILENCE)
        await stage.start()
        asked = await stage.slack.asks("U1", "what is the total?")
        await stage.until(lambda _: len(stage.model.requests) == 2)
        await stage.start()
        stopped = {"channel": "C1", "user": "U1", "thread_ts": asked["ts"]}
        await stage.slack.event({"type": "agent_session_stopped", **stopped})
        await stage.until_shown("Stopped, as you asked.")

    assert len(stage.world.seen()) == 1


async def test_a_run_that_takes_too_long_ends_with_one_plain_answer(tmp_path: Path):
    async with scene(tmp_path) as stage:
        # The first question starts what the second, whose time is short, finds running.
        stage.model_says(INTENT, TOTAL, "The total is 3.5.", INTENT, TOTAL)
        stage.model.queue(*[SILENCE] * 9)
        await stage.start(budget__seconds="5")
        await stage.slack.asks("U1", "what is the total?")
        await stage.until(lambda world: sum("feedback" in m.words for m in world.seen()) == 1)
        await stage.slack.asks("U1", "what is it now?")
        await stage.until(lambda world: sum("feedback" in m.words for m in world.seen()) == 2)

    _, answer = stage.world.seen()
    assert "3.5" in answer.words
    assert not answer.streaming
