import asyncio
import time
from pathlib import Path

import pytest
from slack_sdk.oauth.installation_store import Installation

from bot.slack_manifest import SCOPES
from core.domain.ids import ThreadId
from tests.kit.slack_browser import Browser, installable
from tests.kit.slack_stage import INTENT, Stage, calling
from tests.kit.slack_things import Failure
from tests.kit.slack_world import SlackWorld

TOTAL = calling("run_query", sql="SELECT SUM(amount) AS total FROM orders")
FOUND = (INTENT, TOTAL, "The total is 3.5.")


def everything_about(here: Stage, *worlds: SlackWorld) -> str:
    """Return what anybody could find out about tokens: tables, and what was said."""
    paths = Path(here.service.state_dir).glob("state.sqlite*")
    held = "".join(path.read_bytes().decode(errors="replace") for path in paths)
    assert "slack:T2" in held
    return held + "".join(here.said) + "".join(m.words for world in worlds for m in world.messages)


@pytest.mark.parametrize("mode", ["http", "socket"])
async def test_who_installs_the_app_is_answered_with_its_own_token(
    tmp_path: Path, mode: str, caplog: pytest.LogCaptureFixture
):
    async with installable(tmp_path, *FOUND, mode=mode) as here:
        world = here.slack.install.add("T2", "Beta <b>")
        status, page = await Browser(here).installs()
        event = await here.slack.asks("U1", "what is the total?", world=world)
        answer = await here.until_shown("The total is 3.5.", world=world)
        await here.settled()
        found = everything_about(here, world)

    assert status == 200
    assert "Resona is installed in Beta &lt;b&gt;." in page
    assert answer.thread_ts == event["ts"]
    assert world.scopes == set(SCOPES)
    assert not here.world.messages
    assert not any(method == "auth.test" for method, _ in world.calls[1:])
    assert "secret-" not in found + caplog.text
    assert "in 0 workspaces" in here.said[0]


async def test_two_workspaces_do_not_mix(tmp_path: Path):
    script = (*FOUND, INTENT, "Both of them.", INTENT, "I never said that.")
    async with installable(tmp_path, *script) as here:
        one = here.slack.install.add("T2", "Beta")
        await Browser(here).installs()
        two = here.slack.install.add("T3", "Gamma")
        await Browser(here).installs()
        asked = await here.slack.asks("U1", "what is the total?", world=one)
        await here.until_shown("The total is 3.5.", world=one)
        await here.settled()
        other = await here.slack.asks("U1", "how many?", world=two)
        await here.until_shown("Both of them.", world=two)
        await here.settled()
        follow = {"thread_ts": other["ts"], "world": two}
        await here.slack.asks("U1", "what did you say before?", **follow)
        await here.until_shown("I never said that.", world=two)
        await here.settled()
        heard = [each.text for each in here.model.requests[-1].messages]
        threads = here.turns.outside.threads
        kept = [
            len((await threads.load(ThreadId(f"slack:{team}:C1:{asked['ts']}"))).exchanges)
            for team in ("T2", "T3")
        ]

    assert asked["ts"] == other["ts"]
    assert kept == [1, 2]
    assert any("Both of them." in text for text in heard)
    assert not any("The total is 3.5." in text for text in heard)
    assert len(one.seen()) == 1
    assert len(two.seen()) == 2


async def test_a_button_of_one_workspace_does_nothing_for_another(tmp_path: Path):
    async with installable(tmp_path, *FOUND) as here:
        one = here.slack.install.add("T2", "Beta")
        await Browser(here).installs()
        two = here.slack.install.add("T3", "Gamma")
        await Browser(here).installs()
        await here.slack.asks("U1", "what is the total?", world=one)
        answer = await here.until_shown("The total is 3.5.", world=one)
        await here.settled()
        show = next(each for each in answer.buttons() if each["action_id"] == "show_sql")
        await here.slack.press("U1", show, answer, world=two)
        told = await here.until_shown("too long ago", world=two, ephemeral=True)
        await here.settled()

    assert told.only_for == "U1"
    assert not two.views


@pytest.mark.parametrize(
    ("change", "status", "why"),
    [
        ("no cookie", 400, "not the browser that began"),
        ("another state", 400, "not the browser that began"),
        ("no code", 401, "sent nothing to install with"),
        ("wrong code", 401, "does not take"),
        ("refused", 200, "did not let the app in"),
    ],
)
async def test_an_install_that_goes_wrong_installs_nothing(
    tmp_path: Path, change: str, status: int, why: str
):
    async with installable(tmp_path) as here:
        here.slack.install.add("T2", "Beta")
        browser = Browser(here)
        back = await browser.consented()
        if change == "no cookie":
            browser.cookies = {}
        changed = {
            "another state": back.replace("state=", "state=0"),
            "no code": back.replace("code=", "none="),
            "wrong code": back.replace("code=", "code=0"),
            "refused": back.replace("code=", "error=access_denied&none="),
        }
        got, _, text = await browser.get(changed.get(change, back))
        tenants = await here.service.installations.rows.tenants()

    assert got == status
    assert why in text
    assert tenants == ()


