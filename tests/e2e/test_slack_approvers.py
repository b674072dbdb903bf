from pathlib import Path
from typing import Any

from tests.kit.slack_stage import INTENT, Stage, calling, slack_stage
from tests.kit.slack_things import Message
from tests.kit.slack_world import TEAM

ANN, BEN, CLEO, EVE = (f"slack:{TEAM}:U{n}" for n in (1, 2, 3, 4))
RIGHTS = {"people": [ANN], "approvers": [BEN, "@leads", "slack:T9ELSE:U5"]}
SETTINGS = {"groups": {"leads": [CLEO]}, "people": {"admins": [EVE]}}
BY_REGION = calling(
    "run_query", sql="SELECT region, SUM(amount) AS total FROM orders GROUP BY region"
)
FOUND = (INTENT, BY_REGION, "The south leads with 2.5.")


def button(message: Message, label: str) -> dict[str, Any]:
    return next(each for each in message.buttons() if label in each["text"]["text"])


def stage_for(tmp: Path, *script: Any):
    return slack_stage(tmp, *script, rights=RIGHTS, most_rows=1, more=SETTINGS)


async def cards(stage: Stage) -> dict[str, Message]:
    """Return the messages that ask about cost, by the channel in which they stand."""
    stage.world.names |= {"U3": "Cleo", "U4": "Eve"}
    await stage.slack.asks("U1", "which region leads?")
    await stage.until_shown("GROUP BY")
    await stage.settled()
    return {m.channel: m for m in stage.world.seen() if "GROUP BY" in m.words}


async def test_approvers_who_do_not_read_along_are_asked_about_cost_alone(tmp_path: Path):
    async with stage_for(tmp_path, *FOUND) as stage:
        asked = await cards(stage)

    assert set(asked) == {"D1", "D2", "D3"}
    assert "<@U1> needs leave for a costly query on shop." in asked["D2"].words
    assert "which region leads?" not in asked["D2"].words
    assert not stage.world.refusals


async def test_what_an_approver_lets_run_is_answered_to_the_asker_alone(tmp_path: Path):
    async with stage_for(tmp_path, *FOUND) as stage:
        asked = await cards(stage)
        await stage.slack.press("U2", button(asked["D2"], "Approve"), asked["D2"])
        answer = await stage.until_shown("The south leads")
        await stage.settled()

    assert answer.channel == "D1"
    assert answer.thread_ts == asked["D1"].thread_ts
    assert all("Ben approved the query" in each.words for each in asked.values())
    assert not any(each.buttons() for each in asked.values())
    assert not any("leads with" in m.words for m in stage.world.messages if m.channel != "D1")


async def test_of_two_approvers_the_first_decides(tmp_path: Path):
    async with stage_for(tmp_path, *FOUND) as stage:
        asked = await cards(stage)
        approve, cancel = button(asked["D2"], "Approve"), button(asked["D3"], "Cancel")
        await stage.slack.press("U2", approve, asked["D2"])
        await stage.until_shown("The south leads")
        await stage.slack.press("U3", cancel, asked["D3"])
        told = await stage.until_shown("answered already")
        await stage.settled()

    assert told.channel == "D3"


async def test_who_is_no_approver_decides_nothing_with_an_id_that_leaked(tmp_path: Path):
    async with stage_for(tmp_path, *FOUND) as stage:
        asked = await cards(stage)
        await stage.slack.press("U4", button(asked["D2"], "Approve"), asked["D2"])
        await stage.settled()

    assert len(stage.model.requests) == 2
    assert any("can decide this" in each.text for each in stage.world.messages)


async def test_in_a_channel_everybody_sees_the_question_so_nobody_is_written_to(tmp_path: Path):
    rights = {"approvers": [BEN]}
    async with slack_stage(tmp_path, *FOUND, rights=rights, most_rows=1) as stage:
        asked = await cards(stage)

    assert set(asked) == {"C1"}
