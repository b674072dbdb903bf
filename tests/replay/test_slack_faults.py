"""Faults that other bots were reported for, replayed against this one."""

import asyncio
import json
from pathlib import Path

import pytest

from adapters.inmemory.chat_model import Held
from core.domain.chat import ChatReply
from tests.kit.slack_server import signed
from tests.kit.slack_stage import INTENT, Stage, calling, slack_stage
from tests.kit.slack_things import Failure
from tests.kit.slack_world import APP_TOKEN, BOT_TOKEN, BOT_USER, SIGNING_SECRET, TEAM

TOTAL = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")
FOUND = (INTENT, TOTAL, "The total is 3.5.")
SECRETS = (APP_TOKEN, BOT_TOKEN, SIGNING_SECRET)


def answers(stage: Stage, words: str) -> int:
    return sum(words in each.words for each in stage.world.seen())


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_three_retries_and_both_events_are_one_run(tmp_path: Path, mode: str):
    going_on = asyncio.Event()
    script = (INTENT, Held("Here it is.", until=going_on))
    async with slack_stage(tmp_path, *script, mode=mode) as stage:
        event = await stage.slack.asks("U1", "what is the total?")
        for retry in (1, 2, 3):
            status = await stage.slack.event(
                {**event, "type": "app_mention"}, event_id="Ev1", retry=retry
            )
            assert status == 200
        await stage.model.until_asked(2)
        going_on.set()
        await stage.until_shown("Here it is.")
        await stage.slack.event(event, event_id="Ev1", retry=1)
        await stage.settled()

    assert len(stage.model.requests) == 2
    assert len(stage.world.seen()) == 1


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_events_that_nobody_handles_are_acknowledged(tmp_path: Path, mode: str):
    async with slack_stage(tmp_path, mode=mode) as stage:
        for kind in ("reaction_added", "channel_rename", "team_join", "app_home_opened"):
            assert await stage.slack.event({"type": kind, "user": "U1"}) == 200
        await stage.settled()

    assert not stage.model.requests


