import pytest
from playwright.async_api import expect

from core.domain.decisions import Approved, Choice, Clarified
from tests.e2e.conftest import OpenPage
from tests.e2e.steps import address, ask
from tests.kit.page_client import serve_page
from tests.kit.scripted_doors import ScriptedDoors

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.browser]


async def test_a_clarification_goes_on_with_the_option_that_was_pressed(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with serve_page(scripted) as client, open_page(address(client)) as page:
        await ask(page, "an unclear one")
        await page.click("text=Units sold")

        await expect(page.locator(".finding")).to_contain_text("You wanted Units sold.")
        await expect(page.locator(".chosen")).to_have_text("You chose: Units sold")
        [answer] = scripted.decisions
        assert isinstance(answer, Clarified)
        assert answer.actor == scripted.asked[0].actor.id

        await page.reload()
        await expect(page.locator(".finding")).to_contain_text("You wanted Units sold.")
        await expect(page.locator(".chosen")).to_have_text("You chose: Units sold")


async def test_a_clarification_may_be_answered_in_own_words_even_after_a_reload(
    open_page: OpenPage,
):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "an unclear one")
        await expect(page.locator(".decision")).to_be_visible()
        await page.reload()

        await page.fill(".own-words input", "profit")
        await page.press(".own-words input", "Enter")

        await expect(page.locator(".finding")).to_contain_text("You wanted profit.")


async def test_a_decision_that_somebody_else_made_is_told_so(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with (
        serve_page(scripted) as client,
        open_page(address(client), expected=("409",)) as page,
    ):
        await ask(page, "an unclear one")
        await expect(page.locator(".decision")).to_be_visible()
        scripted.forget()

        await page.click("text=Margin")

        await expect(page.locator(".warning")).to_contain_text("answered already")


async def test_an_expensive_query_waits_for_a_yes(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with serve_page(scripted) as client, open_page(address(client)) as page:
        await ask(page, "an expensive one")

        await expect(page.locator(".estimate")).to_contain_text("82M")
        await expect(page.locator(".estimate")).to_contain_text("61 GB")
        await page.click("text=Try something cheaper")

        await expect(page.locator(".finding")).to_contain_text("You wanted cheaper.")
        [answer] = scripted.decisions
        assert isinstance(answer, Approved)
        assert answer.choice is Choice.CHEAPER
