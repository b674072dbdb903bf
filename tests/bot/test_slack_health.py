from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest
from slack_sdk.oauth.installation_store import Installation

from adapters.inmemory.clock import SystemClock
from adapters.slack.installing import Installations
from adapters.storage.opening import open_state
from adapters.storage.secrets import SecretBox
from bot.bootstrap import open_app
from bot.settings import Settings, SlackSettings
from bot.slack_health import check, check_app
from bot.slack_manifest import SCOPES
from bot.slack_tenants import SlackAccess, kept_installations
from tests.kit.slack_server import SlackServer, slack_server
from tests.kit.slack_stage import oauth_settings, slack_settings
from tests.kit.slack_world import BOT_TOKEN, TEAM

Find = Callable[..., Awaitable[tuple[str, str]]]


@pytest.fixture
async def slack() -> AsyncGenerator[SlackServer]:
    async with slack_server() as server:
        server.world.scopes = frozenset(SCOPES)
        yield server


@pytest.fixture
def settings(slack: SlackServer) -> SlackSettings:
    return SlackSettings.model_validate(slack_settings(slack, "socket"))


@pytest.fixture
async def installations(tmp_path: Path) -> AsyncGenerator[Installations]:
    clock = SystemClock()
    async with open_state(f"sqlite:///{tmp_path}/state.sqlite", clock) as state:
        yield kept_installations(state, SecretBox((), tmp_path / "secret.key"), clock)


@pytest.fixture
def finding(settings: SlackSettings, installations: Installations) -> Find:
    async def found(public_url: str = "", **changes: object) -> tuple[str, str]:
        given = {**settings.model_dump(), **changes}
        changed = SlackSettings.model_validate(given)
        access = SlackAccess(settings=changed, public_url=public_url, clock=SystemClock())
        [one] = await check(access, installations)
        return one.state, one.text

    return found


async def test_says_in_which_workspace_it_answers(finding: Find):
    assert await finding() == ("ok", "answers in Acme, through a socket")


async def test_names_the_scopes_that_are_missing_and_what_they_are_for(
    finding: Find, slack: SlackServer
):
    slack.world.scopes -= {"files:write"}

    state, text = await finding()

    assert state == "failed"
    assert "files:write (charts and CSV files of answers)" in text
    assert "reinstall" in text


async def test_a_wrong_token_is_named_by_its_setting_and_not_shown(
    finding: Find, settings: SlackSettings
):
    bot = await finding(bot_token=settings.app_token)
    socket = await finding(app_token=settings.bot_token)

    assert bot[0] == socket[0] == "failed"
    assert "slack.bot_token (invalid_auth)" in bot[1]
    assert "slack.app_token (invalid_auth)" in socket[1]
    assert "secret" not in bot[1] + socket[1]


async def test_a_slack_that_does_not_answer_is_not_a_wrong_token(finding: Find):
    state, text = await finding(base_url="http://127.0.0.1:1/api/")

    assert state == "failed"
    assert "does not answer" in text


async def test_an_app_that_nobody_installed_is_told_where_to(finding: Find):
    state, text = await finding("https://resona.example.com", **oauth_settings())

    assert state == "note"
    assert "open https://resona.example.com/slack/install" in text


async def test_a_wrong_client_secret_is_named_and_not_shown(finding: Find):
    state, text = await finding(**{**oauth_settings(), "client_secret": "secret-wrong"})

    assert state == "failed"
    assert "slack.client_id with slack.client_secret" in text
    assert "secret-wrong" not in text


async def test_every_workspace_that_installed_the_app_is_asked(
    finding: Find, slack: SlackServer, installations: Installations
):
    await installations.async_save(
        Installation(team_id=TEAM, team_name="Acme", user_id="U1", bot_token=BOT_TOKEN)
    )

    over_http = {**oauth_settings(), "mode": "http"}

    good = await finding(**over_http)
    slack.world.scopes -= {"im:write"}
    lacking = await finding(**over_http)
    slack.world.revoked = True
    revoked = await finding(**over_http)

    assert good == ("ok", "answers in Acme")
    assert lacking[0] == revoked[0] == "failed"
    assert "the app lacks im:write" in lacking[1]
    assert "install the app again there" in lacking[1]
    assert "of no use (token_revoked)" in revoked[1]


async def test_an_application_is_asked_with_its_own_settings(slack: SlackServer, tmp_path: Path):
    given = {**slack_settings(slack, "http"), **oauth_settings()}
    page = {"public_url": "https://resona.example.com"}
    settings = Settings.model_validate({"state_dir": tmp_path, "slack": given, "page": page})
    assert settings.slack is not None

    async with open_app(settings) as app:
        [found] = await check_app(app, settings.slack)

    assert found.state == "note"
    assert "https://resona.example.com/slack/install" in found.text
