from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from adapters.storage.database import Result, Transaction
from bot.saved_connections import SavedConnection
from core.domain.errors import StateUnusable
from core.domain.rights import Rights
from tests.kit.slack_browser import Browser, installable
from tests.kit.slack_commands import types
from tests.kit.slack_stage import INTENT, calling, slack_stage
from tests.kit.slack_world import TEAM


@dataclass(frozen=True, slots=True)
class Away:
    """A state database on a full disk."""

    place: str = "nowhere"

    async def run(self, job: Callable[[Transaction], Result]) -> Result:
        raise StateUnusable("The disk is full.")

    async def close(self) -> None:
        return None


PEOPLE = {"people": {"admins": [f"slack:{TEAM}:U1"]}}
TOTAL = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_help_is_for_the_asker_alone(tmp_path: Path, mode: str):
    async with slack_stage(tmp_path, mode=mode, more=PEOPLE) as stage:
        assert await types(stage.slack, "U2", "help") == 200
        shown = await stage.until_shown("use NAME", ephemeral=True)
        await stage.settled()

    assert shown.only_for == "U2"
    assert "disconnect" not in shown.words
    assert not stage.world.seen()
    assert not stage.world.refusals


async def test_an_unknown_command_is_answered_with_the_nearest(tmp_path: Path):
    async with slack_stage(tmp_path, more=PEOPLE) as stage:
        await types(stage.slack, "U1", "conections <!channel>")
        shown = await stage.until_shown("Did you mean", ephemeral=True)
        await stage.settled()

    assert "<!channel>" not in shown.words
    assert "connections" in shown.words


async def test_who_may_not_is_told_who_may(tmp_path: Path):
    async with slack_stage(tmp_path, more=PEOPLE) as stage:
        await types(stage.slack, "U2", "connect")
        shown = await stage.until_shown("Only admins", ephemeral=True)
        await stage.settled()

    assert shown.only_for == "U2"
    assert "<@U1>" in shown.words
    assert not stage.world.views


async def test_without_an_address_for_the_password_no_form_opens(tmp_path: Path):
    async with slack_stage(tmp_path, more=PEOPLE) as stage:
        await types(stage.slack, "U1", "connect")
        await stage.until_shown("page.public_url", ephemeral=True)
        await stage.settled()

    assert not stage.world.views


async def test_a_command_works_where_the_bot_is_not(tmp_path: Path):
    async with slack_stage(tmp_path, more=PEOPLE) as stage:
        await types(stage.slack, "U1", "connections", channel="C9")
        shown = await stage.until_shown("shop", ephemeral=True)
        await stage.settled()

    assert shown.channel == "C9"


@pytest.mark.parametrize("channel", ["C1", "C9", "D1"])
async def test_where_slack_takes_no_more_answers_to_a_command_the_person_is_told_all_the_same(
    tmp_path: Path, channel: str
):
    async with slack_stage(tmp_path, more=PEOPLE) as stage:
        stage.world.responses.spent = True
        await types(stage.slack, "U1", "help", channel=channel)
        shown = await stage.until_shown("use NAME", ephemeral=channel == "C1")
        await stage.settled()

    assert shown.only_for == "U1" or shown.channel == "D1"


async def test_while_nothing_can_be_kept_the_command_says_so(tmp_path: Path):
    async with slack_stage(tmp_path, more=PEOPLE) as stage:
        stage.app.saved.store = replace(stage.app.saved.store, database=Away())
        await types(stage.slack, "U1", "use shop")
        await stage.until_shown("The disk is full.", ephemeral=True)
        await stage.settled()


async def test_what_a_channel_uses_is_what_its_questions_go_to(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, TOTAL, "The total is 3.5.", more=PEOPLE) as stage:
        other = SavedConnection(url=str(tmp_path / "shop.sqlite"))
        await stage.app.saved.add("other", other)
        await types(stage.slack, "U2", "use other")
        await stage.until_shown("go to other", ephemeral=True)
        await stage.slack.asks("U1", "what is the total?")
        answer = await stage.until_shown("The total is 3.5.")
        await stage.settled()

    assert "other" in answer.words


