from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest

from core.domain.chat import JsonObject
from tests.kit.defined_shop import CUSTOMERS, ORDERS, PLANS, defined_shop
from tests.kit.page_talk import PageTalk, page_of

WORDS = """
metrics:
  net: {table: orders, expression: SUM(amount - tax), unit: EUR}
  gross: {table: orders, expression: SUM(amount)}
  cancel rate:
    table: orders
    expression: 100.0 * COUNT(CASE WHEN state = 'cancelled' THEN 1 END) / COUNT(*)
  buyers: {table: orders, expression: COUNT(DISTINCT customer_id), filters: [state = 'paid']}
terms:
  open order: {table: orders, filter: state = 'open'}
  web customer: {table: orders, filter: channel = 'web'}
  big customer: {table: orders, filter: amount > 60}
  VIP: {table: subscriptions, filter: plan = 'premium', synonyms: [very good client]}
  southerner: {table: customers, filter: "country IN ('Spain', 'Italy')"}
  big spender:
    table: customers
    filter: customer_id IN (SELECT customer_id FROM orders GROUP BY customer_id HAVING SUM(amount) > 200)
synonyms:
  shopper: customers
  levy: orders.tax
"""
VIPS = {id for id, (plan, _) in PLANS.items() if plan == "premium"}
SOUTH = {id for id, (_, land) in enumerate(CUSTOMERS, start=1) if land in {"Spain", "Italy"}}
WEB = {order[0] for order in ORDERS if order[2] == "web"}
BIG = {order[0] for order in ORDERS if order[4] > 60}
SPENT = {id: sum(o[4] for o in ORDERS if o[0] == id) for id in range(1, len(CUSTOMERS) + 1)}
PAID = [order for order in ORDERS if order[3] == "paid"]


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[PageTalk]:
    words = tmp_path / "words.yaml"
    words.write_text(WORDS)
    with defined_shop("sqlite", tmp_path) as url:
        settings = {
            "state_dir": str(tmp_path / "state"),
            "connections": {"shop": {"url": url}},
            "definitions": [str(words)],
            "default_connection": "shop",
        }
        async with page_of(settings) as opened:
            yield opened


async def rows(talk: PageTalk, question: str) -> list[list[object]]:
    end = await talk.ask(question)
    found = cast("JsonObject", end["answer"])
    assert not found["refused"], found["text"]
    shown = cast("JsonObject", found["result"])
    return cast("list[list[object]]", cast("JsonObject", shown["table"])["rows"])


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("what is our net", sum(o[4] - o[5] for o in ORDERS)),
        ("total net in February 2025", sum(o[4] - o[5] for o in ORDERS if o[1] == 2)),
        ("gross in 2025", sum(o[4] for o in ORDERS)),
        ("average gross", sum(o[4] for o in ORDERS) / len(ORDERS)),
        ("cancel rate", 100 * sum(o[3] == "cancelled" for o in ORDERS) / len(ORDERS)),
        ("buyers in 2025", len({o[0] for o in PAID})),
        ("total levy", sum(o[5] for o in ORDERS)),
        ("how many shoppers are there", len(CUSTOMERS)),
        ("how many open orders are there", sum(o[3] == "open" for o in ORDERS)),
        ("how many orders are not open", sum(o[3] != "open" for o in ORDERS)),
        ("how many southerners are there", len(SOUTH)),
        ("gross of VIPs", sum(o[4] for o in ORDERS if o[0] in VIPS)),
        ("how many customers are VIPs", len(VIPS)),
        ("how many customers are big spenders", sum(each > 200 for each in SPENT.values())),
        ("how many customers are web and big customers", len(WEB & BIG)),
        ("how many customers are web but not big", len(WEB - BIG)),
        ("how many web customers are there in Spain", len({id for id in WEB if id < 3})),
        (
            "gross of southerners excluding VIPs",
            sum(o[4] for o in ORDERS if o[0] in SOUTH - VIPS),
        ),
    ],
)
async def test_one_figure(talk: PageTalk, question: str, figure: float):
    [[found]] = await rows(talk, question)

    assert float(str(found)) == pytest.approx(figure)


@pytest.mark.parametrize(
    ("question", "groups"),
    [
        (
            "net by channel",
            {c: sum(o[4] - o[5] for o in ORDERS if o[2] == c) for c in ("web", "phone")},
        ),
        (
            "cancel rate by channel",
            {
                c: 100
                * sum(o[3] == "cancelled" for o in ORDERS if o[2] == c)
                / sum(o[2] == c for o in ORDERS)
                for c in ("web", "phone")
            },
        ),
        (
            "buyers by channel",
            {c: len({o[0] for o in PAID if o[2] == c}) for c in ("web", "phone")},
        ),
        (
            "net by country",
            {
                land: sum(o[4] - o[5] for o in ORDERS if CUSTOMERS[o[0] - 1][1] == land)
                for _, land in CUSTOMERS
            },
        ),
    ],
)
async def test_a_figure_by_group(talk: PageTalk, question: str, groups: dict[str, float]):
    found = {row[0]: float(str(row[1])) for row in await rows(talk, question)}

    assert found == pytest.approx(groups)


async def test_the_best_by_a_metric(talk: PageTalk):
    found = await rows(talk, "top 2 customers by net")

    worth = {id: sum(o[4] - o[5] for o in ORDERS if o[0] == id) for id in SPENT}
    best = sorted(worth, key=lambda id: -worth[id])[:2]
    assert [row[0] for row in found] == [CUSTOMERS[id - 1][0] for id in best]


@pytest.mark.parametrize(
    "question",
    [
        "average net",
        "net of orders over 500",
        "median net",
        "how many net are there",
        "lowest buyers growth",
    ],
)
async def test_what_would_be_another_figure_is_not_given(talk: PageTalk, question: str):
    end = await talk.ask(question)

    assert cast("JsonObject", end["answer"])["refused"], end
