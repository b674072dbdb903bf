from collections.abc import AsyncGenerator

import pytest

from adapters.inmemory.clock import SystemClock
from bot.settings import SlackSettings
from bot.slack_health import check
from bot.slack_manifest import SCOPES
from tests.kit.slack_server import SlackServer, slack_server
from tests.kit.slack_stage import slack_settings


@pytest.fixture
async def slack() -> AsyncGenerator[SlackServer]:
    async with slack_server() as server:
        server.world.scopes = frozenset(SCOPES)
        yield server


@pytest.fixture
def settings(slack: SlackServer) -> SlackSettings:
    return SlackSettings.model_validate(slack_settings(slack, "socket"))


async def finding(settings: SlackSettings, **changes: object) -> tuple[str, str]:
    found = await check(settings.model_copy(update=changes), SystemClock())
    return found.state, found.text


async def test_says_in_which_workspace_it_answers(settings: SlackSettings):
    assert await finding(settings) == ("ok", "answers in Acme, through a socket")


async def test_names_the_scopes_that_are_missing_and_what_they_are_for(
    settings: SlackSettings, slack: SlackServer
):
    slack.world.scopes -= {"files:write"}

    state, text = await finding(settings)

    assert state == "failed"
    assert "files:write (charts and CSV files of answers)" in text
    assert "reinstall" in text


async def test_a_wrong_token_is_named_by_its_setting_and_not_shown(settings: SlackSettings):

    bot = await finding(settings, bot_token=settings.app_token)
    socket = await finding(settings, app_token=settings.bot_token)

    assert bot[0] == socket[0] == "failed"
    assert "slack.bot_token (invalid_auth)" in bot[1]
    assert "slack.app_token (invalid_auth)" in socket[1]
    assert "secret" not in bot[1] + socket[1]


async def test_a_slack_that_does_not_answer_is_not_a_wrong_token(settings: SlackSettings):
    state, text = await finding(settings, base_url="http://127.0.0.1:1/api/")

    assert state == "failed"
    assert "does not answer" in text
