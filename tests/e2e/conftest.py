from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.kit.patience import PATIENCE
from tests.kit.servers import left_out

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LOUD = {"error", "warning"}
NAMES = ("chromium", "chromium-browser", "google-chrome")


expect.set_options(timeout=1000 * PATIENCE)
OpenPage = Callable[..., AbstractAsyncContextManager[Page]]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        left_out("the browser", "no Chromium is installed")
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield opened
        await opened.close()


@pytest.fixture
def open_page(browser: Browser) -> OpenPage:
    """Open a page in a browser of its own; it fails the test when the page complains."""

    @asynccontextmanager
    async def opened(
        url: str, *, dark: bool = False, width: int = 1280, expected: tuple[str, ...] = ()
    ) -> AsyncGenerator[Page]:
        complaints: list[str] = []
        context = await browser.new_context(
            color_scheme="dark" if dark else "light", viewport={"width": width, "height": 860}
        )
        context.set_default_timeout(1000 * PATIENCE)
        page = await context.new_page()
        page.on(
            "console",
            lambda said: complaints.append(said.text) if said.type in LOUD else None,
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(url)
        yield page
        await context.close()
        assert not [each for each in complaints if not any(word in each for word in expected)]

    return opened


@pytest.fixture
def pictures() -> Path:
    return Path(__file__).parents[2] / "docs" / "images"
