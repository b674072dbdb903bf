"""Resona as a process of its own in a workspace of the strict Slack, to be killed and restarted."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.chat import ChatReply
from tests.kit.openai_server import OpenAIServer
from tests.kit.openai_stage import as_sent
from tests.kit.patience import PATIENCE
from tests.kit.slack_server import SlackServer, slack_server
from tests.kit.slack_things import Message
from tests.kit.slack_world import APP_TOKEN, BOT_TOKEN, SlackWorld

_ROOT = Path(__file__).parents[2]


@dataclass(slots=True, kw_only=True)
class Scene:
    """A workspace, a model that says what it is told, and what processes share."""

    slack: SlackServer
    model: OpenAIServer
    folder: Path
    processes: list[asyncio.subprocess.Process] = field(
        default_factory=list[asyncio.subprocess.Process]
    )

    @property
    def world(self) -> SlackWorld:
        return self.slack.world

    def model_says(self, *replies: ChatReply | str) -> None:
        for each in replies:
            self.model.queue(as_sent(ChatReply(text=each) if isinstance(each, str) else each))

    async def start(self, **settings: str) -> asyncio.subprocess.Process:
        """Start a process and wait until it is there for Slack."""
        sockets = self.slack.opened
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot.cli.main", "serve", "--port", "0"),
            cwd=_ROOT,
            env=self._environment(settings),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        self.processes.append(process)
        await self.until(lambda _: self.slack.opened > sockets)
        return process

    async def kill(self, process: asyncio.subprocess.Process) -> None:
        """End a process with no chance to say anything, and let the time pass that shows it."""
        process.kill()
        await process.wait()
        with closing(sqlite3.connect(self.folder / "state.sqlite")) as database:
            database.execute("UPDATE processes SET seen_at = '2000-01-01'")
            database.commit()

    async def until(self, holds: Callable[[SlackWorld], bool]) -> None:
        async with asyncio.timeout(PATIENCE), self.world.changed:
            await self.world.changed.wait_for(lambda: holds(self.world))

    async def until_shown(self, words: str) -> Message:
        """Wait until the bot has written these words, and return the message."""
        await self.until(lambda world: any(words in each.words for each in world.seen()))
        return next(each for each in self.world.seen() if words in each.words)

    def _environment(self, settings: dict[str, str]) -> dict[str, str]:
        given = {
            "state_dir": str(self.folder),
            "slack__bot_token": BOT_TOKEN,
            "slack__app_token": APP_TOKEN,
            "slack__base_url": self.slack.api,
            "model__provider": "openai_protocol",
            "model__model": "scripted",
            "model__base_url": self.model.url,
            "connections__shop__url": str(self.folder / "shop.sqlite"),
            **settings,
        }
        named = {f"RESONA_{name.upper()}": each for name, each in given.items()}
        return {"PATH": os.defpath, **named}


@asynccontextmanager
async def scene(folder: Path) -> AsyncGenerator[Scene]:
    """Set everything up but the process; leaving ends those that still run."""
    with closing(sqlite3.connect(folder / "shop.sqlite")) as database:
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL)")
        database.executemany("INSERT INTO orders (amount) VALUES (?)", [(1.0,), (2.5,)])
        database.commit()
    async with slack_server() as slack, OpenAIServer() as model:
        made = Scene(slack=slack, model=model, folder=folder)
        try:
            yield made
        finally:
            for process in made.processes:
                if process.returncode is None:
                    process.send_signal(signal.SIGKILL)
                    await process.wait()
