"""How a workspace installs the app: Slack's consent page, and the way back from it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol, cast

import aiohttp
import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.error import BoltError
from slack_bolt.oauth.async_callback_options import (
    AsyncCallbackOptions,
    AsyncFailureArgs,
    AsyncSuccessArgs,
)
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.bolt_app import Tenant, quiet_logger
from adapters.slack.installing import STATE_SECONDS, Installations, States, tenant_of
from core.domain.errors import OperatorNeeded

log = structlog.get_logger()

INSTALL_PATH = "/slack/install"
REDIRECT_PATH = "/slack/oauth_redirect"
_AT_ONCE = 10**9  # the SDK renews what expires within so many minutes
_WHY_NOT = {
    "access_denied": "You did not let the app in, so nothing was installed.",
    "invalid_browser": (
        "This is not the browser that began the install, or it keeps no cookies. Begin again."
    ),
    "invalid_state": "That took too long, or was done before. Begin again.",
    "missing_code": "Slack sent nothing to install with. Begin again.",
    "invalid_code": "Slack does not take what it sent here. Begin again.",
}
_AWAY = "Slack does not answer now. Begin again in a minute."
_NOT_KEPT = "The install cannot be kept now. Ask whoever runs the app to look into its log."


class _Calling(Protocol):
    """What is used of the SDK's client, whose own types leave half of it open."""

    async def auth_revoke(self, *, token: str) -> object: ...

    async def api_call(
        self, api_method: str, *, data: dict[str, str], headers: dict[str, str]
    ) -> AsyncSlackResponse: ...


class AppClient(AsyncWebClient):
    """The SDK's client for calls that the app itself makes, proven by its secret.

    The SDK's own way of proving it is one that aiohttp gives up.
    """

    async def oauth_v2_access(
        self,
        *,
        client_id: str,
        client_secret: str,
        code: str | None = None,
        redirect_uri: str | None = None,
        grant_type: str | None = None,
        refresh_token: str | None = None,
        **kwargs: object,
    ) -> AsyncSlackResponse:
        given = {
            "code": code,
            "redirect_uri": redirect_uri,
            "grant_type": grant_type,
            "refresh_token": refresh_token,
        }
        return await cast("_Calling", self).api_call(
            "oauth.v2.access",
            data={name: value for name, value in given.items() if value is not None},
            headers={"Authorization": aiohttp.encode_basic_auth(client_id, client_secret)},
        )


def app_client(base_url: str, session: aiohttp.ClientSession) -> AppClient:
    """Return a client without a token that tries nothing twice itself."""
    client = AppClient(base_url=base_url, logger=quiet_logger(), retry_handlers=[])
    client.session = session
    return client


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """The app as Slack knows it, and what it asks for.

    url: the address under which browsers reach this server; "" leaves it to the app's settings
    allowed: the workspaces and organisations that may install it; None lets everybody
    """

    id: str
    secret: str
    scopes: Sequence[str]
    base_url: str
    url: str = ""
    allowed: frozenset[str] | None = None

    def admits(self, tenant: Tenant) -> bool:
        return self.allowed is None or not self.allowed.isdisjoint({tenant.team, tenant.enterprise})


