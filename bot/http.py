"""The aiohttp application: the page and its API, for this machine or behind a token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import ParamSpec, TypeVar

from aiohttp import web

from adapters.web.doors import ConnectionLabel, PageState, TurnDeclined, WebDoors
from adapters.web.inbound import PLACE
from adapters.web.routes import routes
from adapters.web.secret_page import SecretAsked, SecretDoors, secret_routes
from bot.bootstrap import App
from bot.connecting import Connecting
from bot.connections import DEMO
from bot.demo.questions import QUESTIONS
from bot.turn_gate import Declined, Limited
from bot.typed_commands import start
from core.domain.ids import ActorId, WorkspaceId
from core.domain.people import Actor

Given = ParamSpec("Given")
Back = TypeVar("Back")

_LONGEST_BODY = 256 * 1024
# A browser that has not asked anything yet; what it is shown is for everybody on the page.
_ANYBODY = Actor(id=ActorId("page:"), workspace=WorkspaceId("page"), name="")


def web_application(app: App, platforms: Iterable[web.AbstractRouteDef] = ()) -> web.Application:
    """Return what a server serves; the token of the settings guards the page where one is set.

    The routes of `platforms` guard themselves.
    """
    token = app.settings.page.token
    served = web.Application(client_max_size=_LONGEST_BODY)
    served.add_routes(routes(_doors(app), token=token.get_secret_value() if token else None))
    if app.settings.page.public_url:
        served.add_routes(_secrets(app.connecting))
    served.add_routes(platforms)
    return served


def _doors(app: App) -> WebDoors:
    return WebDoors(
        start=_declining(partial(start, app.turns, app.commands)),
        decide=_declining(app.turns.decide),
        stop=app.turns.stop,
        state=lambda: _state(app),
        runs=app.outside.run_log,
        files=app.outside.files,
        clock=app.outside.clock,
    )


def _secrets(connecting: Connecting) -> list[web.RouteDef]:
    async def waiting(token: str) -> SecretAsked | None:
        attempt = await connecting.waiting(token)
        return attempt and SecretAsked(name=attempt.draft.name, place=attempt.draft.place)

    doors = SecretDoors(waiting=waiting, receive=connecting.receive)
    return secret_routes(doors, public_url=connecting.public_url)


def _declining(
    start: Callable[Given, Awaitable[Back]],
) -> Callable[Given, Awaitable[Back]]:
    """Say a declined turn in the page's own word for it."""

    async def started(*args: Given.args, **kwargs: Given.kwargs) -> Back:
        try:
            return await start(*args, **kwargs)
        except Limited as error:
            raise TurnDeclined(str(error), retry_after=error.retry_after) from error
        except Declined as error:
            raise TurnDeclined(str(error)) from error

    return started


async def _state(app: App) -> PageState:
    connections = app.outside.connections
    await connections.refresh()
    usable = app.turns.permits.usable(_ANYBODY, PLACE)
    default = connections.default_in(PLACE)
    return PageState(
        connections=tuple(
            ConnectionLabel(name=name, description=connections.known[name].description)
            for name in usable
        ),
        default_connection=default if default in usable else next(iter(usable), default),
        model=app.model.name,
        examples=QUESTIONS if default == DEMO else (),
    )
