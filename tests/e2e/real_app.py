"""The whole application behind the page: demo database, offline analyst, real charts."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp.test_utils import TestServer

from bot.bootstrap import open_app
from bot.http import web_application
from bot.settings import Settings
from tests.kit.demo import place_demo


@asynccontextmanager
async def serve_application(state_dir: Path) -> AsyncGenerator[str]:
    """Serve it and give its address."""
    place_demo(state_dir)
    async with open_app(Settings(state_dir=state_dir)) as app:
        server = TestServer(web_application(app))
        await server.start_server()
        try:
            yield str(server.make_url("/"))
        finally:
            await server.close()
