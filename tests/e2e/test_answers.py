import pytest
from playwright.async_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.steps import address, ask
from tests.kit.page_client import serve_page
from tests.kit.scripted_doors import ScriptedDoors

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.browser]


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
        await expect(turn.locator("tbody tr").first).to_contain_text("9.67%")
        await expect(turn.locator(".context")).to_have_text(
            "demo2024 (UTC)status = <b>paid</b>a = 1b = 2and 1 more"
            "60 rows0.8 soffline/analyst$0.0042"
        )
        await expect(turn.locator(".assumptions li")).to_have_count(2)
        await expect(turn.locator(".sql:visible")).to_have_count(0)
        assert await turn.locator(".chart img").evaluate("each => each.naturalWidth") == 640
        assert await turn.locator("script").count() == 0


async def test_a_table_is_sorted_by_its_heads_and_shown_whole_on_request(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "top products")
        await page.click("text=Show 12")
        head = page.locator("th", has_text="units")

        await head.locator("button").click()
        await expect(head).to_have_attribute("aria-sort", "descending")
        await expect(page.locator("tbody tr").first).to_contain_text("4,419")
        await expect(page.locator("tbody tr").last).to_contain_text("Locker Unit")

        await head.locator("button").click()
        await expect(head).to_have_attribute("aria-sort", "ascending")
        await expect(page.locator("tbody tr").first).to_contain_text("702")
        await expect(page.locator("tbody tr").last).to_contain_text("Locker Unit")


async def test_a_table_is_copied_as_it_is_sorted_and_runs_nothing(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "top products")
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await page.locator("th", has_text="product").locator("button").click()
        await page.click("text=Copy table")
        await expect(page.get_by_role("button", name="Copied")).to_be_visible()

        copied = await page.evaluate("navigator.clipboard.readText()")
        head, first, second, *rest = copied.split("\n")
        assert head.split("\t") == ["product", "revenue", "units", "share of total", "launched on"]
        assert first.startswith("<b>Acoustic</b> Panel\t210044.9\t")
        assert second.split("\t") == ["'=1+1 Locker Unit", "99211.1", "", "0.0072", "2021-08-26"]
        assert len(rest) == 10


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

        await expect(page.locator(".sql pre").first).to_contain_text(
            "SELECT products.name AS product"
        )
        await expect(page.locator(".step")).to_have_count(2)
        await expect(page.locator(".step.failed")).to_contain_text("Adding up revenue")
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await page.get_by_role("button", name="Copy", exact=True).click()
        await expect(page.get_by_role("button", name="Copied")).to_be_visible()
        copied = await page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("SELECT products.name")
        assert "\n" not in copied


async def test_look_ups_are_folded_behind_the_statement_of_the_answer(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "top products")
        await page.locator("summary", has_text="SQL").click()

        await expect(page.locator(".sql pre:visible")).to_have_count(1)
        await page.locator("summary", has_text="Look-ups").click()
        await expect(page.locator(".sql pre:visible").last).to_contain_text("SELECT DISTINCT")


async def test_a_suggestion_asks_on_in_the_same_thread(open_page: OpenPage):
    scripted = ScriptedDoors()
    async with serve_page(scripted) as client, open_page(address(client)) as page:
        await ask(page, "top products")
        await page.click("text=Only Spain")

        await expect(page.locator(".context")).to_have_count(2)
        assert [message.text for message in scripted.asked] == ["top products", "Only Spain"]
        assert scripted.asked[0].thread == scripted.asked[1].thread


async def test_the_chart_is_enlarged_and_closed_by_keyboard(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "top products")
        await page.focus(".chart button")

        await page.keyboard.press("Enter")
        await expect(page.locator("#lightbox-picture")).to_be_visible()
        await page.keyboard.press("Escape")

        await expect(page.locator("#lightbox-picture")).to_be_hidden()
        await expect(page.locator(".chart button")).to_be_focused()


async def test_the_tasks_of_a_plan_are_lines_that_end_as_done(open_page: OpenPage):
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        await ask(page, "top products, in parts")

        turn = page.locator(".turn")
        await expect(turn.locator(".finding strong").first).to_have_text("Network Switch")
        await expect(turn.locator(".plan .task.done")).to_have_count(2)
        await expect(turn.locator(".plan .task").first).to_contain_text("Revenue by product")
