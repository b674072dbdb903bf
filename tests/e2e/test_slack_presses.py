import asyncio
from pathlib import Path
from typing import Any

import orjson
import pytest

from adapters.inmemory.chat_model import Held
from core.domain.errors import ModelRefused
from tests.kit.slack_stage import INTENT, Stage, calling, slack_stage
from tests.kit.slack_things import Message

TOTAL = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")
WHICH = calling(
    "ask_clarification", question="Revenue or units?", options=["revenue & tax", "units"]
)
FOUND = (INTENT, TOTAL, "The total is 3.5.")


def button(message: Message, label: str) -> dict[str, Any]:
    return next(each for each in message.buttons() if label in each["text"]["text"])


async def answered(stage: Stage) -> Message:
    await stage.slack.asks("U1", "what is the total?")
    return await stage.until_shown("The total is 3.5.")


async def test_an_option_goes_on_with_the_run_and_everybody_sees_who_chose(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, WHICH, "Revenue it is.") as stage:
        await stage.slack.asks("U1", "top products?")
        asked = await stage.until_shown("Revenue or units?")
        await stage.slack.press("U1", button(asked, "revenue"), asked)
        await stage.until_shown("Revenue it is.")
        await stage.settled()

    assert "Ann: revenue &amp; tax" in asked.words
    assert not asked.buttons()
    assert len(stage.world.seen()) == 2


async def test_values_carry_ids_and_no_words(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, WHICH) as stage:
        await stage.slack.asks("U1", "top products?")
        asked = await stage.until_shown("Revenue or units?")
        await stage.settled()

    assert all("revenue" not in each["value"] for each in asked.buttons())


async def test_pressed_by_others_and_pressed_twice_is_answered(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, WHICH, "Revenue it is.") as stage:
        await stage.slack.asks("U1", "top products?")
        asked = await stage.until_shown("Revenue or units?")
        choose = button(asked, "revenue")
        await stage.slack.press("U2", choose, asked)
        others = await stage.until_shown("Only Ann, who asked", ephemeral=True)
        await asyncio.gather(*(stage.slack.press("U1", choose, asked) for _ in range(2)))
        again = await stage.until_shown("answered already", ephemeral=True)
        await stage.until_shown("Revenue it is.")
        await stage.settled()

    assert (others.only_for, again.only_for) == ("U2", "U1")
    assert len(stage.model.requests) == 3


async def test_own_words_come_through_a_window(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, WHICH, "By margin.") as stage:
        await stage.slack.asks("U1", "top products?")
        asked = await stage.until_shown("Revenue or units?")
        await stage.slack.press("U1", button(asked, "Something else"), asked)
        await stage.world.until(lambda world: bool(world.views))
        [view] = stage.world.views
        await stage.slack.submits("U1", view, "margin, please")
        await stage.until_shown("By margin.")
        await stage.settled()

    assert "Ann: margin, please" in asked.words
    assert "Revenue" not in view["private_metadata"]


async def test_an_expired_trigger_is_told_and_the_button_still_works(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, WHICH) as stage:
        await stage.slack.asks("U1", "top products?")
        asked = await stage.until_shown("Revenue or units?")
        other = button(asked, "Something else")
        await stage.slack.press("U1", other, asked, expired=True)
        await stage.until_shown("Please press again", ephemeral=True)
        await stage.slack.press("U1", other, asked)
        await stage.world.until(lambda world: bool(world.views))
        await stage.settled()


async def test_an_expensive_query_waits_for_its_approval(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND, most_rows=0) as stage:
        await stage.slack.asks("U1", "what is the total?")
        asked = await stage.until_shown("Approve")
        approve = button(asked, "Approve")
        await stage.slack.press("U2", approve, asked)
        await stage.until_shown("Only Ann", ephemeral=True)
        await stage.slack.press("U1", approve, asked)
        await stage.until_shown("The total is 3.5.")
        await stage.slack.press("U1", approve, asked)
        await stage.until_shown("answered already", ephemeral=True)
        await stage.settled()

    assert "SUM(" in asked.versions[-2]
    assert "Ann approved the query" in asked.words


