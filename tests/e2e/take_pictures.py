"""Takes the pictures of the documents: python -m tests.e2e.take_pictures."""

import asyncio
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import Browser, async_playwright

from tests.e2e.conftest import FLAGS, NAMES
from tests.e2e.real_app import serve_application

IMAGES = Path(__file__).parents[2] / "docs" / "images"
QUESTION = "top 5 products by revenue in 2024"


async def take_all() -> None:
    path = next(found for name in NAMES if (found := shutil.which(name)))
    IMAGES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        async with (
            serve_application(Path(folder)) as address,
            async_playwright() as playwright,
        ):
            browser = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
            await take(browser, address, "page-light.png", dark=False)
            await take(browser, address, "page-dark.png", dark=True)
            await browser.close()


async def take(browser: Browser, address: str, name: str, *, dark: bool) -> None:
    context = await browser.new_context(
        color_scheme="dark" if dark else "light", viewport={"width": 1200, "height": 900}
    )
    page = await context.new_page()
    await page.goto(address)
    await page.fill("#question", QUESTION)
    await page.press("#question", "Enter")
    await page.locator(".context").wait_for(timeout=60_000)
    await page.locator(".chart img").evaluate("each => each.decode()")
    await page.locator("#question").blur()
    await page.screenshot(path=IMAGES / name, animations="disabled")
    await context.close()


if __name__ == "__main__":
    asyncio.run(take_all())
