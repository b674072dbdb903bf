"""Connecting a database from the strict Slack: a real server, the page, a browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

from adapters.inmemory.chat_model import Step
from bot.http import web_application
from tests.kit.patience import PATIENCE
from tests.kit.servers import a_name, postgres_database
from tests.kit.slack_commands import sends_off, types
from tests.kit.slack_stage import Stage, slack_stage
from tests.kit.slack_world import TEAM, Message

Json = dict[str, Any]

CHIEF = f"slack:{TEAM}:U1"
PUBLIC = "https://resona.example"
# With what an address, a log and JSON would each change in it.
HUSH = 'k3pt/@:% "quoted" ü'
READER, WRITER = a_name(), a_name()
_SCRIPT = (
    "CREATE TABLE books (id int PRIMARY KEY, title text)",
    "INSERT INTO books VALUES (1, 'One'), (2, 'Two')",
    "CREATE TABLE loans (id int PRIMARY KEY, book int REFERENCES books)",
    *(f"CREATE ROLE {name} LOGIN PASSWORD '{HUSH}'" for name in (READER, WRITER)),
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    "DO $$BEGIN EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());"
    " END$$",
    f"GRANT SELECT ON books, loans TO {READER}, {WRITER}",
    f"GRANT INSERT ON loans TO {WRITER}",
)


@contextmanager
def a_library() -> Generator[str]:
    """Give the URL of a database with a login that may only read and one that may write."""
    with postgres_database(*_SCRIPT, logins=(READER, WRITER)) as url:
        yield url


@dataclass(slots=True)
class ConnectStage:
    """`library` is the database; `page` is where this process serves its page."""

    stage: Stage
    page: str
    library: str

    @property
    def fields(self) -> dict[str, str]:
        """Return what is typed into the form to reach the library."""
        parts = urlsplit(self.library)
        return {
            "name": "library",
            "host": parts.hostname or "",
            "port": str(parts.port or 5432),
            "database": parts.path[1:],
            "user": READER,
            "encrypted": "no",
        }

    async def form(self, text: str = "connect", user: str = "U1") -> Json:
        """Ask for the form and return it."""
        before = len(self.stage.world.views)
        await types(self.stage.slack, user, text)
        await self.stage.world.until(lambda world: len(world.views) > before)
        return self.stage.world.views[-1]

    async def send_off(self, view: Json, **changes: str) -> Json:
        """Send a form off, and return what it was acknowledged with."""
        id = f"V{next(at for at, each in enumerate(self.stage.world.views, 1) if each is view)}"
        return await sends_off(self.stage.slack, "U1", view, {**self.fields, **changes}, id=id)

    async def link(self, **changes: str) -> str:
        """Fill the form in, and return the token of the link that comes of it."""
        return await self.link_of(await self.form(), **changes)

    async def link_of(self, view: Json, **changes: str) -> str:
        before = len(self._links())
        assert await self.send_off(view, **changes) == {}
        async with asyncio.timeout(PATIENCE):
            await self.stage.world.until(lambda _: len(self._links()) > before)
        return self.token(self._links()[-1])

    def _links(self) -> list[Message]:
        """Return what holds a link, in its order: whispered in a channel, or written directly."""
        return [each for each in self.stage.world.messages if "Type the password" in each.words]

    def token(self, message: Message) -> str:
        [opening] = message.buttons()
        address = str(opening["url"])
        assert address.startswith(f"{PUBLIC}/secrets/")
        return address.rpartition("/")[2]

    async def type(self, token: str, secret: str = HUSH) -> int:
        """Type a password at the page behind a link, and return the page's status."""
        async with (
            aiohttp.ClientSession(headers={"Host": "resona.example"}) as browser,
            browser.post(f"{self.page}/secrets/{token}", data={"secret": secret}) as response,
        ):
            return response.status

    async def look(self, token: str) -> tuple[int, str]:
        async with (
            aiohttp.ClientSession(headers={"Host": "resona.example"}) as browser,
            browser.get(f"{self.page}/secrets/{token}") as response,
        ):
            return response.status, await response.text()

    async def connect(self, **changes: str) -> Message:
        """Go the whole way, and return the message that says how it ended."""
        return await self.connect_by(await self.form(), **changes)

    async def connect_by(self, view: Json, **changes: str) -> Message:
        await self.type(await self.link_of(view, **changes))
        await self.stage.app.connecting.settled()
        await self.stage.settled()
        return next(each for each in reversed(self.stage.world.seen()) if each.channel == "D1")


@asynccontextmanager
async def connect_stage(
    tmp: Path, library: str, *script: Step, more: Mapping[str, object] | None = None
) -> AsyncGenerator[ConnectStage]:
    settings = {
        "people": {"admins": [CHIEF]},
        "page": {"public_url": PUBLIC},
        "connections": {},
        **(more or {}),
    }
    async with slack_stage(tmp, *script, more=settings) as stage:
        runner = web.AppRunner(web_application(stage.app), access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            port = runner.addresses[0][1]
            yield ConnectStage(stage, f"http://127.0.0.1:{port}", library)
            async with asyncio.timeout(PATIENCE):
                await stage.app.connecting.settled()
        finally:
            await runner.cleanup()
