import json
from pathlib import Path
from typing import Any

import pytest

from core.domain.ids import ThreadId
from tests.kit.slack_stage import INTENT, Stage, calling, slack_stage
from tests.kit.slack_things import Failure, Message
from tests.kit.slack_world import TEAM

ANN = f"slack:{TEAM}:U1"
FOR_ANN = {"people": [ANN]}
BY_REGION = calling(
    "run_query", sql="SELECT region, SUM(amount) AS total FROM orders GROUP BY region"
)
FOUND = (INTENT, BY_REGION, "The south leads with 2.5.")
WHICH = calling("ask_clarification", question="Which region?", options=["north", "south"])
NOTE = "<@U1> I answer you privately, because this channel may not see shop."


def button(message: Message, label: str) -> dict[str, Any]:
    return next(each for each in message.buttons() if label in each["text"]["text"])


def said_in(stage: Stage, channel: str) -> list[str]:
    """Return all that the bot ever told Slack for a channel, in whatever call."""
    return [
        arguments.get("text", "") if method == "chat.postMessage" else json.dumps(arguments)
        for method, arguments in stage.world.calls
        if channel in {arguments.get("channel"), arguments.get("channel_id")}
        and method != "conversations.replies"
    ]


async def everything_is_over(stage: Stage) -> None:
    await stage.settled()
    assert not stage.world.refusals


@pytest.mark.parametrize("streams", [True, False])
async def test_a_whole_run_is_shown_to_the_asker_alone(tmp_path: Path, *, streams: bool):
    async with slack_stage(tmp_path, *FOUND, rights=FOR_ANN) as stage:
        stage.world.streams = streams
        event = await stage.slack.asks("U1", "which region leads?")
        answer = await stage.until_shown("The south leads")
        await everything_is_over(stage)
        in_channel = await stage.turns.outside.threads.load(
            ThreadId(f"slack:{TEAM}:C1:{event['ts']}")
        )

    assert said_in(stage, "C1") == [NOTE]
    assert answer.channel == "D1"
    assert not in_channel.exchanges
    assert {channel for file in stage.world.files.values() for channel, _ in file.shared} == {"D1"}
    [opening] = [m for m in stage.world.seen() if m.channel == "D1" and not m.thread_ts]
    assert opening.text == "You asked in <#C1>: which region leads?"
    assert answer.thread_ts == opening.ts


async def test_a_place_that_is_named_hears_the_answer(tmp_path: Path):
    rights = {"people": [ANN], "places": ["slack:C1"]}
    async with slack_stage(tmp_path, *FOUND, rights=rights) as stage:
        await stage.slack.asks("U1", "which region leads?")
        answer = await stage.until_shown("The south leads")
        await everything_is_over(stage)

    assert answer.channel == "C1"


@pytest.mark.parametrize(
    ("rights", "why"),
    [
        (FOR_ANN, "not among the people"),
        ({"people": [ANN], "places": ["slack:C1"]}, "not among the people"),
        ({"places": ["slack:C9"]}, "in other places"),
        ({"people": [f"slack:{TEAM}:U2"], "places": ["page"]}, "in other places"),
    ],
)
async def test_who_may_not_ask_gets_no_private_answer_either(
    tmp_path: Path, rights: dict[str, object], why: str
):
    async with slack_stage(tmp_path, rights=rights) as stage:
        await stage.slack.asks("U2", "which region leads?")
        refusal = await stage.until_shown(why)
        await everything_is_over(stage)

    assert refusal.channel == "C1"
    assert not stage.model.requests


async def test_what_is_asked_back_is_asked_in_private(tmp_path: Path):
    script = (INTENT, WHICH, "The south it is.")
    async with slack_stage(tmp_path, *script, rights=FOR_ANN) as stage:
        await stage.slack.asks("U1", "how much?")
        asked = await stage.until_shown("Which region?")
        await stage.slack.press("U1", button(asked, "south"), asked)
        answer = await stage.until_shown("The south it is.")
        await everything_is_over(stage)

    assert said_in(stage, "C1") == [NOTE]
    assert {asked.channel, answer.channel} == {"D1"}
    assert asked.thread_ts == answer.thread_ts


async def test_what_has_to_be_approved_is_approved_in_private(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND, rights=FOR_ANN, most_rows=1) as stage:
        await stage.slack.asks("U1", "which region leads?")
        asked = await stage.until_shown("GROUP BY")
        await stage.slack.press("U1", button(asked, "Approve"), asked)
        answer = await stage.until_shown("The south leads")
        await everything_is_over(stage)

    assert said_in(stage, "C1") == [NOTE]
    assert {asked.channel, answer.channel} == {"D1"}


async def test_what_goes_wrong_goes_wrong_in_private(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND, rights=FOR_ANN) as stage:
        for method in ("chat.update", "chat.startStream"):
            stage.world.fail(method, *[Failure("not_authorized")] * 20)
        await stage.slack.asks("U1", "which region leads?")
        told = await stage.until_shown("Slack did not take my answer")
        await stage.settled()

    assert said_in(stage, "C1") == [NOTE]
    assert told.channel == "D1"


async def test_the_next_in_the_thread_hears_nothing_of_it(tmp_path: Path):
    rights = {"people": [ANN, f"slack:{TEAM}:U2"]}
    script = (*FOUND, INTENT, "I know nothing.")
    async with slack_stage(tmp_path, *script, rights=rights) as stage:
        event = await stage.slack.asks("U1", "which region leads?")
        await stage.until_shown("The south leads")
        await stage.settled()
        await stage.slack.asks("U2", "what did you say?", thread_ts=event["ts"])
        answer = await stage.until_shown("I know nothing.")
        await everything_is_over(stage)
        heard = [each.text for each in stage.model.requests[-1].messages]

    assert answer.channel == "D2"
    assert not [text for text in heard if "south" in text and "leads" in text]


async def test_it_goes_on_where_it_was_said_and_where_it_was_asked(tmp_path: Path):
    script = (*FOUND, INTENT, "Quite clearly.", INTENT, "Still the south.")
    async with slack_stage(tmp_path, *script, rights=FOR_ANN) as stage:
        event = await stage.slack.asks("U1", "which region leads?")
        first = await stage.until_shown("The south leads")
        await stage.settled()
        here = {"channel": "D1", "thread_ts": first.thread_ts}
        await stage.slack.event(stage.slack.says("U1", "by how much?", **here))
        second = await stage.until_shown("Quite clearly.")
        await stage.settled()
        await stage.slack.asks("U1", "and now?", thread_ts=event["ts"])
        third = await stage.until_shown("Still the south.")
        await everything_is_over(stage)
        heard = [each.text for each in stage.model.requests[-1].messages]

    assert first.thread_ts == second.thread_ts == third.thread_ts
    assert any("The south leads" in text for text in heard)
    assert said_in(stage, "C1") == [NOTE, NOTE]


async def test_without_leave_to_write_to_people_nothing_is_asked(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND, rights=FOR_ANN) as stage:
        stage.world.scopes -= {"im:write"}
        await stage.slack.asks("U1", "which region leads?")
        told = await stage.until_shown("ask me in a direct message", ephemeral=True)
        await everything_is_over(stage)

    assert told.only_for == "U1"
    assert not stage.model.requests