async def test_what_slack_sent_back_is_good_once(tmp_path: Path):
    async with installable(tmp_path) as here:
        here.slack.install.add("T2", "Beta")
        browser = Browser(here)
        back = await browser.consented()
        state = dict(browser.cookies)
        first, _, _ = await browser.get(back)
        browser.cookies = state
        second, _, text = await browser.get(back)

    assert (first, second) == (200, 401)
    assert "was done before" in text


async def test_slack_being_away_is_said_and_nothing_breaks(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    async with installable(tmp_path) as here:
        here.slack.install.add("T2", "Beta")
        here.world.fail("oauth.v2.access", Failure(drops=True))
        browser = Browser(here)
        status, text = await browser.installs()
        again, _ = await browser.installs()

    assert (status, again) == (503, 200)
    assert "Slack does not answer now" in text
    assert "code-" not in caplog.text


async def test_only_those_who_are_named_may_install(tmp_path: Path):
    async with installable(tmp_path, more={"workspaces": ["T3"]}) as here:
        refused = here.slack.install.add("T2", "Beta")
        status, text = await Browser(here).installs()
        here.slack.install.add("T3", "Gamma")
        named, _ = await Browser(here).installs()
        tenants = await here.service.installations.rows.tenants()

    assert (status, named) == (403, 200)
    assert "may not install the app" in text
    assert refused.tokens == {}
    assert tenants == ("slack:T3",)


async def test_an_organisation_installs_for_all_its_workspaces(tmp_path: Path):
    async with installable(tmp_path, *FOUND, INTENT, "Two.") as here:
        one = here.slack.install.add("T2", "Beta", enterprise="E1")
        two = here.slack.install.add("T3", "Gamma", enterprise="E1")
        two.members = {"C3", "D3"}
        await Browser(here).installs()
        await here.slack.asks("U1", "what is the total?", world=one)
        await here.until_shown("The total is 3.5.", world=one)
        await here.slack.asks("U1", "how many?", channel="C3", world=two)
        await here.until_shown("Two.", world=two)
        await here.settled()
        rows = here.service.installations.rows
        tenants, workspaces = await rows.tenants(), await rows.workspaces("slack:E1")

    assert tenants == ("slack:E1",)
    assert workspaces == ("slack:T2", "slack:T3")


async def expiring(here: Stage, world: SlackWorld, seconds: int) -> None:
    """Let the token that was given end in so many seconds, as if hours had gone by."""
    store = here.service.installations
    found = await store.at(f"slack:{world.team}")
    assert isinstance(found, Installation)
    found.bot_token_expires_at = int(time.time()) + seconds
    await store.async_save(found)
    world.tokens = {token: time.time() + seconds for token in world.tokens}


@pytest.mark.parametrize("seconds", [600, -1])
async def test_a_token_is_renewed_once_however_many_ask(tmp_path: Path, seconds: int):
    async with installable(tmp_path, INTENT, "One.", INTENT, "Two.") as here:
        here.slack.install.lasts = 43_200
        world = here.slack.install.add("T2", "Beta")
        await Browser(here).installs()
        await expiring(here, world, seconds)
        old = next(iter(world.tokens))
        said = [
            here.slack.says(f"U{n}", f"question {n}?", channel="D1", world=world) for n in (1, 2)
        ]
        await asyncio.gather(*(here.slack.event(each, world=world) for each in said))
        await here.until_shown("One.", world=world)
        await here.until_shown("Two.", world=world)
        await here.settled()
        held = await here.service.installations.at("slack:T2")

    assert here.slack.install.refreshed == 1
    assert held is not None
    assert held.bot_token != old
    assert held.bot_token in world.tokens


async def test_a_token_that_cannot_be_renewed_is_used_while_it_is_good(tmp_path: Path):
    async with installable(tmp_path, INTENT, "One.") as here:
        here.slack.install.lasts = 43_200
        world = here.slack.install.add("T2", "Beta")
        await Browser(here).installs()
        await expiring(here, world, 600)
        here.world.fail("oauth.v2.access", Failure(error="invalid_refresh_token"))
        await here.slack.asks("U1", "one?", world=world)
        await here.until_shown("One.", world=world)
        await here.settled()

    assert here.slack.install.refreshed == 0


async def test_a_workspace_without_a_good_token_is_left_alone(tmp_path: Path):
    async with installable(tmp_path) as here:
        here.slack.install.lasts = 43_200
        world = here.slack.install.add("T2", "Beta")
        stranger = here.slack.install.add("T3", "Gamma")
        here.slack.install.consents = "T2"
        await Browser(here).installs()
        await expiring(here, world, -1)
        here.world.fail("oauth.v2.access", Failure(error="invalid_refresh_token"))
        event = here.slack.says("U1", "one?", channel="D1", world=world)
        statuses = [await here.slack.event(event, world=each) for each in (world, stranger)]
        await here.settled()

    assert statuses == [200, 200]
    assert not here.model.requests