async def test_stop_is_for_the_one_who_asked(tmp_path: Path):
    script = (INTENT, Held("Never.", until=asyncio.Event()))
    async with slack_stage(tmp_path, *script) as stage:
        stage.world.streams = False
        await stage.slack.asks("U1", "long?")
        await stage.model.until_asked(2)
        [message] = stage.world.seen()
        stop = button(message, "Stop")
        await stage.slack.press("U2", stop, message)
        await stage.until_shown("Only Ann, who asked, can stop", ephemeral=True)
        await stage.slack.press("U1", stop, message)
        await stage.until_shown("topped")
        await stage.slack.press("U1", stop, message)
        await stage.until_shown("ended already", ephemeral=True)
        await stage.settled()

    assert len(stage.world.seen()) == 1


async def test_the_sql_opens_in_a_window_or_is_whispered(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        answer = await answered(stage)
        show = button(answer, "Show SQL")
        await stage.slack.press("U2", show, answer)
        await stage.world.until(lambda world: bool(world.views))
        await stage.slack.press("U2", show, answer, expired=True)
        whispered = await stage.until_shown("SUM(", ephemeral=True)
        await stage.settled()

    assert "SUM(" in orjson.dumps(stage.world.views).decode()
    assert whispered.only_for == "U2"


async def test_run_again_asks_the_same_for_the_one_who_pressed(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND, INTENT, TOTAL, "Still 3.5.") as stage:
        answer = await answered(stage)
        await stage.slack.press("U2", button(answer, "Run again"), answer)
        again = await stage.until_shown("Still 3.5.")
        await stage.settled()

    assert again.thread_ts == answer.thread_ts


async def test_feedback_is_kept_with_the_words(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        answer = await answered(stage)
        [thumbs] = [
            element
            for block in answer.blocks
            if block["type"] == "context_actions"
            for element in block["elements"]
        ]
        up = {"action_id": thumbs["action_id"], "value": thumbs["positive_button"]["value"]}
        down = {"action_id": thumbs["action_id"], "value": thumbs["negative_button"]["value"]}
        await stage.slack.press("U1", up, answer)
        await stage.until_shown("Thank you", ephemeral=True)
        await stage.slack.press("U2", down, answer)
        await stage.world.until(lambda world: bool(world.views))
        await stage.slack.submits("U2", stage.world.views[0], "tax is missing")
        await stage.settled()

    lines = [orjson.loads(each) for each in (tmp_path / "feedback.jsonl").read_bytes().splitlines()]
    assert [(each["good"], each["words"]) for each in lines] == [
        (True, ""),
        (False, ""),
        (False, "tax is missing"),
    ]
    assert lines[0]["question"] == "what is the total?"


async def test_a_press_that_was_tampered_with_does_nothing(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        answer = await answered(stage)
        for value in ("", "../../etc:0", "nothing", "x" * 500):
            await stage.slack.press("U1", {"action_id": "show_sql", "value": value}, answer)
        await stage.slack.press("U1", {"action_id": "unknown", "value": "a:0"}, answer)
        told = await stage.until_shown("too long ago", ephemeral=True)
        await stage.settled()

    assert told.only_for == "U1"
    assert not stage.world.views


async def test_a_suggestion_asks_its_question_for_the_one_who_pressed(tmp_path: Path):
    suggesting = "The total is 3.5.\nSuggestion: What is the total by <region> & month?"
    script = (INTENT, TOTAL, suggesting, INTENT, TOTAL, "By region: 3.5.")
    async with slack_stage(tmp_path, *script) as stage:
        answer = await answered(stage)
        suggestion = button(answer, "by <region> & month")
        await stage.slack.press("U2", suggestion, answer)
        await stage.until_shown("By region: 3.5.")
        await stage.settled()
        asked = stage.model.requests[3].messages[-1].text

    assert asked == "What is the total by <region> & month?"
    assert "region" not in suggestion["value"]


async def test_the_buttons_of_an_answer_work_after_a_restart(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        old = await answered(stage)
        buttons = old.buttons()
        await stage.settled()

    async with slack_stage(tmp_path, INTENT, TOTAL, "Again 3.5.") as stage:
        stage.world.messages.append(old)
        for each in buttons:
            await stage.slack.press("U1", each, old)
        await stage.world.until(lambda world: bool(world.views))
        await stage.until_shown("Again 3.5.")
        await stage.settled()


async def test_a_press_on_an_answer_that_nobody_knows_any_more_is_told_so(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        answer = await answered(stage)
        for each in answer.buttons():
            gone = {**each, "value": f"{'0' * 32}:0"}
            await stage.slack.press("U2", gone, answer)
        await stage.settled()
        told = [each for each in stage.world.seen(ephemeral=True) if "too long ago" in each.text]

    assert len(told) == len(answer.buttons())


@pytest.mark.parametrize("label", ["Try something cheaper", "Cancel"])
async def test_a_no_to_the_cost_is_seen_by_all_and_ends_in_an_answer(tmp_path: Path, label: str):
    script = (INTENT, TOTAL, "I left it at that.")
    async with slack_stage(tmp_path, *script, most_rows=0) as stage:
        await stage.slack.asks("U1", "what is the total?")
        asked = await stage.until_shown("Approve")
        await stage.slack.press("U1", button(asked, label), asked)
        await stage.world.until(lambda world: len(world.seen()) == 2)
        await stage.settled()
        [answer] = stage.world.seen()[1:]

    assert "Ann " in asked.words
    assert not asked.buttons()
    assert not answer.streaming
    assert "3.5" not in answer.words


@pytest.mark.parametrize("streams", [True, False])
async def test_what_failed_can_be_asked_again_with_a_press(tmp_path: Path, *, streams: bool):
    script = (INTENT, ModelRefused("The model has no credit left."), *FOUND)
    alone = {"model": {"offline_when_down": False}}
    async with slack_stage(tmp_path, *script, more=alone) as stage:
        stage.world.streams = streams
        await stage.slack.asks("U1", "what is the total?")
        failed = await stage.until_shown("no credit left")
        await stage.settled()
        await stage.slack.press("U2", button(failed, "Ask again"), failed)
        await stage.until_shown("The total is 3.5.")
        await stage.settled()

    assert len(stage.world.seen()) == 2
    assert not stage.world.refusals


@pytest.mark.parametrize("by", ["press", "words"])
async def test_whoever_is_led_goes_on_by_the_button_or_by_words(tmp_path: Path, by: str):
    steps = "1. total the amount 2. count the orders 3. total it by region"
    count = calling("run_query", sql="SELECT COUNT(*) AS orders FROM orders")
    split = calling("run_query", sql="SELECT region, SUM(amount) FROM orders GROUP BY region")
    script = (*FOUND, count, "There are 2.", split, "North has more.")
    async with slack_stage(tmp_path, *script) as stage:
        event = await stage.slack.asks("U1", steps)
        answer = await stage.until_shown("Shall I go on?")
        if by == "press":
            await stage.slack.press("U1", button(answer, "Go on"), answer)
        else:
            here = {"thread_ts": event["ts"]}
            await stage.slack.event(stage.slack.says("U1", "continue", **here))
        last = await stage.until_shown("North has more.")
        await stage.settled()

    assert "The total is 3.5." in answer.words
    assert "There are 2." in answer.words
    assert "North" not in answer.words
    assert "3. Total it by region" in last.words
    assert not [each for each in last.buttons() if "Go on" in each["text"]["text"]]
