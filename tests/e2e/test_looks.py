import pytest
from playwright.async_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.steps import address, ask
from tests.kit.page_client import serve_page
from tests.kit.scripted_doors import ScriptedDoors
from tests.kit.written_cells import WRITTEN, table_of

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.browser]


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


async def test_the_page_writes_every_cell_as_the_core_does(open_page: OpenPage):
    columns = [
        {"column": table_of(each).model_dump(mode="json")["columns"][0], "cells": each[3]}
        for each in WRITTEN
    ]
    async with serve_page(ScriptedDoors()) as client, open_page(address(client)) as page:
        written = await page.evaluate(WRITTEN_BY_THE_PAGE, columns)

        assert written == [[*each[-1]] for each in WRITTEN]


@pytest.mark.parametrize(("width", "pixels"), [(1280, 640), (390, 320)])
async def test_a_narrow_screen_shows_the_chart_that_was_drawn_for_it(
    open_page: OpenPage, width: int, pixels: int
):
    async with (
        serve_page(ScriptedDoors()) as client,
        open_page(address(client), width=width) as page,
    ):
        await ask(page, "top products")
        await expect(page.locator(".context")).to_have_count(1)

        picture = page.locator(".chart img")
        await picture.evaluate("each => each.decode()")
        assert await picture.evaluate("each => each.naturalWidth") == pixels
        await page.click(".chart button")
        large = page.locator("#lightbox-picture")
        await large.evaluate("each => each.decode()")
        assert await large.evaluate("each => each.naturalWidth") == pixels


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


WRITTEN_BY_THE_PAGE = """
async (columns) => {
  const { written } = await import("/page/format.js");
  return columns.map(({ column, cells }) => cells.map((cell) => written(cell, column)));
}
"""

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
