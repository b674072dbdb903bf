"""The manifest that makes the Slack app: only what the code uses, each scope with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from adapters.slack.oauth import REDIRECT_PATH
from adapters.slack.transports import PATH
from core.domain.errors import SettingsInvalid

COMMAND = "/resona"
# Why each scope is asked for; what is not here is not asked for.
SCOPES = {
    "app_mentions:read": "to be told when somebody mentions the bot",
    "assistant:write": "the agent view, which has task cards, a stop button and suggested prompts",
    "channels:read": "to hear that the bot was invited to a channel, which it greets once",
    "channels:history": "follow-ups without a mention, and what a thread said before, in channels",
    "chat:write": "to answer, and to rewrite the progress message",
    "commands": "/resona, to connect databases and to choose among them",
    "files:read": "files that come with a question, and to know when a chart can be shown",
    "files:write": "charts and CSV files of answers",
    "groups:history": "the same in private channels that the bot was invited to",
    "groups:read": "to hear of invitations to private channels",
    "im:history": "direct messages",
    "im:write": "answers that a channel may not see, and how far a connection is, to one person",
    "mpim:history": "group messages that the bot was invited to",
    "users:read": "the names of those who ask, so that a thread has its authors",
}
# Which event needs which scope; some need none.
EVENTS = {
    "agent_session_stopped": "chat:write",
    "app_home_opened": "",
    "app_mention": "app_mentions:read",
    "app_uninstalled": "",
    "member_joined_channel": "channels:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
    "team_access_revoked": "",
    "tokens_revoked": "",
}


def manifest(
    url: str | None, prompts: Sequence[str], *, several: bool = False
) -> dict[str, object]:
    """Return the manifest: for Socket Mode, or for signed requests to `url`.

    several: for an app that several workspaces install, each with tokens that are renewed

    Raises:
        SettingsInvalid: the address is none that Slack would take, or is missing.
    """
    if several and url is None:
        raise SettingsInvalid(
            "Who installs the app is sent back to this server; give its address with --url."
        )
    endpoint = None if url is None else _endpoint(url)
    back = endpoint.removesuffix(PATH) + REDIRECT_PATH if endpoint and several else None
    request: dict[str, object] = {} if endpoint is None else {"request_url": endpoint}
    return {
        "_metadata": {"major_version": 2, "minor_version": 1},
        "display_information": {
            "name": "Resona",
            "description": "Ask your data in plain words: a checked answer, with chart and table",
            "background_color": "#1d3557",
        },
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": "resona", "always_online": True},
            "slash_commands": [
                {
                    "command": COMMAND,
                    "description": "Connect databases, choose one, see what is used",
                    "usage_hint": "help | connections | use NAME | connect | usage",
                    "should_escape": False,
                    **({} if endpoint is None else {"url": endpoint}),
                }
            ],
            "agent_view": {
                "agent_description": "Answers questions about your databases, and shows how",
                "suggested_prompts": [
                    {"title": text[:75], "message": text} for text in prompts[:4]
                ],
            },
        },
        "oauth_config": {
            **({"redirect_urls": [back]} if back else {}),
            "scopes": {"bot": sorted(SCOPES)},
        },
        "settings": {
            "event_subscriptions": {"bot_events": sorted(EVENTS), **request},
            "interactivity": {"is_enabled": True, **request},
            "org_deploy_enabled": several,
            "socket_mode_enabled": endpoint is None,
            "token_rotation_enabled": several,
        },
    }


def _endpoint(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or parts.query or parts.fragment:
        raise SettingsInvalid(
            f"{url!r} is no address that Slack sends to; give one like https://resona.example.com."
        )
    return url.rstrip("/").removesuffix(PATH) + PATH
