import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.slack import SlackService
from tests.kit.slack_stage import INTENT, Stage, calling, served, slack_stage
from tests.kit.slack_things import Failure
from tests.kit.slack_world import BOT_USER, TEAM

TOTAL = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")
FOUND = (INTENT, TOTAL, "The total is 3.5.")
JOINED = {"type": "member_joined_channel", "user": BOT_USER, "channel": "C1", "team": TEAM}
FOR_ANN = {"people": [f"slack:{TEAM}:U1", "@analyst"]}


def opening(user: str, tab: str = "home") -> dict[str, Any]:
    channel = user.replace("U", "D", 1)
    return {"type": "app_home_opened", "user": user, "channel": channel, "tab": tab}


async def home_of(here: Stage, user: str, holds: Callable[[str], bool] = bool) -> str:
    """Wait until the home of a person shows something, and return all of it as text."""

    def text() -> str:
        views = here.world.published.get(user, [])
        return json.dumps(views[-1]["blocks"], ensure_ascii=False) if views else ""

    await here.world.until(lambda _: holds(text()))
    return text()


async def test_everybody_sees_at_home_what_is_theirs(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND, INTENT, TOTAL, "It is 3.5.") as here:
        event = await here.slack.asks("U1", "what is the total of <orders>?")
        await here.until_shown("The total is 3.5.")
        await here.slack.asks("U2", "and what do I owe?")
        await here.until_shown("It is 3.5.")
        await here.settled()
        await here.slack.event(opening("U1"))
        await here.slack.event(opening("U2"))
        ann, ben = await home_of(here, "U1"), await home_of(here, "U2")
        await here.settled()

    assert "*shop*" in ann
    assert "sqlite · for everybody · 1 table, looked through just now" in ann
    assert "what is the total of &lt;orders&gt;?" in ann
    assert f"/archives/C1/p{event['ts'].replace('.', '')}|open the thread" in ann
    assert "1 question" in ann
    assert "owe" in ben
    assert "owe" not in ann
    assert "total of" not in ben
    assert not here.world.refusals


async def test_home_shows_no_connection_that_is_not_for_the_viewer(tmp_path: Path):
    async with slack_stage(tmp_path, rights={**FOR_ANN, "places": ["slack:C9"]}) as here:
        await here.slack.event(opening("U1"))
        await here.slack.event(opening("U2"))
        ann, ben = await home_of(here, "U1"), await home_of(here, "U2")
        await here.settled()

    assert "for @analyst, 1 person, in some places" in ann
    assert "*shop*" not in ben
    assert "C9" not in ann + ben
    assert "U1" not in ann + ben


async def test_home_is_renewed_when_a_run_of_the_viewer_has_ended(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as here:
        await here.slack.event(opening("U1"))
        await home_of(here, "U1")
        await here.slack.asks("U1", "what is the total?")
        await home_of(here, "U1", lambda text: "what is the total?" in text)
        await here.settled()

    assert len(here.world.published["U1"]) == 2
    assert "U2" not in here.world.published


async def test_a_home_that_slack_does_not_take_costs_nobody_anything(tmp_path: Path):
    async with slack_stage(tmp_path, *FOUND) as here:
        here.world.fail("views.publish", Failure("not_enabled"))
        await here.slack.event(opening("U1"))
        await here.slack.asks("U1", "what is the total?")
        await here.until_shown("The total is 3.5.")
        await here.settled()


async def test_messages_suggest_what_the_schema_can_answer(tmp_path: Path):
    async with slack_stage(tmp_path) as here:
        for _ in range(2):
            await here.slack.event(opening("U1", "messages"))
        await here.world.until(lambda world: "D1" in world.prompts)
        await here.settled()

    prompts = here.world.prompts["D1"]
    assert all("orders" in each["message"] for each in prompts)
    assert any("amount" in each["message"] for each in prompts)
    assert not here.model.requests


async def test_nothing_is_suggested_of_what_the_viewer_may_not_ask(tmp_path: Path):
    async with slack_stage(tmp_path, rights={"people": [f"slack:{TEAM}:U1"]}) as here:
        await here.slack.event(opening("U2", "messages"))
        await here.settled()

    titles = [a["title"] for m, a in here.world.calls if m.endswith("setSuggestedPrompts")]
    assert titles in ([], ["Questions about demo"])


async def test_the_bot_says_hello_once_where_it_was_invited(tmp_path: Path):
    async with slack_stage(tmp_path) as here:
        await here.slack.event(JOINED, event_id="Ev-hello")
        await here.slack.event(JOINED, event_id="Ev-hello", retry=1)
        hello = await here.until_shown("Hello!")
        await here.slack.event({"type": "member_left_channel", "user": BOT_USER, "channel": "C1"})
        await here.slack.event(JOINED)
        await here.slack.event({**JOINED, "user": "U1"})
        await here.settled()

    assert len(here.world.seen()) == 1
    assert (hello.channel, hello.thread_ts) == ("C1", "")
    assert "Here I read *shop*." in hello.words
    assert hello.words.count(f"<@{BOT_USER}>") >= 3
    assert "spread over orders" in hello.words
    assert not here.world.refusals
    assert not here.model.requests


async def test_hello_names_nothing_that_not_everybody_may_ask(tmp_path: Path):
    async with slack_stage(tmp_path, rights=FOR_ANN) as here:
        await here.slack.event(JOINED)
        hello = await here.until_shown("depends on who asks")
        await here.settled()

    assert "shop" not in hello.words
    assert "orders" not in hello.words


@asynccontextmanager
async def second_service(here: Stage) -> AsyncGenerator[tuple[tuple[str, str], SlackService]]:
    """Serve the same state a second time, as another process would; give both addresses."""
    first = here.slack.http_address
    one = here.service
    other = replace(
        one, closing=asyncio.Event(), entered=asyncio.Event(), bolt=None, flow=None, _work=set()
    )
    async with served(other, here.slack):
        yield (first, here.slack.http_address), other


async def test_of_two_processes_one_says_hello(tmp_path: Path):
    async with (
        slack_stage(tmp_path, mode="http") as here,
        second_service(here) as (addresses, other),
    ):
        await other.entered.wait()
        for _ in range(3):
            for address in addresses:
                here.slack.http_address = address
                await here.slack.event(JOINED)
        await here.until_shown("Hello!")
        await here.settled()
        while other.at_work:
            await asyncio.wait(other.at_work)

    assert len(here.world.seen()) == 1


async def test_hello_that_slack_did_not_take_is_said_the_next_time(tmp_path: Path):
    async with slack_stage(tmp_path) as here:
        here.world.fail("chat.postMessage", Failure("not_in_channel"))
        await here.slack.event(JOINED)
        await here.settled()
        await here.slack.event(JOINED)
        await here.until_shown("Hello!")
        await here.settled()

    assert len(here.world.seen()) == 1


@pytest.mark.parametrize("tab", ["home", "messages", ""])
async def test_a_tab_of_an_app_that_may_little_breaks_nothing(tmp_path: Path, tab: str):
    async with slack_stage(tmp_path, *FOUND) as here:
        here.world.scopes = frozenset({"chat:write"})
        here.world.is_agent = False
        await here.slack.event(opening("U9", tab))
        await here.slack.event({"type": "app_home_opened", "tab": tab})
        await here.slack.asks("U1", "what is the total?")
        await here.until_shown("The total is 3.5.")
        await here.settled()
