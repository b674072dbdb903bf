"""What a person has answered in a thread is not asked again, by no model, nor after a restart."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import orjson
import pytest

from core.domain.chat import Json, JsonObject
from tests.kit.demo import made_demo
from tests.kit.openai_server import OpenAIServer
from tests.kit.openai_wire import Call, Reply
from tests.kit.page_talk import page_of

LIMITS = {"questions_per_minute": 1e6, "burst": 1000}
PRODUCTS = "SELECT name, SUM(revenue) AS revenue FROM products JOIN order_lines USING (product_id)"
UNSURE: Json = {
    "primary_intent": "analyze",
    "confidence": 0.5,
    "ambiguities": [
        {"question": "Best by what?", "options": ["revenue", "number of orders"]},
    ],
}
SURE: Json = {"primary_intent": "analyze", "confidence": 0.99}


@pytest.fixture
def demo(tmp_path: Path) -> dict[str, object]:
    """Return the settings of an application that answers with the offline analyst."""
    return {
        "state_dir": tmp_path / "state",
        "connections": {"demo_data": {"url": str(made_demo())}},
        "limits": LIMITS,
    }


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as opened:
        yield opened


def with_model(settings: dict[str, object], server: OpenAIServer) -> dict[str, object]:
    model = {"provider": "openai_protocol", "base_url": server.url, "model": "m"}
    return {**settings, "model": model}


def says(value: Json) -> Reply:
    return Reply(text=(orjson.dumps(value).decode(),))


def calls(name: str, arguments: Json) -> Reply:
    return Reply(calls=(Call(id="c", name=name, arguments=(orjson.dumps(arguments).decode(),)),))


def asks(question: str, *options: str) -> Reply:
    return calls("ask_clarification", {"question": question, "options": list(options)})


def runs(order: str) -> Reply:
    sql = f"{PRODUCTS} GROUP BY name ORDER BY {order} LIMIT 3"
    return calls("run_query", {"sql": sql, "title": "Products"})


def answer_of(end: JsonObject) -> JsonObject:
    assert end["kind"] == "turn_finished", end
    return cast("JsonObject", end["answer"])


def assumptions(end: JsonObject) -> list[str]:
    return cast("list[str]", answer_of(end)["assumptions"])


def columns_of(end: JsonObject) -> list[str]:
    """Return the columns of the answer's table by name."""
    shown = cast("JsonObject", answer_of(end)["result"])
    table = cast("JsonObject", shown["table"])
    return [str(each["name"]) for each in cast("list[JsonObject]", table["columns"])]


async def test_the_offline_analyst_ranks_the_next_list_by_what_was_chosen(demo: dict[str, object]):
    async with page_of(demo) as page:
        asked = await page.ask("top performing products")
        first = await page.choose(asked, "total quantity (order_lines)")
        only = await page.ask("only Furniture")
        second = await page.ask("top performing customers")

    assert asked["kind"] == "turn_paused"
    assert "total_quantity" in columns_of(first)
    for end in (only, second):
        assert "total_quantity" in columns_of(end)
        assert any("as answered before in this thread" in each for each in assumptions(end))


async def test_an_answer_outlives_the_process(demo: dict[str, object]):
    async with page_of(demo) as page:
        asked = await page.ask("top performing products")
        await page.choose(asked, "total quantity (order_lines)")
    async with page_of(demo) as page:
        again = await page.ask("worst performing products")

    assert "total_quantity" in columns_of(again)
    assert any("total quantity (order_lines)" in each for each in assumptions(again))


async def test_another_thread_is_asked_again(demo: dict[str, object]):
    async with page_of(demo) as page:
        await page.choose(await page.ask("top performing products"), "total revenue (order_lines)")
        other = type(page)(page.client, thread="two")
        end = await other.ask("top performing products")

    assert end["kind"] == "turn_paused"


async def test_a_model_that_asks_again_in_other_words_is_given_the_answer(
    demo: dict[str, object], server: OpenAIServer
):
    server.queue(says(SURE), asks("By revenue or by units?", "revenue", "units"))
    server.queue(runs("SUM(quantity) DESC"), Reply(text=("Three products.",)))
    async with page_of(with_model(demo, server)) as page:
        await page.choose(await page.ask("best products"), "units")
    server.queue(says(SURE), asks("Do you mean units sold or revenue?", "units sold", "revenue"))
    server.queue(runs("SUM(quantity)"), Reply(text=("Three others.",)))
    async with page_of(with_model(demo, server)) as page:
        end = await page.ask("worst products")

    told = server.requests[-2].body["messages"]
    assert answer_of(end)["text"] == "Three others."
    assert "The reader answered: units sold" in orjson.dumps(told).decode()
    assert assumptions(end) == [
        "Do you mean units sold or revenue? units sold, as answered before in this thread"
    ]


async def test_what_the_classifier_finds_open_is_settled_by_an_older_answer(
    demo: dict[str, object], server: OpenAIServer
):
    async with page_of(with_model(demo, server)) as page:
        server.queue(says(UNSURE), runs("revenue DESC"), Reply(text=("Three products.",)))
        await page.choose(await page.ask("best products"), "revenue")
        server.queue(says(SURE), Reply(text=("You are welcome.",)))
        await page.ask("fine, that will do for now")
        server.queue(says(UNSURE), runs("revenue"), Reply(text=("Three others.",)))
        end = await page.ask("and the best in 2025?")

    assert assumptions(end) == ["Best by what? revenue, as answered before in this thread"]


async def test_words_that_name_the_other_meaning_count_more_than_an_older_answer(
    demo: dict[str, object], server: OpenAIServer
):
    async with page_of(with_model(demo, server)) as page:
        server.queue(says(UNSURE), runs("revenue DESC"), Reply(text=("Three products.",)))
        await page.choose(await page.ask("best products"), "revenue")
        server.queue(says(UNSURE), runs("revenue"), Reply(text=("Three others.",)))
        end = await page.ask("the best by number of orders")

    assert assumptions(end) == []