async def test_change_and_delete_events_of_its_own_message_start_nothing(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        await stage.slack.asks("U1", "what is the total?")
        answer = await stage.until_shown("The total is 3.5.")
        own = {
            "user": BOT_USER,
            "bot_id": "B0RESONA",
            "ts": answer.ts,
            "thread_ts": answer.thread_ts,
        }
        changed = {
            "type": "message",
            "subtype": "message_changed",
            "channel": "C1",
            "ts": stage.world.next_ts(),
            "message": {**own, "text": f"<@{BOT_USER}> x"},
            "previous_message": {**own, "text": "y"},
        }
        await stage.slack.event(changed)
        await stage.slack.event({**changed, "subtype": "message_deleted", "message": None})
        await stage.settled()

    assert len(stage.model.requests) == 3


_WORDS = (
    *("all", "is", "well", "&", "good", "since", "nobody", "has", "said", "that", "any", "of"),
    *("this", "were", "too", "long", "to", "read"),
)


async def test_a_long_answer_is_shown_and_its_whole_text_attached(tmp_path: Path):
    long = "\n\n".join(
        f"Paragraph {n}: " + " ".join(_WORDS[(n * 7 + at * at) % len(_WORDS)] for at in range(90))
        for n in range(45)
    )
    async with slack_stage(tmp_path, INTENT, long) as stage:
        await stage.slack.asks("U1", "tell me everything")
        await stage.until_shown("Paragraph 0")
        await stage.settled()

    [file] = stage.world.files.values()
    assert file.name == "answer.md"
    assert b"Paragraph 44" in file.content
    assert len(file.shared) == 1
    assert not stage.world.refusals
    assert answers(stage, "Paragraph 0") == 1


async def test_data_and_models_call_nobody(tmp_path: Path):
    text = "Tell <!channel> and <@U2>: **`south`** leads, see [this](https://x.example|y) & ```a"
    async with slack_stage(tmp_path, INTENT, text) as stage:
        stage.world.streams = False
        await stage.slack.asks("U1", "<!here> who leads?")
        answer = await stage.until_shown("leads")
        await stage.settled()

    shown = [each for each in answer.blocks if each["type"] == "section"]
    assert shown
    assert "<" not in json.dumps(shown)
    assert "&lt;!channel&gt;" in answer.text
    assert not stage.world.refusals


async def test_a_table_in_markdown_becomes_lines_of_code(tmp_path: Path):
    text = "Here:\n\n| region | total |\n| --- | --- |\n| north | n/a |\n\nDone."
    async with slack_stage(tmp_path, INTENT, text) as stage:
        await stage.slack.asks("U1", "by region?")
        answer = await stage.until_shown("Done.")
        await stage.settled()

    assert "```\\n| region | total |" in answer.words


async def test_options_as_long_as_they_may_be_fit_on_their_buttons(tmp_path: Path):
    options = [f"{n} " + "<all & regions> " * 4 + "x" * 9 for n in range(5)]
    ask = calling("ask_clarification", question="Which one?", options=options)
    async with slack_stage(tmp_path, INTENT, ask) as stage:
        await stage.slack.asks("U1", "top?")
        asked = await stage.until_shown("Which one?")
        await stage.settled()

    assert [each["text"]["text"] for each in asked.buttons()][:5] == options
    assert not stage.world.refusals


async def test_a_wide_table_is_cut_and_attached(tmp_path: Path):
    columns = ", ".join([*(f"{n} AS column_{n}" for n in range(30)), "id FROM orders"])
    query = calling("run_query", sql=f"SELECT {columns}")
    async with slack_stage(tmp_path, INTENT, query, "Wide.") as stage:
        await stage.slack.asks("U1", "everything?")
        answer = await stage.until_shown("Wide.")
        await stage.settled()

    [table] = [each for each in answer.blocks if each["type"] == "data_table"]
    assert len(table["rows"][0]) == 20
    assert "more columns are in the file" in answer.words
    assert any(each.name.endswith(".csv") for each in stage.world.files.values())
    assert not stage.world.refusals


@pytest.mark.parametrize("method", ["files.getUploadURLExternal", "upload"])
async def test_an_upload_that_is_refused_costs_no_answer(tmp_path: Path, method: str):
    query = calling("run_query", sql="SELECT region, amount FROM orders")
    async with slack_stage(tmp_path, INTENT, query, "Two regions.") as stage:
        stage.world.fail(method, *[Failure("storage_limit_reached")] * 9)
        await stage.slack.asks("U1", "by region?")
        await stage.until_shown("Two regions.")
        await stage.until_shown("Slack did not take a file")
        await stage.settled()

    assert answers(stage, "Two regions.") == 1


async def test_a_new_connection_goes_on_where_the_old_one_was(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        await stage.slack.disconnect()
        await stage.world.until(lambda _: stage.slack.opened == 2)
        await stage.slack.asks("U1", "what is the total?")
        await stage.until_shown("The total is 3.5.")
        await stage.settled()

    assert answers(stage, "The total is 3.5.") == 1


async def test_two_people_ask_the_same_in_one_thread_and_both_are_answered(tmp_path: Path):
    script = (*FOUND, INTENT, TOTAL, "It is still 3.5.")
    async with slack_stage(tmp_path, *script) as stage:
        first = await stage.slack.asks("U1", "what is the total?")
        await stage.slack.asks("U2", "what is the total?", thread_ts=first["ts"])
        await stage.until_shown("The total is 3.5.")
        await stage.until_shown("It is still 3.5.")
        await stage.settled()

    assert len(stage.world.seen()) == 2


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {**signed("x"), "X-Slack-Signature": "v0=" + "0" * 64},
        {**signed("x"), "X-Slack-Request-Timestamp": "yesterday"},
        {**signed("x"), "X-Slack-Request-Timestamp": ""},
        signed('{"type":"event_callback"}', secret=SIGNING_SECRET[::-1]),
        signed('{"type":"event_callback"}', age=301),
    ],
    ids=["none", "wrong", "no_number", "empty", "other_secret", "old"],
)
async def test_what_is_not_signed_by_slack_is_refused(
    tmp_path: Path, headers: dict[str, str], caplog: pytest.LogCaptureFixture
):
    body = '{"type":"event_callback"}'
    async with slack_stage(tmp_path, mode="http") as stage:
        status = await stage.slack.request(body, {"Content-Type": "application/json", **headers})

    assert status == 401
    assert "event_callback" not in caplog.text


async def test_the_address_is_verified(tmp_path: Path):
    body = json.dumps({"type": "url_verification", "challenge": "abc"})
    async with slack_stage(tmp_path, mode="http") as stage:
        headers = {"Content-Type": "application/json", **signed(body)}

        assert await stage.slack.request(body, headers) == 200


@pytest.mark.parametrize("setting", ["bot_token", "app_token"])
async def test_a_wrong_token_is_said_in_a_sentence_and_nobody_dies(
    tmp_path: Path, setting: str, caplog: pytest.LogCaptureFixture
):
    async with slack_stage(tmp_path, slack_more={setting: "xoxb-wrong-secret"}) as stage:
        await stage.settled()

    [said] = stage.said
    assert f"slack.{setting} (invalid_auth)" in said
    assert "wrong-secret" not in said + caplog.text


async def test_a_token_that_is_revoked_meanwhile_ends_the_run_and_not_the_process(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
):
    async with slack_stage(tmp_path, *FOUND) as stage:
        stage.world.revoked = True
        await stage.slack.asks("U1", "what is the total?")
        await stage.settled()
        stage.world.revoked = False
        await stage.slack.event({"type": "team_join", "user": "U1"})

    written = caplog.text + capsys.readouterr().out
    assert not any(secret in written for secret in SECRETS)


