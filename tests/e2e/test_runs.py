from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from playwright.async_api import expect

from adapters.inmemory.run_log import InMemoryRunLog
from core.domain.events import Event
from core.domain.ids import RunId
from tests.e2e.conftest import OpenPage
from tests.e2e.steps import address, ask
from tests.kit.page_client import serve_page
from tests.kit.scripted_doors import ScriptedDoors

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.browser]


@dataclass(slots=True)
class CutRunLog(InMemoryRunLog):
    """Cuts the first readers off after two events each."""

    cuts: list[int] = field(default_factory=list[int])

    async def follow(self, run: RunId, *, after: int = 0) -> AsyncIterator[tuple[int, Event]]:
        given = 0
        async for position, event in InMemoryRunLog.follow(self, run, after=after):
            if given == 2 and len(self.cuts) < 2:
                self.cuts.append(position)
                raise ConnectionResetError("the network broke")
            given += 1
            yield position, event


async def test_progress_changes_in_place_and_a_run_can_be_stopped(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with serve_page(scripted) as client, open_page(address(client)) as page:
        await ask(page, "a slow one")

        await expect(page.locator(".step.done")).to_contain_text("Reading three tables")
        await expect(page.locator(".status")).to_have_text("Thinking")
        await expect(page.locator("#send")).to_be_hidden()
        await page.click("#stop")

        await expect(page.locator(".stopped")).to_contain_text("Stopped.")
        await expect(page.locator("#send")).to_be_visible()
        assert len(scripted.stopped) == 1


async def test_a_reload_comes_back_to_the_run_and_to_the_thread(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with serve_page(scripted) as client, open_page(address(client)) as page:
        await ask(page, "top products")
        await expect(page.locator(".context")).to_have_count(1)
        await ask(page, "a slow one")
        await expect(page.locator(".status")).to_have_text("Thinking")

        await page.reload()
        await expect(page.locator(".asked")).to_have_text(["top products", "a slow one"])
        await expect(page.locator(".context")).to_have_count(1)
        await expect(page.locator(".status")).to_have_text("Thinking")
        scripted.go_on.set()

        await expect(page.locator(".context")).to_have_count(2)
        assert len(scripted.asked) == 2
        assert {message.thread for message in scripted.asked} == {scripted.asked[0].thread}


async def test_an_answer_that_is_no_longer_kept_can_be_asked_for_again(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with (
        serve_page(scripted) as client,
        open_page(address(client), expected=("404",)) as page,
    ):
        await ask(page, "top products")
        await expect(page.locator(".context")).to_have_count(1)
        scripted.forget()

        await page.reload()
        await expect(page.locator(".warning")).to_contain_text("no longer kept")
        await page.click("button:text-is('Ask again')")

        await expect(page.locator(".context")).to_have_count(1)
        await expect(page.locator(".asked")).to_have_count(1)


async def test_a_connection_that_breaks_is_taken_up_where_it_was(open_page: OpenPage):
    log = CutRunLog()
    async with (
        serve_page(ScriptedDoors(runs=log)) as client,
        open_page(address(client), expected=("ERR_INCOMPLETE_CHUNKED_ENCODING",)) as page,
    ):
        await ask(page, "top products")

        await expect(page.locator(".context")).to_have_count(1)
        await expect(page.locator(".finding strong").first).to_have_text("Network Switch")
        assert len(log.cuts) == 2


async def test_over_the_limit_the_question_is_kept_until_it_may_be_asked(open_page: OpenPage):
    scripted = ScriptedDoors(limited=1)
    async with (
        serve_page(scripted) as client,
        open_page(address(client), expected=("429",)) as page,
    ):
        await ask(page, "top products")

        await expect(page.locator(".warning")).to_contain_text("too many questions")
        await expect(page.locator("text=/Try again in \\d s/")).to_be_disabled()
        await page.click("button:text-is('Try again')")

        await expect(page.locator(".context")).to_have_count(1)
        await expect(page.locator(".asked")).to_have_text(["top products"])


async def test_a_failure_is_one_sentence_and_another_try(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "a broken one")

        await expect(page.locator(".failure")).to_have_text("The database did not answer.")
        await expect(page.locator(".error-id")).to_contain_text("4f1c09aa")
        await expect(page.locator("button:text-is('Ask again')")).to_be_visible()


async def test_a_new_line_is_not_yet_a_question(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with serve_page(scripted) as client, open_page(address(client)) as page:
        await page.fill("#question", "top products")
        await page.press("#question", "Shift+Enter")
        await page.keyboard.type("by region")
        await page.press("#question", "Enter")

        await expect(page.locator(".context")).to_have_count(1)
        assert scripted.asked[0].text == "top products\nby region"


async def test_threads_are_listed_opened_and_removed(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with serve_page(scripted) as client, open_page(address(client)) as page:
        await page.select_option("#connection", "warehouse")
        await ask(page, "top products")
        await expect(page.locator(".context")).to_have_count(1)
        await page.click("#new-thread")
        await expect(page.locator("#welcome")).to_be_visible()
        await ask(page, "another thing")
        await expect(page.locator(".thread")).to_have_text(["another thing", "top products"])

        await page.click(".thread:text-is('top products')")
        await expect(page.locator(".asked")).to_have_text(["top products"])
        await expect(page.locator("#connection")).to_have_value("warehouse")
        await page.click("button[aria-label='Remove “top products” from this list']")

        await expect(page.locator(".thread")).to_have_text(["another thing"])
        await expect(page.locator("#welcome")).to_be_visible()
        assert [message.connection for message in scripted.asked] == ["warehouse", "demo"]


async def test_two_tabs_keep_each_others_threads_and_show_each_others_turns(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with serve_page(scripted) as client, open_page(address(client)) as one:
        await ask(one, "top products")
        await expect(one.locator(".context")).to_have_count(1)
        other = await one.context.new_page()
        await other.goto(one.url)
        await expect(other.locator(".context")).to_have_count(1)

        await ask(other, "a slow one")
        await expect(one.locator(".asked")).to_have_text(["top products", "a slow one"])
        await expect(one.locator(".status")).to_have_text("Thinking")
        await expect(one.locator("#stop")).to_be_visible()
        scripted.go_on.set()
        await expect(one.locator(".context")).to_have_count(2)
        await one.click("#new-thread")
        await ask(one, "another thing")

        await expect(other.locator(".thread")).to_have_text(["another thing", "top products"])
        await expect(other.locator(".asked")).to_have_text(["top products", "a slow one"])
        assert len(scripted.asked) == 3


async def test_what_one_tab_decides_goes_on_in_the_other(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with serve_page(scripted) as client, open_page(address(client)) as one:
        await ask(one, "an expensive one")
        await expect(one.locator(".approval")).to_be_visible()
        other = await one.context.new_page()
        await other.goto(one.url)
        await expect(other.locator(".approval")).to_be_visible()

        await other.click("text=Approve")

        await expect(one.locator(".chosen")).to_have_text("You chose: Approve")
        await expect(one.locator(".context")).to_have_count(1)
        assert len(scripted.decisions) == 1


async def test_a_question_that_is_too_long_goes_back_to_be_shortened(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with (
        serve_page(scripted) as client,
        open_page(address(client), expected=("400",)) as page,
    ):
        await ask(page, "x" * 10_000)
        await expect(page.locator(".warning")).to_contain_text("10,000 characters")
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await page.click("text=Edit the question")

        await expect(page.locator("#question")).to_be_focused()
        await expect(page.locator("#question")).to_have_value("x" * 10_000)
        await expect(page.locator(".turn")).to_have_count(0)
        await expect(page.locator(".thread")).to_have_count(0)
        await ask(page, "top products")
        await expect(page.locator(".context")).to_have_count(1)
