"""What only whoever runs the bot can mend: it is said once, with what to do, and nothing breaks."""

from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from core.domain.conversation import Exchange, Thread
from core.domain.errors import StateUnusable
from core.domain.ids import ThreadId
from tests.kit.slack_server import signed
from tests.kit.slack_stage import INTENT, calling, slack_stage
from tests.kit.slack_things import Failure
from tests.kit.slack_world import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET

TOTAL = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")
FOUND = (INTENT, TOTAL, "The total is 3.5.")
POSTING = ("chat.startStream", "chat.postMessage", "chat.update", "chat.postEphemeral")


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("token_revoked", "Reinstall the app and set slack.bot_token anew"),
        ("account_inactive", "Reinstall the app and set slack.bot_token anew"),
        ("missing_scope", "`resona manifest slack`"),
    ],
)
async def test_says_once_what_to_do_and_goes_on_when_it_is_done(
    tmp_path: Path, error: str, advice: str
):
    with capture_logs() as logs:
        async with slack_stage(tmp_path, *FOUND, *FOUND) as stage:
            for method in POSTING:
                stage.world.fail(method, *[Failure(error)] * 20)
            await stage.slack.asks("U1", "what is the total?")
            await stage.settled()
            for method in POSTING:
                stage.world.failures[method].clear()
            await stage.slack.asks("U1", "and the total now?")
            await stage.world.until(lambda world: bool(world.seen()))
            await stage.settled()

    said = [each["advice"] for each in logs if each["event"] == "slack_needs_mending"]
    assert len(said) == 1
    assert advice in said[0]
    assert not any(secret in str(logs) for secret in (BOT_TOKEN, APP_TOKEN, SIGNING_SECRET))


async def test_what_is_only_busy_needs_no_mending(tmp_path: Path):
    with capture_logs() as logs:
        async with slack_stage(tmp_path, *FOUND) as stage:
            stage.world.fail("chat.startStream", Failure("ratelimited", retry_after=1))
            await stage.slack.asks("U1", "what is the total?")
            await stage.until_shown("The total is 3.5.")
            await stage.settled()

    assert not [each for each in logs if each["event"] == "slack_needs_mending"]


class AwayThreads:
    """Threads of a state database that cannot be reached."""

    async def load(self, thread: ThreadId) -> Thread:
        raise StateUnusable("The state database cannot be used.")

    async def append(self, thread: ThreadId, exchange: Exchange) -> None:
        raise StateUnusable("The state database cannot be used.")

    async def forget(self, thread: ThreadId) -> None:
        raise StateUnusable("The state database cannot be used.")


async def test_nobody_waits_for_an_answer_when_the_state_is_away(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as stage:
        stage.turns.outside = replace(stage.turns.outside, threads=AwayThreads())
        top = stage.slack.says("U1", "orders look odd")
        await stage.slack.asks("U1", "how many are there?", thread_ts=top["ts"])
        told = await stage.until_shown("state database cannot be used")
        await stage.settled()

    assert told.thread_ts == top["ts"]


async def test_a_wrong_signing_secret_is_told_of_now_and_then(tmp_path: Path):
    with capture_logs() as logs:
        async with slack_stage(tmp_path, *FOUND, mode="http") as stage:
            for _ in range(12):
                body = '{"type": "event_callback"}'
                headers = {"Content-Type": "application/json", **signed(body, secret=BOT_TOKEN)}
                assert await stage.slack.request(body, headers) == 401
            await stage.slack.asks("U1", "what is the total?")
            await stage.until_shown("The total is 3.5.")
            await stage.settled()

    told = [each for each in logs if each["event"] == "slack_signatures_refused"]
    assert [each["count"] for each in told] == [1, 10]
    assert "slack.signing_secret" in told[0]["advice"]