class InstallFlow(AsyncOAuthFlow):
    """The SDK's way of an install, for those who may install, with words for those who did."""

    def __init__(
        self,
        app: Client,
        installations: Installations,
        web_client: AppClient,
        changed: Callable[[Tenant], None],
    ) -> None:
        self._app = app
        self._installations = installations
        self._changed = changed
        super().__init__(
            client=web_client,
            logger=_silent_logger(),
            settings=AsyncOAuthSettings(
                client_id=app.id,
                client_secret=app.secret,
                scopes=list(app.scopes),
                redirect_uri=f"{app.url}{REDIRECT_PATH}" if app.url else None,
                install_page_rendering_enabled=False,
                authorization_url=app.base_url.removesuffix("/").removesuffix("/api")
                + "/oauth/v2/authorize",
                installation_store=installations,
                state_store=States(installations.rows),
                state_expiration_seconds=STATE_SECONDS,
                callback_options=AsyncCallbackOptions(self._installed, self._not_installed),
            ),
        )

    async def store_installation(
        self, request: AsyncBoltRequest, installation: Installation
    ) -> None:
        """Keep an installation of somebody who may have one; others lose their token again.

        Raises:
            BoltError: this tenant may not install the app.
        """
        tenant = tenant_of(
            installation.enterprise_id,
            installation.team_id,
            for_all=installation.is_enterprise_install,
        )
        if not self._app.admits(tenant):
            await cast("_Calling", self.client).auth_revoke(token=installation.bot_token or "")
            log.warning("slack_install_refused", tenant=tenant.key)
            raise BoltError("not allowed")
        await self._installations.async_save(installation)
        self._changed(tenant)
        log.info("slack_installed", tenant=tenant.key)

    async def _installed(self, args: AsyncSuccessArgs) -> BoltResponse:
        name = args.installation.team_name or args.installation.enterprise_name or "Slack"
        text = f"Resona is installed in {name}. Invite it to a channel and mention it."
        return self._page(200, "Installed", text)

    async def _not_installed(self, args: AsyncFailureArgs) -> BoltResponse:
        log.warning("slack_install_failed", reason=args.reason)
        if args.error is not None:
            text = "This workspace may not install the app. Ask whoever runs it to name it."
            return self._page(403, "Not installed", text)
        text = _WHY_NOT.get(args.reason, "Slack did not let that happen. Begin again.")
        return self._page(args.suggested_status_code, "Not installed", text)

    def _page(self, status: int, title: str, text: str) -> BoltResponse:
        again = f'<p><a href="{INSTALL_PATH}">Begin again</a></p>' if status >= 400 else ""
        body = (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
            f"<h1>{escape(title)}</h1><p>{escape(text)}</p>{again}</html>"
        )
        forget = self.settings.state_utils.build_set_cookie_for_deletion()
        headers: dict[str, str | Sequence[str]] = {
            "Content-Type": "text/html; charset=utf-8",
            "Set-Cookie": [forget],
        }
        return BoltResponse(status=status, body=body, headers=headers)


def install_routes(flow: Callable[[], InstallFlow | None]) -> list[web.AbstractRouteDef]:
    """Return the two routes of an install; `flow` is None while Slack is not open."""

    async def begin(request: web.Request) -> web.StreamResponse:
        return await _answered(flow(), request, back=False)

    async def end(request: web.Request) -> web.StreamResponse:
        return await _answered(flow(), request, back=True)

    return [web.get(INSTALL_PATH, begin), web.get(REDIRECT_PATH, end)]


async def renewed(app: Client, web_client: AppClient, bot: Bot) -> Bot | None:
    """Trade the refresh token of a bot for tokens of the next twelve hours.

    Raises:
        SlackTokenRotationError: Slack does not take it.
    """
    rotator = AsyncTokenRotator(client_id=app.id, client_secret=app.secret, client=web_client)
    return await rotator.perform_bot_token_rotation(bot=bot, minutes_before_expiration=_AT_ONCE)


async def is_known(app: Client, web_client: AppClient) -> bool:
    """Say whether Slack knows the app by its id and secret.

    Raises:
        SlackClientError, aiohttp.ClientError, TimeoutError, OSError: Slack does not answer.
    """
    try:
        # There is no such code; that comes up only after id and secret have been looked at.
        await web_client.oauth_v2_access(client_id=app.id, client_secret=app.secret, code="none")
    except SlackApiError as error:
        return "invalid_code" in str(error)
    return True


async def _answered(
    flow: InstallFlow | None, request: web.Request, *, back: bool
) -> web.StreamResponse:
    if flow is None:
        return web.Response(text=_AWAY, status=503)
    bolt_request = await to_bolt_request(request)
    try:
        handle = flow.handle_callback if back else flow.handle_installation
        return await to_aiohttp_response(await handle(bolt_request))
    except (aiohttp.ClientError, TimeoutError, OSError, SlackClientError) as error:
        # Its text can hold the code that Slack sent.
        log.warning("slack_install_failed", reason=type(error).__name__)
        return web.Response(text=_AWAY, status=503)
    except OperatorNeeded as error:
        log.warning("slack_install_failed", reason=str(error))
        return web.Response(text=_NOT_KEPT, status=503)


def _silent_logger() -> logging.Logger:
    """Return a logger for what would write down the code of an install that failed."""
    logger = logging.getLogger("resona.slack.install")
    logger.setLevel(logging.CRITICAL)
    return logger