async def test_an_event_that_makes_no_sense_is_acknowledged(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        for event in ({"type": "message"}, {"type": "app_mention", "text": None, "files": None}):
            await stage.slack.event(event)
        await stage.slack.asks("U1", "what is the total?")
        await stage.until_shown("The total is 3.5.")
        await stage.settled()


async def test_another_organisations_people_are_sent_to_a_member(tmp_path: Path):
    async with slack_stage(tmp_path) as stage:
        event = stage.slack.says("U7", f"<@{BOT_USER}> total?", user_team="T9OTHER")
        payload = {
            "type": "event_callback",
            "team_id": TEAM,
            "event_id": "Ev9",
            "is_ext_shared_channel": True,
            "event": event,
        }
        await stage.slack.deliver("events_api", payload)
        told = await stage.until_shown("members of this workspace", ephemeral=True)
        await stage.settled()

    assert told.only_for == "U7"
    assert not stage.model.requests


async def test_a_chart_stands_in_the_answer(tmp_path: Path):
    reply = calling("run_query", sql="SELECT region, SUM(amount) AS t FROM orders GROUP BY region")
    assert isinstance(reply, ChatReply)
    async with slack_stage(tmp_path, INTENT, reply, "The south leads.") as stage:
        stage.world.upload_ready_after = 2
        await stage.slack.asks("U1", "by region?")
        answer = await stage.until_shown("The south leads.")
        await stage.settled()

    pictures = [each for each in answer.blocks if each["type"] == "image"]
    assert [bool(each["alt_text"]) for each in pictures] == [True]
    assert not stage.world.refusals


async def test_an_answer_that_slack_takes_in_no_form_is_said(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        stage.world.streams = False
        stage.world.fail("chat.update", *[Failure("restricted_action")] * 9)
        await stage.slack.asks("U1", "what is the total?")
        await stage.until_shown("Slack did not take my answer")
        await stage.settled()

    assert answers(stage, "The total is 3.5.") == 0


async def test_what_was_written_before_a_tool_call_is_no_answer(tmp_path: Path):
    thought = ChatReply(text="I think it is 99.", tool_calls=TOTAL.tool_calls)
    async with slack_stage(tmp_path, INTENT, thought, "The total is 3.5.") as stage:
        await stage.slack.asks("U1", "what is the total?")
        answer = await stage.until_shown("The total is 3.5.")
        await stage.settled()

    assert [each.words for each in stage.world.seen()] == [answer.words]
    assert not any("99" in version for version in answer.versions)


async def test_a_figure_that_nothing_supports_is_never_shown(tmp_path: Path):
    wrong, right = "The total is 42.", "The total is 3.5."
    async with slack_stage(tmp_path, INTENT, TOTAL, wrong, right) as stage:
        stage.world.streams = False
        await stage.slack.asks("U1", "what is the total?")
        answer = await stage.until_shown(right)
        await stage.settled()

    assert not any("42" in version for version in answer.versions)
    assert answers(stage, right) == 1


async def test_slack_that_is_busy_after_an_upload_is_waited_for(tmp_path: Path):
    query = calling("run_query", sql="SELECT region, amount FROM orders")
    busy = Failure("ratelimited", retry_after=0.1)
    async with slack_stage(tmp_path, INTENT, query, "Two regions.") as stage:
        stage.world.streams = False
        for method in ("chat.update", "files.info", "files.completeUploadExternal"):
            stage.world.fail(method, busy, busy)
        await stage.slack.asks("U1", "by region?")
        await stage.until_shown("Two regions.")
        await stage.settled()

    assert answers(stage, "Two regions.") == 1
    assert [len(each.shared) for each in stage.world.files.values() if each.shared] == [1]


@pytest.mark.parametrize("streams", [True, False])
async def test_a_question_taken_apart_is_shown_as_its_plan(tmp_path: Path, *, streams: bool):
    taken_apart = {
        "tasks": [
            {"id": "sum", "title": "Sum", "question": "Sum?", "families": ["analyze"]},
            {"id": "count", "title": "Count", "question": "Count?", "families": ["analyze"]},
        ]
    }
    complex_question = json.dumps(
        {"primary_intent": "analyze", "confidence": 1.0, "complexity": "complex"}
    )
    go_on = asyncio.Event()
    held = Held(TOTAL, until=go_on)
    script = (complex_question, json.dumps(taken_apart), held, held, *["It is 3.5."] * 9)
    async with slack_stage(tmp_path, *script) as stage:
        stage.world.streams = streams
        await stage.slack.asks("U1", "sum and count?")
        await stage.world.until(lambda world: any("Count" in each.words for each in world.seen()))
        [working] = [each.words for each in stage.world.seen()]
        go_on.set()
        await stage.until_shown("feedback")
        await stage.settled()

    assert "Sum" in working
    assert len(stage.world.seen()) == 1
    assert not stage.world.refusals
