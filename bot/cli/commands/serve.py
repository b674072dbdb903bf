"""Serve the page, and Slack where its tokens are set."""

import asyncio
import signal
import webbrowser
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

import structlog
from aiohttp import web

from bot import logs
from bot.bootstrap import App, open_app
from bot.cli.arguments import number_from
from bot.cli.choosing import choose
from bot.cli.console import CONSOLE
from bot.http import web_application
from bot.platforms import Platform, platforms
from bot.settings import PageSettings, Settings
from core.domain.errors import SettingsInvalid, StateUnusable

log = structlog.get_logger()

_SECONDS_FOR_RUNS = 10.0
_SECONDS_FOR_READERS = 2.0
_SECONDS_BETWEEN_LOOKS = 60.0


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--connection", metavar="NAME|URL", help="the database asked by default")
    parser.add_argument(
        "--port", type=number_from(0, 65_535), help="instead of the one in the settings"
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")


def run(args: Namespace) -> int:
    chosen = choose(args.connection)
    settings = _with_port(chosen.settings, args.port)
    if chosen.connection:
        settings = settings.model_copy(update={"default_connection": chosen.connection})
    logs.configure(settings.log_level, terminal=CONSOLE.is_interactive)
    asyncio.run(_serve(settings, open_browser=args.open))
    return 0


async def _serve(settings: Settings, *, open_browser: bool) -> None:
    stop = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    async with open_app(settings) as app:
        served_too = list(platforms(app, CONSOLE.say))
        routes = [route for each in served_too for route in each.routes]
        served = web_application(app, routes)
        runner = web.AppRunner(served, access_log=None, shutdown_timeout=_SECONDS_FOR_READERS)
        await runner.setup()
        try:
            address = await _listen(runner, settings.page)
            CONSOLE.say(f"Resona answers at {address} (Ctrl-C stops it).")
            if open_browser:
                webbrowser.open(address)
            await _until(stop, app, served_too)
        finally:
            await runner.cleanup()


async def _until(stop: asyncio.Event, app: App, served_too: Sequence[Platform]) -> None:
    """Serve until it is time to stop; then give what runs some seconds to end."""
    async with asyncio.TaskGroup() as tasks:
        warming = tasks.create_task(app.warm())
        lapsing = tasks.create_task(_note_lapses(app))
        for each in served_too:
            tasks.create_task(each.run())
        await stop.wait()
        warming.cancel()
        lapsing.cancel()
        for each in served_too:
            each.closing.set()
        await app.turns.drain(_SECONDS_FOR_RUNS)


async def _note_lapses(app: App) -> None:
    """Keep the record of the questions that nobody answered in time."""
    while True:
        try:
            await app.turns.decisions.lapsed()
        except StateUnusable:
            log.warning("expired_questions_not_recorded", exc_info=True)
        await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)


async def _listen(runner: web.AppRunner, page: PageSettings) -> str:
    """Open the port and return the address to open in a browser.

    Raises:
        SettingsInvalid: the port is taken or may not be used.
    """
    site = web.TCPSite(runner, page.host, page.port)
    try:
        await site.start()
    except OSError as error:
        raise SettingsInvalid(
            f"Port {page.port} of {page.host} cannot be used ({error.strerror}). Choose another: "
            f"resona serve --port {page.port + 1}, or RESONA_PAGE__PORT={page.port + 1}."
        ) from error
    port = runner.addresses[0][1]
    host = f"[{page.host}]" if ":" in page.host else page.host
    query = "/?token=…" if page.token else ""
    return f"http://{host}:{port}{query}"


def _with_port(settings: Settings, port: int | None) -> Settings:
    if port is None:
        return settings
    return settings.model_copy(update={"page": settings.page.model_copy(update={"port": port})})
