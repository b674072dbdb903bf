"""The first words with Slack: who we are in it, and whether the tokens are good for anything."""

from __future__ import annotations

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.bolt_app import quiet_logger
from adapters.slack.calls import SlackCalls, SlackRefused
from adapters.slack.identity import Identity
from core.domain.errors import SettingsInvalid

UNREACHABLE = "unreachable"
_KINDS = {"bot_token": "xoxb-", "app_token": "xapp-"}


class SlackUnreachable(Exception):
    """Slack does not answer now; later it may."""


def web_client(token: str | None, base_url: str, session: aiohttp.ClientSession) -> AsyncWebClient:
    """Return a client that tries nothing twice itself."""
    client = AsyncWebClient(
        token=token, base_url=base_url, logger=quiet_logger(), retry_handlers=[]
    )
    # Without a session of its own it would open a new connection for every call.
    client.session = session
    return client


async def identify(calls: SlackCalls) -> Identity:
    """Ask Slack who the bot token belongs to.

    Raises:
        SettingsInvalid: Slack does not take the token.
        SlackUnreachable: Slack does not answer.
    """
    try:
        return await who_am_i(calls)
    except SlackRefused as error:
        raise _refused(error, "bot_token") from error


async def who_am_i(calls: SlackCalls) -> Identity:
    """Ask Slack who a token belongs to.

    Raises:
        SlackRefused: Slack does not take the token, or does not answer.
    """
    said = await calls.once("auth.test", {})
    return Identity(
        team=said.text("team_id"),
        user=said.text("user_id"),
        bot=said.text("bot_id"),
        workspace_name=said.text("team"),
        scopes=said.scopes,
    )


async def check_app_token(calls: SlackCalls) -> None:
    """Ask Slack once for a socket: the SDK itself would ask for ever with a wrong token.

    `calls` are made with the token of the app.

    Raises:
        SettingsInvalid: Slack does not take the token.
        SlackUnreachable: Slack does not answer.
    """
    try:
        await calls.once("apps.connections.open", {})
    except SlackRefused as error:
        raise _refused(error, "app_token") from error


def _refused(error: SlackRefused, setting: str) -> Exception:
    if error.error == UNREACHABLE or error.retry_after:
        return SlackUnreachable("Slack does not answer; I try again.")
    return SettingsInvalid(
        f"Slack does not take slack.{setting} ({error.error}). Copy it again from the app's "
        f"settings at api.slack.com/apps (it begins with {_KINDS[setting]}), or reinstall the app."
    )
