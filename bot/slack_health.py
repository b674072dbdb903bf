"""What works and what is missing of Slack, for `resona doctor`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import aiohttp
from slack_sdk.errors import SlackClientError

from adapters.slack.calls import SlackCalls, SlackRefused
from adapters.slack.entering import (
    UNREACHABLE,
    SlackUnreachable,
    check_app_token,
    identify,
    who_am_i,
)
from adapters.slack.identity import Identity
from adapters.slack.installing import Installations
from adapters.slack.oauth import INSTALL_PATH, app_client, is_known
from bot.bootstrap import App, secret_box
from bot.health import Finding
from bot.settings import SlackSettings
from bot.slack_manifest import SCOPES
from bot.slack_tenants import SlackAccess, kept_installations, oauth_client
from core.domain.errors import SecretUnreadable, SettingsInvalid, StateUnusable

_SECONDS = 15.0
_PART = "slack"
_MOST_ASKED = 20


async def check_app(app: App, settings: SlackSettings) -> list[Finding]:
    """Check Slack as an application would serve it."""
    clock = app.outside.clock
    installations = kept_installations(app.state, secret_box(app.settings), clock)
    access = SlackAccess(settings=settings, public_url=app.settings.page.public_url, clock=clock)
    return await check(access, installations)


async def check(access: SlackAccess, installations: Installations) -> list[Finding]:
    """Ask Slack who we are, what we may, and in Socket Mode whether it would give us a socket."""
    settings, timeout = access.settings, aiohttp.ClientTimeout(total=_SECONDS)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        checking = _Checking(access, session)
        try:
            await checking.socket()
            if settings.bot_token is not None:
                return [await checking.bot_token(settings.bot_token.get_secret_value())]
            return [each async for each in checking.installed(installations)]
        except (SettingsInvalid, StateUnusable) as error:
            return [Finding(_PART, "failed", str(error))]
        except (SlackUnreachable, SlackClientError, aiohttp.ClientError, TimeoutError, OSError):
            away = f"{settings.base_url} does not answer; check network and proxy"
            return [Finding(_PART, "failed", away)]


@dataclass(frozen=True, slots=True)
class _Checking:
    access: SlackAccess
    session: aiohttp.ClientSession

    @property
    def settings(self) -> SlackSettings:
        return self.access.settings

    async def socket(self) -> None:
        if self.settings.mode == "socket" and self.settings.app_token:
            await check_app_token(self._calls(self.settings.app_token.get_secret_value()))

    async def bot_token(self, token: str) -> Finding:
        identity = await identify(self._calls(token))
        way = "a socket" if self.settings.mode == "socket" else "signed requests to /slack/events"
        return _lacking(_PART, identity, "reinstall the app") or Finding(
            _PART, "ok", f"answers in {identity.workspace_name}, through {way}"
        )

    async def installed(self, installations: Installations) -> AsyncIterator[Finding]:
        app = oauth_client(self.access)
        if not await is_known(app, app_client(self.settings.base_url, self.session)):
            yield Finding(
                _PART,
                "failed",
                "Slack does not take slack.client_id with slack.client_secret. Copy both again "
                "from Basic Information of the app at api.slack.com/apps",
            )
            return
        tenants = await installations.rows.tenants()
        if not tenants:
            where = f"{self.access.public_url}{INSTALL_PATH}"
            yield Finding(_PART, "note", f"no workspace has installed the app yet; open {where}")
        for tenant in tenants[:_MOST_ASKED]:
            yield await self._tenant(installations, tenant)
        if len(tenants) > _MOST_ASKED:
            yield Finding(_PART, "note", f"{len(tenants) - _MOST_ASKED} more were not asked")

    async def _tenant(self, installations: Installations, tenant: str) -> Finding:
        again = f"install the app again there, at {self.access.public_url}{INSTALL_PATH}"
        try:
            found = await installations.at(tenant)
            identity = await who_am_i(self._calls((found and found.bot_token) or ""))
        except SecretUnreadable as error:
            return Finding(tenant, "failed", str(error))
        except SlackRefused as error:
            if error.error == UNREACHABLE:
                raise SlackUnreachable(str(error)) from error
            return Finding(tenant, "failed", f"its token is of no use ({error.error}); {again}")
        return _lacking(tenant, identity, again) or Finding(
            tenant, "ok", f"answers in {identity.workspace_name}"
        )

    def _calls(self, token: str) -> SlackCalls:
        return self.access.calls(token, self.session)


def _lacking(part: str, identity: Identity, how: str) -> Finding | None:
    missing = sorted(set(SCOPES) - set(identity.scopes)) if identity.scopes else []
    if not missing:
        return None
    reasons = "; ".join(f"{scope} ({SCOPES[scope]})" for scope in missing)
    return Finding(
        part,
        "failed",
        f"the app lacks {reasons}. Add them under OAuth & Permissions (or paste "
        f"`resona manifest slack` anew) and {how}",
    )
