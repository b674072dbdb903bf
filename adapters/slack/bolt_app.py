"""Slack's own framework around our handlers: signatures, acknowledgements, both transports."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.doors import Identity

Receive = Callable[[Mapping[str, object]], None]

_ANYTHING = re.compile(r".*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receivers:
    """Each looks at a payload and returns at once."""

    message: Receive
    press: Receive
    window: Receive
    session_stopped: Receive


Listener = Callable[..., Awaitable[None]]
Listen = Callable[[str | re.Pattern[str]], Callable[[Listener], object]]


class Listening(Protocol):
    """How listeners are registered; the framework's own types leave half of it open."""

    event: Listen
    action: Listen
    view: Listen


def quiet_logger() -> logging.Logger:
    """Return a logger for the framework, which at INFO writes down whole refused requests."""
    logger = logging.getLogger("resona.slack")
    logger.setLevel(logging.WARNING)
    return logger


def bolt_app(
    web: AsyncWebClient, token: str, identity: Identity, *, secret: str, receivers: Receivers
) -> AsyncApp:
    """Return the application that both transports feed; `web` has no token of its own.

    Every listener acknowledges first and then only looks at what came; the work is a task of its
    own, so that Slack never waits and an error in it never costs the acknowledgement.
    """

    async def authorize() -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=None,
            team_id=identity.team,
            bot_user_id=identity.user,
            bot_id=identity.bot,
            bot_token=token,
        )

    app = AsyncApp(
        name="resona",
        logger=quiet_logger(),
        client=web,
        authorize=authorize,
        signing_secret=secret,
        # They would be given arguments that nothing here uses, at a cost for each event.
        attaching_conversation_kwargs_enabled=False,
        attaching_function_token_enabled=False,
    )
    _listen(cast("Listening", app), receivers)
    return app


def _listen(app: Listening, receivers: Receivers) -> None:
    app.event("message")(_event(receivers.message))
    app.event("app_mention")(_event(receivers.message))
    app.event("agent_session_stopped")(_event(receivers.session_stopped))
    # What nobody handles would be a 404, which Slack counts as a failure and sends again.
    app.event(_ANYTHING)(_event(_ignore))
    app.action(_ANYTHING)(_interaction(receivers.press))
    app.view(_ANYTHING)(_interaction(receivers.window))


def _event(receive: Receive) -> Listener:
    async def listener(body: dict[str, Any]) -> None:
        receive(body)

    return listener


def _interaction(receive: Receive) -> Listener:
    async def listener(ack: Callable[[], Awaitable[Any]], body: dict[str, Any]) -> None:
        await ack()
        receive(body)

    return listener


def _ignore(_: Mapping[str, object]) -> None:
    return None