async def test_disconnecting_asks_first_and_the_press_does_it_once(tmp_path: Path):
    async with slack_stage(tmp_path, more=PEOPLE) as stage:
        mine = SavedConnection(url=str(tmp_path / "shop.sqlite"), added_by=f"slack:{TEAM}:U1")
        await stage.app.saved.add("sales", mine)
        await types(stage.slack, "U1", "disconnect sales")
        asked = await stage.until_shown("Disconnect sales?", ephemeral=True)
        yes, no = asked.buttons()
        await stage.slack.press("U2", yes, asked)
        await stage.until_shown("Only admins", ephemeral=True)
        assert set(await stage.app.saved.all()) == {"sales"}
        await stage.slack.press("U1", yes, asked)
        done = await stage.until_shown("is disconnected", ephemeral=True)
        await stage.settled()
        assert not await stage.app.saved.all()

        await stage.app.saved.add("sales", mine)
        await types(stage.slack, "U1", "disconnect sales")
        again = await stage.until_shown("Disconnect sales?", ephemeral=True)
        await stage.slack.press("U1", no, again)
        await stage.world.until(lambda world: again not in world.messages)
        await stage.settled()
        assert set(await stage.app.saved.all()) == {"sales"}

    assert not done.buttons()


async def test_usage_counts_what_was_asked_in_slack(tmp_path: Path):
    async with slack_stage(tmp_path, INTENT, TOTAL, "The total is 3.5.", more=PEOPLE) as stage:
        await stage.slack.asks("U2", "what is the total?")
        await stage.until_shown("The total is 3.5.")
        await stage.settled()
        await types(stage.slack, "U1", "usage")
        shown = await stage.until_shown("1 question", ephemeral=True)
        await stage.settled()

    assert "*Ben*" in shown.words
    assert "<#C1>" in shown.words


async def test_approvers_of_a_connection_decide_in_slack_and_nobody_else(tmp_path: Path):
    rights = {"approvers": ["@finance"]}
    groups = {"groups": {"finance": [f"slack:{TEAM}:U3"]}}
    script = (INTENT, TOTAL, "The total is 3.5.")
    async with slack_stage(tmp_path, *script, most_rows=0, rights=rights, more=groups) as stage:
        stage.world.names["U3"] = "Cleo"
        await stage.slack.asks("U1", "what is the total?")
        asked = await stage.until_shown("Approve")
        approve = next(b for b in asked.buttons() if b["text"]["text"] == "Approve")
        await stage.slack.press("U2", approve, asked)
        told = await stage.until_shown("approver of shop", ephemeral=True)
        await stage.slack.press("U3", approve, asked)
        await stage.until_shown("The total is 3.5.")
        await stage.settled()

    assert told.only_for == "U2"
    assert "Cleo approved the query" in asked.words


async def test_what_one_workspace_connected_and_chose_is_nothing_to_another(tmp_path: Path):
    async with installable(tmp_path) as here:
        one = here.slack.install.add("T2", "Beta")
        await Browser(here).installs()
        two = here.slack.install.add("T3", "Gamma")
        await Browser(here).installs()
        theirs = SavedConnection(
            url=str(tmp_path / "shop.sqlite"),
            rights=Rights(places=("slack:T2", "terminal")),
            added_by="slack:T2:U1",
        )
        await here.app.saved.add("theirs", theirs)
        await types(here.slack, "U1", "use theirs", where=one)
        await here.until_shown("go to theirs", ephemeral=True, world=one)
        await types(here.slack, "U1", "use theirs", where=two)
        await here.until_shown("no connection", ephemeral=True, world=two)
        await types(here.slack, "U1", "connections", where=two)
        listed = await here.until_shown("used here", ephemeral=True, world=two)
        await here.settled()

    assert "theirs" not in listed.words
    assert not here.world.messages


@pytest.mark.parametrize("text", ["connect postgresql://u:hidden@h/db", "connect mysql://h/db x"])
async def test_an_address_in_a_command_goes_no_further(tmp_path: Path, text: str):
    more = {**PEOPLE, "page": {"public_url": "https://r.example"}}
    async with slack_stage(tmp_path, more=more) as stage:
        await types(stage.slack, "U1", text)
        shown = await stage.until_shown("never in a command", ephemeral=True)
        await stage.settled()

    assert "hidden" not in shown.words
    assert not stage.world.views


async def test_a_decision_does_not_go_over_to_another_database_of_the_same_name(tmp_path: Path):
    which = calling("ask_clarification", question="Revenue or units?", options=["a", "b"])
    async with slack_stage(tmp_path, INTENT, which, more=PEOPLE) as stage:
        sales = SavedConnection(url=str(tmp_path / "shop.sqlite"))
        await stage.app.saved.add("sales", sales)
        await types(stage.slack, "U1", "use sales")
        await stage.until_shown("go to sales", ephemeral=True)
        await stage.slack.asks("U1", "top products?")
        asked = await stage.until_shown("Revenue or units?")
        await stage.app.saved.add("sales", sales, replace=True)
        await stage.slack.press("U1", asked.buttons()[0], asked)
        await stage.until_shown("connected anew", ephemeral=True)
        await stage.settled()

    assert len(stage.model.requests) == 2
