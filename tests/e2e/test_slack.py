import asyncio
from pathlib import Path

import pytest

from adapters.inmemory.chat_model import Held
from adapters.inmemory.file_store import InMemoryFileStore
from core.domain.ids import ThreadId
from tests.kit.slack_stage import INTENT, calling, slack_stage
from tests.kit.slack_things import Failure, File
from tests.kit.slack_world import BOT, BOT_USER, TEAM

TOTAL = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")
BY_REGION = calling(
    "run_query", sql="SELECT region, SUM(amount) AS total FROM orders GROUP BY region"
)
FOUND = (INTENT, TOTAL, "The total is 3.5.")


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_a_mention_is_answered_once_in_its_thread(tmp_path: Path, mode: str):
    async with slack_stage(tmp_path, *FOUND, mode=mode) as stage:
        event = await stage.slack.asks("U1", "what is the total amount?")
        answer = await stage.until_shown("The total is 3.5.")
        await stage.settled()

    assert answer.thread_ts == event["ts"]
    assert len(stage.world.seen()) == 1
    assert not stage.world.refusals
    assert stage.said == ["Resona answers in Slack, in the workspace Acme."]


async def test_a_direct_message_needs_no_mention(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        event = stage.slack.says("U1", "what is the total amount?", channel="D1")
        await stage.slack.event(event)
        answer = await stage.until_shown("The total is 3.5.")
        await stage.settled()

    assert (answer.channel, answer.thread_ts) == ("D1", event["ts"])


async def test_a_thread_of_ours_goes_on_without_a_mention(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND, INTENT, "There are two.") as stage:
        first = await stage.slack.asks("U1", "what is the total amount?")
        await stage.until_shown("The total is 3.5.")
        here = {"thread_ts": first["ts"]}
        await stage.slack.event(stage.slack.says("U1", "<@U2> look at this", **here))
        await stage.slack.event(stage.slack.says("U2", "and how many?", **here))
        await stage.until_shown("There are two.")
        await stage.settled()
        thread = await stage.turns.outside.threads.load(ThreadId(f"slack:{TEAM}:C1:{first['ts']}"))

    assert len(stage.world.seen()) == 2
    assert [each.asked_by.name for each in thread.exchanges] == ["Ann", "Ben"]


async def test_what_people_say_elsewhere_is_none_of_ours(tmp_path: Path):
    async with slack_stage(tmp_path) as stage:
        top = stage.slack.says("U1", "lunch?")
        await stage.slack.event(top)
        await stage.slack.event(stage.slack.says("U2", "yes", thread_ts=top["ts"]))
        await stage.settled()

    assert not stage.world.seen()
    assert not stage.model.requests


async def test_a_thread_is_known_again_after_a_restart(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, "Still two.") as stage:
        top = stage.slack.says("U1", f"<@{BOT_USER}> how many?")
        stage.slack.says(BOT_USER, "There are two.", thread_ts=top["ts"])
        await stage.slack.event(stage.slack.says("U2", "sure?", thread_ts=top["ts"]))
        await stage.until_shown("Still two.")
        await stage.settled()
        asked = stage.model.requests[-1].messages

    said = [each.text for each in asked]
    assert any("Ann: how many?" in text for text in said)
    assert any("There are two." in text for text in said)


async def test_what_was_said_before_the_mention_comes_with_its_authors(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, "Two.") as stage:
        top = stage.slack.says("U1", "orders look odd")
        stage.slack.says("U2", "only in the north", thread_ts=top["ts"])
        await stage.slack.asks("U1", "how many are there?", thread_ts=top["ts"])
        await stage.until_shown("Two.")
        await stage.settled()
        asked = stage.model.requests[-1].messages

    assert any("Ann: orders look odd\nBen: only in the north" in each.text for each in asked)


async def test_an_edit_that_adds_the_mention_is_a_question(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        before = stage.slack.says("U1", "what is the total?")
        after = {**before, "text": f"<@{BOT_USER}> what is the total?"}
        changed = {
            "type": "message",
            "subtype": "message_changed",
            "channel": "C1",
            "channel_type": "channel",
            "ts": stage.world.next_ts(),
            "message": after,
            "previous_message": before,
        }
        await stage.slack.event(changed)
        answer = await stage.until_shown("The total is 3.5.")
        again = {**after, "text": f"<@{BOT_USER}> what is the total now?"}
        await stage.slack.event({**changed, "message": again})
        await stage.settled()

    assert answer.thread_ts == before["ts"]
    assert len(stage.world.seen()) == 1


async def test_bots_get_no_answer(tmp_path: Path):
    async with slack_stage(tmp_path) as stage:
        mention = f"<@{BOT_USER}> hello"
        own = stage.slack.says(BOT_USER, mention, bot_id=BOT)
        other = stage.slack.says("U9BOT", mention, bot_id="B9OTHER", subtype="bot_message")
        for event in (own, other, {**other, "type": "app_mention"}):
            await stage.slack.event(event)
        await stage.settled()

    assert not stage.world.count("chat.startStream")
    assert not stage.model.requests


async def test_a_file_with_the_question_is_kept(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, "I see a plan.") as stage:
        stage.world.files["F0000000009"] = File("F0000000009", "plan.csv", 4, b"a,b\n")
        file = {
            "id": "F0000000009",
            "name": "plan.csv",
            "mimetype": "text/csv",
            "size": 4,
            "url_private_download": f"{stage.world.base}/private/F0000000009",
        }
        gone = {"id": "F1", "name": "old.csv", "mode": "tombstone"}
        await stage.slack.asks("U1", "total?", subtype="file_share", files=[file, gone])
        answer = await stage.until_shown("I see a plan.")
        told = await stage.until_shown("old.csv cannot be read", ephemeral=True)
        await stage.settled()
        files = stage.turns.outside.files
        thread = ThreadId(f"slack:{TEAM}:C1:{answer.thread_ts}")
        [kept] = (await stage.turns.outside.threads.load(thread)).exchanges

    assert told.only_for == "U1"
    assert [each.name for each in kept.attachments] == ["plan.csv"]
    assert "plan.csv was not read: I cannot look into files yet" in answer.words
    assert isinstance(files, InMemoryFileStore)
    assert len(files) == 1


async def test_progress_is_cards_and_the_answer_stands_below(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, BY_REGION, "The south leads.") as stage:
        await stage.slack.asks("U1", "total by region")
        answer = await stage.until_shown("The south leads.")
        await stage.settled()

    kinds = {chunk["type"] for chunk in answer.chunks}
    assert kinds == {"plan_update", "task_update"}
    assert stage.world.statuses == ["processing", "active"]
    [table] = [block for block in answer.blocks if block["type"] == "data_table"]
    assert table["rows"][2][0] == {"type": "raw_text", "text": "south & <!channel>"}
    assert table["rows"][2][1]["value"] == 2.5


async def test_where_slack_does_not_stream_one_message_is_rewritten(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, BY_REGION, "The south leads.") as stage:
        stage.world.streams = False
        await stage.slack.asks("U1", "total by region")
        answer = await stage.until_shown("The south leads.")
        await stage.settled()

    assert len(stage.world.seen()) == 1
    assert "Reading the question" in answer.versions[0]
    assert "stop" in answer.versions[0]
    assert '"action_id": "stop"' not in answer.versions[-1]


async def test_without_slacks_stop_button_there_is_ours(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        stage.world.is_agent = False
        await stage.slack.asks("U1", "what is the total?")
        answer = await stage.until_shown("The total is 3.5.")
        await stage.settled()

    assert any('"action_id": "stop"' in version for version in answer.versions)
    assert len(stage.world.seen()) == 1


async def test_too_many_questions_are_declined_in_private(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, "One.", burst=1) as stage:
        await stage.slack.asks("U1", "one?")
        await stage.until_shown("One.")
        await stage.slack.asks("U1", "two?")
        told = await stage.until_shown("Please ask again in", ephemeral=True)
        await stage.settled()

    assert told.only_for == "U1"


async def test_a_run_that_waits_is_stopped_by_slacks_own_button(tmp_path: Path):
    script = (INTENT, Held("Never.", until=asyncio.Event()))
    async with slack_stage(tmp_path, *script) as stage:
        event = await stage.slack.asks("U1", "long?")
        await stage.model.until_asked(2)
        stopped = {
            "type": "agent_session_stopped",
            "channel": "C1",
            "user": "U1",
            "thread_ts": event["ts"],
        }
        await stage.slack.event(stopped)
        await stage.until_shown("topped")
        await stage.settled()

    assert len(stage.world.seen()) == 1


async def test_a_file_without_a_question_is_answered_with_what_to_do(tmp_path: Path):
    async with slack_stage(tmp_path) as stage:
        file = {"id": "F1", "name": "plan.csv", "mimetype": "text/csv", "size": 4}
        event = stage.slack.says("U1", "", channel="D1", subtype="file_share", files=[file])
        await stage.slack.event(event)
        await stage.until_shown("write together with a file what you would like to know")
        await stage.settled()

    assert not stage.model.requests


async def test_the_first_progress_waits_for_no_name_no_thread_and_no_file(tmp_path: Path):
    slow = Failure(seconds=3)
    async with slack_stage(tmp_path, *FOUND) as stage:
        for method in ("users.info", "conversations.replies"):
            stage.world.fail(method, slow)
        root = stage.slack.says("U2", "Look at this.")
        await stage.slack.asks("U1", "what is the total?", thread_ts=root["ts"])
        await stage.world.until(lambda world: bool(world.seen()))
        looked_up = stage.world.count("users.info") + stage.world.count("conversations.replies")
        await stage.until_shown("The total is 3.5.")
        await stage.settled()
        [kept] = (
            await stage.turns.outside.threads.load(ThreadId(f"slack:{TEAM}:C1:{root['ts']}"))
        ).exchanges[-1:]

    assert looked_up == 0
    assert kept.asked_by.name == "Ann"
    assert any("Look at this." in message.text for message in stage.model.requests[0].messages)


async def test_a_look_up_that_fails_costs_no_answer(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        stage.world.fail("users.info", Failure("missing_scope"))
        stage.world.fail("conversations.replies", Failure(drops=True))
        root = stage.slack.says("U2", "Look at this.")
        await stage.slack.asks("U1", "what is the total?", thread_ts=root["ts"])
        await stage.until_shown("The total is 3.5.")
        await stage.settled()
