from pathlib import Path

import pytest
from aiohttp.test_utils import TestServer
from playwright.async_api import expect

from bot.bootstrap import open_app
from bot.http import web_application
from bot.settings import Settings
from core.domain.connection_draft import ConnectionDraft
from core.domain.ids import ActorId, WorkspaceId
from core.domain.people import Actor, Place
from tests.e2e.conftest import OpenPage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.browser]

CHIEF = Actor(id=ActorId("slack:T1:U1"), workspace=WorkspaceId("slack:T1"), name="Ann")
HERE = Place(platform="slack", channel="C1", workspace="T1", shared=True)
DRAFT = ConnectionDraft(name="sales", host="127.0.0.1", port="1", database="shop", user="reader")
HUSH = "typed-by-hand & <b>"


@pytest.mark.parametrize("dark", [False, True])
async def test_a_password_is_typed_hidden_sent_once_and_the_page_is_done(
    open_page: OpenPage, tmp_path: Path, *, dark: bool
):
    settings = Settings.model_validate(
        {
            "state_dir": tmp_path,
            "page": {"public_url": "https://resona.example"},
            "people": {"admins": [CHIEF.id]},
        }
    )
    async with open_app(settings) as app:
        server = TestServer(web_application(app))
        await server.start_server()
        link = await app.connecting.begin(DRAFT, CHIEF, HERE)
        address = str(server.make_url(link.removeprefix("https://resona.example")))
        async with open_page(address, dark=dark, expected=("404",)) as page:
            await expect(page.get_by_role("heading")).to_have_text("Password of sales")
            await expect(page.locator("main")).to_contain_text("shop on 127.0.0.1, as reader")
            field = page.get_by_label("Password")
            await expect(field).to_have_attribute("type", "password")
            await expect(field).to_be_focused()
            await page.keyboard.type(HUSH)
            await page.keyboard.press("Enter")
            await expect(page.get_by_role("heading")).to_have_text("Thank you")
            assert HUSH not in await page.content()
            await page.goto(address)
            await expect(page.get_by_role("heading")).to_have_text("This link is used up")
        await app.connecting.settled()
        await server.close()
