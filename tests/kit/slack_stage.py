"""Resona in a workspace of the strict Slack: the real service, a scripted model, a small shop."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, closing, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson
from aiohttp import web

from adapters.inmemory.chart_renderer import InMemoryCharts
from adapters.inmemory.chat_model import ScriptedModel, Step
from adapters.inmemory.file_store import InMemoryFileStore
from adapters.slack.oauth import REDIRECT_PATH
from adapters.slack.transports import PATH
from bot.bootstrap import App, open_app
from bot.settings import Settings
from bot.slack import SlackService, open_slack
from bot.turns import Turns
from core.domain.chat import ChatReply, ToolCall
from core.domain.ids import ToolCallId, fresh_id
from core.ports.clock import Clock
from tests.kit.patience import PATIENCE
from tests.kit.slack_installs import CLIENT_ID, CLIENT_SECRET
from tests.kit.slack_server import SlackServer, slack_server
from tests.kit.slack_things import Message
from tests.kit.slack_world import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, SlackWorld

INTENT = orjson.dumps({"primary_intent": "analyze", "confidence": 1.0}).decode()


def calling(tool: str, **arguments: object) -> ChatReply:
    call = ToolCall(ToolCallId(fresh_id()), tool, orjson.dumps(arguments).decode())
    return ChatReply(text="", tool_calls=(call,))


@dataclass(slots=True, kw_only=True)
class Stage:
    """`said` is what whoever runs the bot was told."""

    slack: SlackServer
    model: ScriptedModel
    turns: Turns
    service: SlackService
    app: App
    said: list[str] = field(default_factory=list[str])

    @property
    def world(self) -> SlackWorld:
        return self.slack.world

    async def until_shown(
        self, words: str, *, ephemeral: bool = False, world: SlackWorld | None = None
    ) -> Message:
        """Wait until the bot has written these words, and return the message."""
        where = world or self.world

        def found() -> Message | None:
            shown = [m for m in where.seen(ephemeral=ephemeral) if words in m.words]
            return next((m for m in shown if not m.streaming), None)

        async with asyncio.timeout(PATIENCE):
            await self.world.until(lambda _: found() is not None)
        message = found()
        assert message is not None
        return message

    async def settled(self, seconds: float = PATIENCE) -> None:
        """Wait until nothing that was begun is going on any more."""
        async with asyncio.timeout(seconds):
            while self.service.at_work:
                await asyncio.wait(self.service.at_work)
            await self.app.connecting.settled()


def oauth_settings() -> dict[str, object]:
    """Return what lets several workspaces install the app, over what a single one needs."""
    return {
        "bot_token": None,
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "workspaces": "*",
    }


def slack_settings(slack: SlackServer, mode: str) -> dict[str, object]:
    secrets = {
        "bot_token": BOT_TOKEN,
        "app_token": APP_TOKEN,
        "signing_secret": SIGNING_SECRET,
    }
    return {**secrets, "mode": mode, "base_url": slack.api}


@asynccontextmanager
async def slack_stage(
    tmp: Path,
    *script: Step,
    mode: str = "socket",
    burst: int = 100,
    most_rows: int | None = None,
    slack_more: Mapping[str, object] | None = None,
    rights: Mapping[str, object] | None = None,
    more: Mapping[str, object] | None = None,
    slack: SlackServer | None = None,
    clock: Clock | None = None,
) -> AsyncGenerator[Stage]:
    """Open the service; leaving waits until what was begun has ended.

    slack: the one of a service before this one, for a restart
    most_rows: queries that would read more wait for a person
    rights: of the connection, which is called `shop`
    more: further settings
    """
    async with nullcontext(slack) if slack else slack_server() as slack:
        settings = Settings.model_validate(
            {
                "state_dir": tmp,
                "slack": {**slack_settings(slack, mode), **(slack_more or {})},
                "connections": {"shop": {**_shop_settings(tmp, most_rows), "rights": rights or {}}},
                "limits": {"questions_per_minute": 1, "burst": burst},
                **(more or {}),
            }
        )
        async with open_app(settings) as app:
            model, said = ScriptedModel(script), list[str]()
            app.turns.outside = replace(
                app.turns.outside,
                model=model,
                charts=InMemoryCharts(),
                files=InMemoryFileStore(),
                clock=clock or app.turns.outside.clock,
            )
            service = open_slack(app, said.append)
            async with served(service, slack):
                yield Stage(
                    slack=slack,
                    model=model,
                    turns=app.turns,
                    service=service,
                    app=app,
                    said=said,
                )
                await app.turns.drain(5)


@asynccontextmanager
async def served(service: SlackService, slack: SlackServer) -> AsyncGenerator[None]:
    """Run a service beside its routes until the block is left."""
    runner = await _routes(service, slack)
    try:
        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(service.run())
            entered = tasks.create_task(service.entered.wait())
            await asyncio.wait({running, entered}, return_when=asyncio.FIRST_COMPLETED)
            if service.settings.mode == "socket" and not running.done():
                await slack.world.until(lambda _: bool(slack.sockets))
            yield
            service.closing.set()
            entered.cancel()
    finally:
        await runner.cleanup()


async def _routes(service: SlackService, slack: SlackServer) -> web.AppRunner:
    app = web.Application()
    app.add_routes(service.routes)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    slack.http_address = f"{address}{PATH}" if service.settings.mode == "http" else ""
    slack.install.back = f"{address}{REDIRECT_PATH}"
    return runner


def _shop_settings(tmp: Path, most_rows: int | None) -> dict[str, object]:
    thresholds = {} if most_rows is None else {"thresholds": {"rows": most_rows}}
    return {"url": str(_shop(tmp / "shop.sqlite")), **thresholds}


def _shop(path: Path) -> Path:
    """Make the shop, unless a service was here before."""
    if path.exists():
        return path
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL, region TEXT)")
        database.executemany(
            "INSERT INTO orders (amount, region) VALUES (?, ?)",
            [(1.0, "north"), (2.5, "south & <!channel>")],
        )
        database.commit()
    return path
