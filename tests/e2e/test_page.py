from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from playwright.async_api import Page, expect

from adapters.inmemory.run_log import InMemoryRunLog
from core.domain.decisions import Approved, Choice, Clarified
from core.domain.events import Event
from core.domain.ids import RunId
from tests.e2e.conftest import OpenPage
from tests.kit.page_client import Client, serve_page
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


async def ask(page: Page, question: str) -> None:
    await page.fill("#question", question)
    await page.press("#question", "Enter")


def address(client: Client) -> str:
    return str(client.make_url("/"))


async def test_an_answer_shows_finding_chart_table_and_what_it_rests_on(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await page.click("text=Top 5 products by revenue in 2024")

        turn = page.locator(".turn")
        await expect(turn.locator(".finding strong").first).to_have_text("Network Switch")
        await expect(turn.locator(".finding")).to_contain_text("<script>alert(1)</script>")
        await expect(turn.locator(".warning")).to_contain_text("4,800 units")
        await expect(turn.locator(".chart img")).to_have_attribute(
            "alt", "Bar chart of revenue by product; highest Network Switch, 1,335,208.75."
        )
        await expect(turn.locator("tbody tr")).to_have_count(10)
        await expect(turn.locator("tbody tr").first).to_contain_text("1,335,208.75")
        await expect(turn.locator("tbody tr").first).to_contain_text("9.7%")
        await expect(turn.locator(".context")).to_have_text(
            "demo60 rows0.8 soffline/analyst$0.0042"
        )
        await expect(turn.locator(".assumptions li")).to_have_count(2)
        await expect(turn.locator(".sql")).to_be_hidden()
        assert await turn.locator(".chart img").evaluate("each => each.naturalWidth") == 640
        assert await turn.locator("script").count() == 0


async def test_a_table_is_sorted_by_its_heads_and_shown_whole_on_request(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "top products")
        await page.click("text=Show 12 of them")
        head = page.locator("th", has_text="units")

        await head.locator("button").click()
        await expect(head).to_have_attribute("aria-sort", "descending")
        await expect(page.locator("tbody tr").first).to_contain_text("4,419")
        await expect(page.locator("tbody tr").last).to_contain_text("Locker Unit")

        await head.locator("button").click()
        await expect(head).to_have_attribute("aria-sort", "ascending")
        await expect(page.locator("tbody tr").first).to_contain_text("702")
        await expect(page.locator("tbody tr").last).to_contain_text("Locker Unit")


async def test_the_whole_result_can_be_downloaded(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "top products")

        async with page.expect_download() as coming:
            await page.click("text=Download CSV")

        download = await coming.value
        assert download.suggested_filename == "top_products.csv"


async def test_sql_and_steps_stand_behind_one_click(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "top products")
        await page.locator("summary", has_text="SQL").click()
        await page.locator("summary", has_text="How I got there").click()

        await expect(page.locator(".sql pre")).to_contain_text("SELECT products.name AS product")
        await expect(page.locator(".step")).to_have_count(2)
        await expect(page.locator(".step.failed")).to_contain_text("Adding up revenue")
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await page.click("text=Copy")
        await expect(page.locator("text=Copied")).to_be_visible()
        copied = await page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("SELECT products.name")
        assert "\n" not in copied


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
        assert log.cuts == [3, 5]


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


async def test_a_suggestion_asks_on_in_the_same_thread(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with serve_page(scripted) as client, open_page(address(client)) as page:
        await ask(page, "top products")
        await page.click("text=Only Spain")

        await expect(page.locator(".context")).to_have_count(2)
        assert [message.text for message in scripted.asked] == ["top products", "Only Spain"]
        assert scripted.asked[0].thread == scripted.asked[1].thread


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


async def test_the_chart_is_enlarged_and_closed_by_keyboard(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "top products")
        await page.focus(".chart button")

        await page.keyboard.press("Enter")
        await expect(page.locator("#lightbox-picture")).to_be_visible()
        await page.keyboard.press("Escape")

        await expect(page.locator("#lightbox-picture")).to_be_hidden()
        await expect(page.locator(".chart button")).to_be_focused()


async def test_a_new_line_is_not_yet_a_question(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with serve_page(scripted) as client, open_page(address(client)) as page:
        await page.fill("#question", "top products")
        await page.press("#question", "Shift+Enter")
        await page.keyboard.type("by region")
        await page.press("#question", "Enter")

        await expect(page.locator(".context")).to_have_count(1)
        assert scripted.asked[0].text == "top products\nby region"


async def test_what_happens_is_said_to_a_screen_reader(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "top products")

        await expect(page.locator("#announcer")).to_contain_text("Answer: **Network Switch**")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("colours", ["light", "dark"])
async def test_everything_has_a_name_and_enough_contrast(
    open_page: OpenPage, width: int, colours: str
):
    async with (
        serve_page(ScriptedDoors()) as client,
        open_page(address(client), width=width, dark=colours == "dark") as page,
    ):
        await ask(page, "top products")
        await expect(page.locator(".context")).to_have_count(1)
        await ask(page, "an expensive one")
        await expect(page.locator(".approval")).to_be_visible()
        await page.evaluate(
            "document.querySelectorAll('details').forEach(each => each.open = true)"
        )

        nameless = await page.evaluate(NAMELESS)
        pale = await page.evaluate(PALE)
        wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth")

        assert nameless == []
        assert pale == []
        assert not wide


async def test_the_list_of_threads_opens_on_a_narrow_screen(open_page: OpenPage):
    async with (
        serve_page(ScriptedDoors()) as client,
        open_page(address(client), width=390) as page,
    ):
        await expect(page.locator("#sidebar")).to_be_hidden()
        await page.click("#menu")
        await expect(page.locator("#new-thread")).to_be_focused()
        await page.keyboard.press("Escape")

        await expect(page.locator("#sidebar")).to_be_hidden()
        await expect(page.locator("#menu")).to_be_focused()


async def test_colours_follow_the_system_until_somebody_chooses(open_page: OpenPage):
    ground = "getComputedStyle(document.body).backgroundColor"
    async with (
        serve_page(ScriptedDoors()) as client,
        open_page(address(client), dark=True) as page,
    ):
        dark = await page.evaluate(ground)
        await page.click("#theme")
        light = await page.evaluate(ground)
        await page.reload()

        assert await page.evaluate(ground) == light
        assert dark != light
        await expect(page.locator("#theme")).to_have_attribute("aria-label", "Colours: light")


async def test_the_token_opens_the_page_and_leaves_its_address(open_page: OpenPage):
    word = "a long token"
    async with (
        serve_page(ScriptedDoors(), token=word) as client,
        open_page(address(client), expected=("401",)) as page,
    ):
        await page.fill("#token", word)
        await page.click("text=Open")

        await expect(page.locator("#welcome")).to_be_visible()
        assert page.url == address(client)
        await ask(page, "top products")
        await expect(page.locator(".context")).to_have_count(1)


NAMELESS = """
[...document.querySelectorAll("button, a, input, select, textarea, summary, img")]
  .filter((each) => each.checkVisibility())
  .filter((each) => !(
    each.getAttribute("aria-label") || each.alt !== undefined && each.hasAttribute("alt") ||
    each.textContent.trim() || each.labels?.length))
  .map((each) => each.outerHTML.slice(0, 80))
"""

PALE = """
(() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = parse(getComputedStyle(each).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const texts = [...document.querySelectorAll("body *")].filter((each) =>
    each.checkVisibility({ opacityProperty: true }) && !each.closest(":disabled") &&
    [...each.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()));
  return texts
    .map((each) => {
      const [a, b] = [light(parse(getComputedStyle(each).color)), light(ground(each))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      return [each.className + " " + each.textContent.slice(0, 30), Math.round(ratio * 10) / 10];
    })
    .filter(([, ratio]) => ratio < 4.5);
})()
"""
