import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.real_app import serve_application

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.browser]

TOP = ["Network Switch", "Task Chair", "Bookcase", "Document Scanner", "Visitor Chair"]
A_MINUTE = 60_000


@pytest.mark.xfail(reason="the offline analyst reads revenue as a list price", strict=False)
async def test_the_best_products_come_in_their_order(open_page: OpenPage, tmp_path: Path):
    async with serve_application(tmp_path) as address, open_page(address) as page:
        await page.fill("#question", "top 5 products by revenue in 2024")
        await page.press("#question", "Enter")

        await expect(page.locator(".context")).to_contain_text("demo", timeout=A_MINUTE)
        await expect(page.locator(".finding")).to_contain_text("Network Switch")
        for name, row in zip(TOP, await page.locator("tbody tr").all(), strict=True):
            await expect(row).to_contain_text(name)
        await expect(page.locator("tbody tr").first).to_contain_text("1,335,208.75")


async def test_a_question_in_plain_words_is_answered_with_chart_table_sql_and_file(
    open_page: OpenPage, tmp_path: Path
):
    async with serve_application(tmp_path) as address, open_page(address) as page:
        await page.fill("#question", "total revenue by month in 2025")
        await page.press("#question", "Enter")

        await expect(page.locator(".context")).to_contain_text("demo", timeout=A_MINUTE)
        await expect(page.locator("tbody tr").first).to_contain_text("2025-01-01")
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
        await expect(page.locator(".context")).to_have_count(1, timeout=A_MINUTE)
        await page.fill("#question", "only Nordics")
        await page.press("#question", "Enter")

        await expect(page.locator(".context")).to_have_count(2, timeout=A_MINUTE)
        first = page.locator(".turn").last.locator("tbody tr").first
        await expect(first).to_contain_text("126,888.74")


async def test_a_wish_to_change_data_is_refused(open_page: OpenPage, tmp_path: Path):
    async with serve_application(tmp_path) as address, open_page(address) as page:
        await page.fill("#question", "delete all orders")
        await page.press("#question", "Enter")

        await expect(page.locator(".refused")).to_be_visible(timeout=A_MINUTE)


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8-sig").splitlines()
