"""The two ways in which Slack reaches us: a socket that we open, or signed requests to us."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.bolt_app import quiet_logger

log = structlog.get_logger()

PATH = "/slack/events"
_REFUSED = {"error": "invalid request"}


@dataclass(slots=True)
class _Refused:
    """Requests whose signature does not fit: forged ones, or all of them with a wrong secret."""

    count: int = 0

    def one_more(self) -> None:
        """Tell of the first, the tenth, the hundredth …: anybody can send such requests."""
        self.count += 1
        if str(self.count).strip("0") == "1":
            log.warning(
                "slack_signatures_refused",
                count=self.count,
                advice="If Slack itself sent them, copy slack.signing_secret again from Basic "
                "Information of the app, and compare the clock of this machine.",
            )


@asynccontextmanager
async def socket_mode(
    app: AsyncApp, app_token: str, web_client: AsyncWebClient
) -> AsyncGenerator[AsyncSocketModeHandler]:
    """Keep one socket to Slack open; the SDK opens it anew when it breaks."""
    handler = AsyncSocketModeHandler(
        app, app_token, logger=quiet_logger(), web_client=web_client, ping_interval=10
    )
    try:
        await handler.connect_async()
        yield handler
    finally:
        await handler.close_async()


def signed_http(app: Callable[[], AsyncApp | None]) -> list[web.AbstractRouteDef]:
    """Return the route for events, presses and commands; `app` is None while Slack is not open."""
    refused = _Refused()

    async def receive(request: web.Request) -> web.StreamResponse:
        bolt = app()
        if bolt is None:
            return web.json_response({"error": "not ready"}, status=503)
        # The framework breaks on a time stamp that is no number, before it looks at the signature.
        if not request.headers.get("X-Slack-Request-Timestamp", "").isdecimal():
            return web.json_response(_REFUSED, status=401)
        response = await bolt.async_dispatch(await to_bolt_request(request))
        if response.status == 401:
            refused.one_more()
        return await to_aiohttp_response(response)

    return [web.post(PATH, receive)]
