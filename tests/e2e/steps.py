"""What a reader does on the page."""

from playwright.async_api import Page

from tests.kit.page_client import Client


async def ask(page: Page, question: str) -> None:
    await page.fill("#question", question)
    await page.press("#question", "Enter")


def address(client: Client) -> str:
    return str(client.make_url("/"))
