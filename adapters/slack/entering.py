"""The first words with Slack: who we are in it, and whether the tokens are good for anything."""

from __future__ import annotations

from dataclasses import replace

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.bolt_app import quiet_logger
from adapters.slack.calls import SlackCalls, SlackRefused
from adapters.slack.doors import Identity
from core.domain.errors import SettingsInvalid

_UNREACHABLE = "unreachable"
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
        said = await calls.once("auth.test", {})
    except SlackRefused as error:
        raise _refused(error, "bot_token") from error
    return Identity(
        team=said.text("team_id"),
        user=said.text("user_id"),
        bot=said.text("bot_id"),
        workspace_name=said.text("team"),
        scopes=said.scopes,
    )


async def check_app_token(calls: SlackCalls, app_token: str, base_url: str) -> None:
    """Ask Slack once for a socket: the SDK itself would ask for ever with a wrong token.

    Raises:
        SettingsInvalid: Slack does not take the token.
        SlackUnreachable: Slack does not answer.
    """
    opening = replace(calls, web=web_client(app_token, base_url, calls.session))
    try:
        await opening.once("apps.connections.open", {})
    except SlackRefused as error:
        raise _refused(error, "app_token") from error


def _refused(error: SlackRefused, setting: str) -> Exception:
    if error.error == _UNREACHABLE or error.retry_after:
        return SlackUnreachable("Slack does not answer; I try again.")
    return SettingsInvalid(
        f"Slack does not take slack.{setting} ({error.error}). Copy it again from the app's "
        f"settings at api.slack.com/apps (it begins with {_KINDS[setting]}), or reinstall the app."
    )
