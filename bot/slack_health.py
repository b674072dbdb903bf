"""What works and what is missing of Slack, for `resona doctor`."""

from __future__ import annotations

import aiohttp

from adapters.slack.calls import SlackCalls
from adapters.slack.entering import SlackUnreachable, check_app_token, identify, web_client
from adapters.slack.pacing import Pacing
from bot.health import Finding
from bot.settings import SlackSettings
from bot.slack_manifest import SCOPES
from core.domain.errors import SettingsInvalid
from core.ports.clock import Clock

_SECONDS = 15.0
_PART = "slack"


async def check(settings: SlackSettings, clock: Clock) -> Finding:
    """Ask Slack who we are, what we may, and in Socket Mode whether it would give us a socket."""
    timeout = aiohttp.ClientTimeout(total=_SECONDS)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        token = settings.bot_token.get_secret_value()
        web = web_client(token, settings.base_url, session)
        calls = SlackCalls(web, session, clock, Pacing(clock))
        try:
            identity = await identify(calls)
            if settings.mode == "socket" and settings.app_token:
                secret = settings.app_token.get_secret_value()
                await check_app_token(calls, secret, settings.base_url)
        except SettingsInvalid as error:
            return Finding(_PART, "failed", str(error))
        except SlackUnreachable:
            return Finding(
                _PART, "failed", f"{settings.base_url} does not answer; check network and proxy"
            )
    missing = sorted(set(SCOPES) - set(identity.scopes)) if identity.scopes else []
    if missing:
        reasons = "; ".join(f"{scope} ({SCOPES[scope]})" for scope in missing)
        return Finding(
            _PART,
            "failed",
            f"the app lacks {reasons}. Add them under OAuth & Permissions (or paste "
            f"`resona manifest slack` anew) and reinstall the app",
        )
    way = "a socket" if settings.mode == "socket" else "signed requests to /slack/events"
    return Finding(_PART, "ok", f"answers in {identity.workspace_name}, through {way}")
