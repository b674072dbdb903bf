import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.real_app import serve_application

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.browser]

TOP = """
    SELECT products.name, SUM(order_lines.revenue)
    FROM order_lines JOIN orders USING (order_id) JOIN products USING (product_id)
    WHERE orders.ordered_at >= '2024-01-01' AND orders.ordered_at < '2025-01-01'
    GROUP BY products.product_id ORDER BY 2 DESC LIMIT 5
"""


def best_products(state: Path) -> list[tuple[str, float]]:
    [demo] = state.rglob("demo.sqlite")
    with closing(sqlite3.connect(demo)) as database:
        return database.execute(TOP).fetchall()


async def test_the_best_products_are_those_of_the_hand_written_sql(
    open_page: OpenPage, tmp_path: Path
):
    async with serve_application(tmp_path) as address, open_page(address) as page:
        await page.fill("#question", "top 5 products by revenue in 2024")
        await page.press("#question", "Enter")

        await expect(page.locator(".context")).to_contain_text("demo")
        top = best_products(tmp_path)
        assert len(top) == 5
        await expect(page.locator(".finding")).to_contain_text(top[0][0])
        for (name, revenue), row in zip(top, await page.locator("tbody tr").all(), strict=True):
            await expect(row).to_contain_text(name)
            await expect(row).to_contain_text(f"{revenue:,.2f}")


async def test_a_question_in_plain_words_is_answered_with_chart_table_sql_and_file(
    open_page: OpenPage, tmp_path: Path
):
    async with serve_application(tmp_path) as address, open_page(address) as page:
        await page.fill("#question", "total revenue by month in 2025")
        await page.press("#question", "Enter")

        await expect(page.locator(".context")).to_contain_text("demo")
        await expect(page.locator("tbody tr").first).to_contain_text("Jan 2025")
        await expect(page.locator("tbody tr").first).to_contain_text("1,251,410.03")
        await expect(page.locator(".chart img")).to_have_attribute("alt", re.compile("revenue"))
        assert await page.locator(".chart img").evaluate("each => each.naturalWidth") > 400
        await page.locator("summary", has_text="SQL").click()
        await expect(page.locator(".sql pre").first).to_contain_text("order_lines")
        async with page.expect_download() as coming:
            await page.click("text=Download CSV")
        assert len(lines_of(await (await coming.value).path())) == 13


async def test_a_follow_up_goes_on_with_the_question_before(open_page: OpenPage, tmp_path: Path):
    async with serve_application(tmp_path) as address, open_page(address) as page:
        await page.fill("#question", "total revenue by month in 2025")
        await page.press("#question", "Enter")
        await expect(page.locator(".context")).to_have_count(1)
        await page.fill("#question", "only Nordics")
        await page.press("#question", "Enter")

        await expect(page.locator(".context")).to_have_count(2)
        first = page.locator(".turn").last.locator("tbody tr").first
        await expect(first).to_contain_text("126,888.74")


async def test_a_wish_to_change_data_is_refused(open_page: OpenPage, tmp_path: Path):
    async with serve_application(tmp_path) as address, open_page(address) as page:
        await page.fill("#question", "delete all orders")
        await page.press("#question", "Enter")

        await expect(page.locator(".refused")).to_be_visible()


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8-sig").splitlines()


async def test_a_small_figure_and_a_narrow_table_can_be_read(open_page: OpenPage, tmp_path: Path):
    async with serve_application(tmp_path) as address, open_page(address, width=390) as page:
        await page.fill("#question", "correlation between discount and revenue")
        await page.press("#question", "Enter")

        await expect(page.locator(".context")).to_contain_text("demo")
        await expect(page.locator("tbody td").last).to_have_text("< 0.000001")
        assert await page.locator("tbody td").evaluate_all(LINES) == [1] * 5


async def test_a_whole_result_is_offered_as_all_of_it(open_page: OpenPage, tmp_path: Path):
    async with serve_application(tmp_path) as address, open_page(address) as page:
        await page.fill("#question", "monthly revenue by region 2025")
        await page.press("#question", "Enter")

        await expect(page.locator(".context")).to_contain_text("demo")
        await page.get_by_role("button", name="Show all 72").click()
        await expect(page.locator("tbody tr")).to_have_count(72)


LINES = """
(cells) => cells.map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map((each) => each.top)).size;
})
"""


async def test_steps_are_taken_two_at_a_time_and_a_button_goes_on(
    open_page: OpenPage, tmp_path: Path
):
    steps = "First count the orders, then count the customers, and finally show revenue in 2025"
    async with serve_application(tmp_path) as address, open_page(address) as page:
        await page.fill("#question", steps)
        await page.press("#question", "Enter")

        finding = page.locator(".finding")
        await expect(finding.last).to_contain_text("Shall I go on?")
        await expect(finding.last).to_contain_text("2. Count the customers")
        await page.click("text=Go on with the next step")
        await expect(finding.last).to_contain_text("3. Show revenue in 2025")
        await expect(finding.last).not_to_contain_text("Shall I go on?")
