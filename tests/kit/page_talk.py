"""Questions asked of a whole application over the page's own HTTP interface."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

import orjson
from aiohttp import ClientResponse, web
from aiohttp.test_utils import TestClient, TestServer

from bot.bootstrap import open_app
from bot.http import web_application
from bot.settings import Settings
from core.domain.chat import Json, JsonObject

Client = TestClient[web.Request, web.Application]
_ENDS = frozenset({"turn_finished", "turn_paused", "turn_failed"})


@dataclass(frozen=True, slots=True)
class PageTalk:
    """One thread of one reader; every call returns the event that ended the run."""

    client: Client
    thread: str = "one"

    async def ask(self, question: str, *, connection: str | None = None) -> JsonObject:
        body: dict[str, Json] = {"question": question, "thread": self.thread}
        if connection is not None:
            body["connection"] = connection
        return await self._end(await self.client.post("/api/turns", json=body))

    async def choose(self, asked: JsonObject, text: str) -> JsonObject:
        """Answer the question that a run has ended with."""
        decision = cast("JsonObject", asked["decision"])
        body = {"decision": decision["id"], "text": text}
        return await self._end(await self.client.post("/api/decisions", json=body))

    async def _end(self, response: ClientResponse) -> JsonObject:
        assert response.status == 200, await response.text()
        lines = (await response.text()).splitlines()
        sent = [orjson.loads(each[5:]) for each in lines if each.startswith("data:")]
        [end] = [each for each in sent if each.get("kind") in _ENDS]
        return end


@asynccontextmanager
async def page_of(settings: Mapping[str, object]) -> AsyncGenerator[PageTalk]:
    """Open the application over its state folder, serve the page, and close it again."""
    async with (
        open_app(Settings.model_validate(settings)) as app,
        TestClient(TestServer(web_application(app))) as client,
    ):
        yield PageTalk(client)
