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

from adapters.slack.calls import SlackCalls
from adapters.slack.identity import Identity
from adapters.slack.wire import Object

Receive = Callable[[Mapping[str, object]], None]
Check = Callable[[Mapping[str, object]], Object]

_ANYTHING = re.compile(r".*", re.DOTALL)
# Under this key the framework's context carries the workspace that an event is from.
_WORKSPACE = "resona_workspace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receivers:
    """Each looks at a payload and returns at once.

    `check` says what a window that was sent off is acknowledged with; `window` takes it only when
    that is nothing.
    """

    message: Receive
    press: Receive
    check: Check
    window: Receive
    command: Receive
    session_stopped: Receive
    home_opened: Receive
    joined: Receive


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """Who an event is from: a workspace, which may be one of an organisation that has the bot.

    for_all: the organisation installed the bot for all its workspaces, with one token
    """

    team: str
    enterprise: str = ""
    for_all: bool = False

    @property
    def key(self) -> str:
        """Return the name under which its installation is kept."""
        return f"slack:{self.enterprise if self.for_all else self.team}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A workspace while it is served: its token, who the bot is in it, who takes its events."""

    calls: SlackCalls
    identity: Identity
    receivers: Receivers


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrances:
    """The way of an event into its workspace.

    - `enter` returns the workspace with a token that is good; None where there is none.
    - `left` hears of tokens and workspaces that were taken back, and of uninstalls, and returns at
      once.
    """

    enter: Callable[[Tenant], Awaitable[Workspace | None]]
    left: Callable[[Tenant, Mapping[str, object]], None]


class _Context(Protocol):
    """What is used of the framework's context, which is a dictionary as well."""

    @property
    def enterprise_id(self) -> str | None: ...

    @property
    def team_id(self) -> str | None: ...

    @property
    def is_enterprise_install(self) -> bool | None: ...

    def __getitem__(self, key: str) -> object: ...

    def __setitem__(self, key: str, value: object) -> None: ...


Listener = Callable[..., Awaitable[None]]
Listen = Callable[[str | re.Pattern[str]], Callable[[Listener], object]]


class Listening(Protocol):
    """How listeners are registered; the framework's own types leave half of it open."""

    event: Listen
    action: Listen
    command: Listen
    view: Listen


def quiet_logger() -> logging.Logger:
    """Return a logger for the framework, which at INFO writes down whole refused requests."""
    logger = logging.getLogger("resona.slack")
    logger.setLevel(logging.WARNING)
    return logger


def bolt_app(web: AsyncWebClient, *, secret: str, entrances: Entrances) -> AsyncApp:
    """Return the application that both transports feed; `web` has no token of its own.

    Every listener acknowledges first and then only looks at what came; the work is a task of its
    own, so that Slack never waits and an error in it never costs the acknowledgement.
    """

    async def authorize(context: _Context) -> AuthorizeResult | None:
        tenant = _tenant(context)
        workspace = await entrances.enter(tenant)
        if workspace is None:
            return None
        context[_WORKSPACE] = workspace
        return AuthorizeResult(
            enterprise_id=tenant.enterprise or None,
            team_id=tenant.team,
            bot_user_id=workspace.identity.user,
            bot_id=workspace.identity.bot,
            bot_token=workspace.calls.web.token,
        )

    app = AsyncApp(
        name="resona",
        logger=quiet_logger(),
        client=web,
        # Its type leaves out that nobody may be found.
        authorize=cast("Callable[..., Awaitable[AuthorizeResult]]", authorize),
        signing_secret=secret,
        # They would be given arguments that nothing here uses, at a cost for each event.
        attaching_conversation_kwargs_enabled=False,
        attaching_function_token_enabled=False,
    )
    _listen(cast("Listening", app), entrances)
    return app


def _listen(app: Listening, entrances: Entrances) -> None:
    app.event("message")(_event(lambda to: to.message))
    app.event("app_mention")(_event(lambda to: to.message))
    app.event("agent_session_stopped")(_event(lambda to: to.session_stopped))
    app.event("app_home_opened")(_event(lambda to: to.home_opened))
    app.event("member_joined_channel")(_event(lambda to: to.joined))
    for gone in ("app_uninstalled", "tokens_revoked", "team_access_revoked"):
        app.event(gone)(_leaving(entrances.left))
    # What nobody handles would be a 404, which Slack counts as a failure and sends again.
    app.event(_ANYTHING)(_ignore)
    app.action(_ANYTHING)(_interaction(lambda to: to.press))
    app.command(_ANYTHING)(_interaction(lambda to: to.command))
    app.view(_ANYTHING)(_window)


def _event(receiver: Callable[[Receivers], Receive]) -> Listener:
    async def listener(body: dict[str, Any], context: _Context) -> None:
        receiver(_workspace(context).receivers)(body)

    return listener


def _interaction(receiver: Callable[[Receivers], Receive]) -> Listener:
    async def listener(
        ack: Callable[[], Awaitable[Any]], body: dict[str, Any], context: _Context
    ) -> None:
        await ack()
        receiver(_workspace(context).receivers)(body)

    return listener


async def _window(
    ack: Callable[..., Awaitable[Any]], body: dict[str, Any], context: _Context
) -> None:
    receivers = _workspace(context).receivers
    wrong = receivers.check(body)
    await ack(**wrong)
    if not wrong:
        receivers.window(body)


def _leaving(left: Callable[[Tenant, Mapping[str, object]], None]) -> Listener:
    async def listener(body: dict[str, Any], context: _Context) -> None:
        left(_tenant(context), body)

    return listener


async def _ignore() -> None:
    return None


def _workspace(context: _Context) -> Workspace:
    return cast("Workspace", context[_WORKSPACE])


def _tenant(context: _Context) -> Tenant:
    return Tenant(
        team=context.team_id or "",
        enterprise=context.enterprise_id or "",
        for_all=bool(context.is_enterprise_install),
    )
