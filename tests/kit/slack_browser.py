"""Resona as an app that workspaces install, and a browser that goes through an install."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

from adapters.inmemory.chat_model import Step
from adapters.slack.oauth import INSTALL_PATH
from tests.kit.slack_stage import Stage, oauth_settings, slack_stage


@asynccontextmanager
async def installable(
    tmp: Path, *script: Step, mode: str = "http", more: Mapping[str, object] | None = None
) -> AsyncGenerator[Stage]:
    settings = {**oauth_settings(), **(more or {})}
    async with slack_stage(tmp, *script, mode=mode, slack_more=settings) as opened:
        yield opened


class Browser:
    """Goes from the app to Slack's consent page and back, with the cookies that it was given."""

    def __init__(self, here: Stage) -> None:
        self.back = here.slack.install.back
        self.cookies: dict[str, str] = {}

    async def get(self, url: str) -> tuple[int, str, str]:
        """Return status, where it leads on, and the text."""
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": kept} if kept else {}
        async with (
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
            session.get(url, headers=headers, allow_redirects=False) as response,
        ):
            self.cookies |= {name: each.value for name, each in response.cookies.items()}
            return response.status, response.headers.get("Location", ""), await response.text()

    async def consented(self) -> str:
        """Begin an install, let the app in, and return the address that Slack sends back to."""
        begin = self.back.rpartition("/slack/")[0] + INSTALL_PATH
        status, consent, _ = await self.get(begin)
        assert status == 302
        _, back, _ = await self.get(consent)
        return back

    async def installs(self) -> tuple[int, str]:
        status, _, text = await self.get(await self.consented())
        return status, text
