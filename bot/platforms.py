"""The chat platforms that the settings name, loaded only when they are named."""

from __future__ import annotations

from asyncio import Event
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Protocol, cast

from aiohttp import web

from bot.bootstrap import App


class Platform(Protocol):
    """A chat platform while it is served.

    - `routes` are served beside the page; they guard themselves.
    - `run` ends when `closing` is set, or when its settings turn out to be of no use.
    """

    closing: Event

    @property
    def routes(self) -> list[web.AbstractRouteDef]: ...

    async def run(self) -> None: ...


Open = Callable[[App, Callable[[str], None]], Platform]


def platforms(app: App, say: Callable[[str], None]) -> Iterator[Platform]:
    """Give every platform that has settings; `say` tells whoever runs the bot how it goes."""
    if app.settings.slack is not None:
        # Its framework takes a second to load, which those without Slack need not wait for.
        yield cast("Open", import_module("bot.slack").open_slack)(app, say)
