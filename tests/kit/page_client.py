"""The page's routes behind a real server, with scripted doors."""

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from adapters.web.routes import routes
from tests.kit.scripted_doors import ScriptedDoors

Client = TestClient[web.Request, web.Application]


def serve_page(scripted: ScriptedDoors, *, token: str | None = None) -> Client:
    app = web.Application()
    app.add_routes(routes(scripted.doors(), token=token, heartbeat=0.05))
    return TestClient(TestServer(app))
