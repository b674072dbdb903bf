import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import fmean
from typing import cast

import pytest

from core.domain.chat import JsonObject
from tests.kit.defined_shop import CUSTOMERS, DEFINITIONS, ORDERS, PLANS, defined_shop
from tests.kit.page_talk import PageTalk, page_of

COUNTED = [order for order in ORDERS if order[3] != "cancelled"]
PREMIUM = {id for id, plan in PLANS.items() if plan == ("premium", False)}
AOV = "As the data team defines it, average order value is AVG(amount) of orders where "


def means(position: int) -> dict[object, float]:
    keys = {order[position] for order in COUNTED}
    return {key: fmean(o[4] for o in COUNTED if o[position] == key) for key in keys}


@pytest.fixture(
    scope="module",
    params=[
        "sqlite",
        "duckdb",
        pytest.param("postgres", marks=pytest.mark.service),
        pytest.param("mariadb", marks=pytest.mark.service),
    ],
)
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with defined_shop(request.param, tmp_path_factory.mktemp("defined")) as made:
        yield made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    written = tmp_path / "words.yaml"
    written.write_text(DEFINITIONS)
    return written


def settings(url: str, file: Path, **more: object) -> dict[str, object]:
    shop = {"url": url, "definitions": [str(file)], **more}
    return {
        "state_dir": str(file.parent / "state"),
        "connections": {"shop": shop},
        "default_connection": "shop",
    }


async def answer(talk: PageTalk, question: str) -> JsonObject:
    end = await talk.ask(question)
    assert end["kind"] == "turn_finished", end
    found = cast("JsonObject", end["answer"])
    assert not found["refused"], found["text"]
    return found


def rows(found: JsonObject) -> list[list[object]]:
    shown = cast("JsonObject", found["result"])
    return cast("list[list[object]]", cast("JsonObject", shown["table"])["rows"])


def figures(found: JsonObject) -> dict[object, float]:
    return {row[0]: float(str(row[1])) for row in rows(found)}


async def test_one_file_serves_every_engine(url: str, file: Path):
    async with page_of(settings(url, file)) as talk:
        by_channel = await answer(talk, "average order value by channel in 2025")
        by_month = await answer(talk, "AOV by month")
        beside = await answer(talk, "number of orders and AOV in 2025")
        turnover = await answer(talk, "turnover by channel")
        premium = await answer(talk, "how many premium customers are there")
        others = await answer(talk, "which customers are not premium customers")
        spent = await answer(talk, "turnover of premium customers")

    assert figures(by_channel) == pytest.approx(means(2))
    assert sorted(figures(by_month).values()) == pytest.approx(sorted(means(1).values()))
    [[count, mean]] = rows(beside)
    assert (count, float(str(mean))) == (7, pytest.approx(fmean(o[4] for o in COUNTED)))
    assert figures(turnover) == {
        channel: sum(o[4] for o in ORDERS if o[2] == channel) for channel in ("web", "phone")
    }
    assert rows(premium) == [[len(PREMIUM)]]
    assert sorted(str(row[0]) for row in rows(others)) == [
        name for id, (name, _) in enumerate(CUSTOMERS, start=1) if id not in PREMIUM
    ]
    assert float(str(rows(spent)[0][0])) == sum(o[4] for o in ORDERS if o[0] in PREMIUM)
    assumptions = cast("list[str]", by_channel["assumptions"])
    assert f"{AOV}state <> 'cancelled' AND amount > 0" in assumptions


async def test_what_ranks_is_not_asked_for(url: str, file: Path):
    async with page_of(settings(url, file)) as talk:
        found = await answer(talk, "top 2 customers")

    worth = {id: sum(o[4] - o[5] for o in ORDERS if o[0] == id) for id in range(1, 6)}
    best = sorted(worth, key=lambda id: -worth[id])[:2]
    assert [row[0] for row in rows(found)] == [CUSTOMERS[id - 1][0] for id in best]
    told = "ranked by takings. As the data team defines it, takings is SUM(amount - tax) of orders"
    assert told in cast("list[str]", found["assumptions"])


@pytest.mark.parametrize("engine", ["sqlite"])
async def test_without_the_file_it_is_asked_for(engine: str, tmp_path: Path):
    with defined_shop(engine, tmp_path) as url:
        nothing = {**settings(url, tmp_path / "x"), "connections": {"shop": {"url": url}}}
        async with page_of(nothing) as talk:
            end = await talk.ask("top 2 customers")

    assert end["kind"] == "turn_paused"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[str]:
    with defined_shop("sqlite", tmp_path) as made:
        yield made


async def test_a_follow_up_keeps_to_the_definition(shop: str, file: Path):
    async with page_of(settings(shop, file)) as talk:
        await answer(talk, "AOV")
        by_channel = await answer(talk, "by channel")
        premium = await answer(talk, "and for premium customers")
        counted = await answer(talk, "how many orders instead")

    assert figures(by_channel) == pytest.approx(means(2))
    own = [o for o in COUNTED if o[0] in PREMIUM]
    assert figures(premium) == {"web": pytest.approx(fmean(o[4] for o in own))}
    assert sum(figures(counted).values()) == sum(o[0] in PREMIUM for o in ORDERS)


async def test_a_changed_file_changes_the_next_answer(shop: str, file: Path):
    async with page_of(settings(shop, file)) as talk:
        first = await answer(talk, "AOV")
        rewrite(file, DEFINITIONS.replace("AVG(amount)", "MAX(amount)"))
        second = await answer(talk, "what is the AOV?")
        rewrite(file, "metrics: [")
        third = await answer(talk, "AOV in 2025")

    assert float(str(rows(first)[0][0])) == pytest.approx(fmean(o[4] for o in COUNTED))
    assert float(str(rows(second)[0][0])) == float(str(rows(third)[0][0])) == 100
    assert second["warnings"] == []
    assert "those from before" in cast("list[str]", third["warnings"])[0]


def rewrite(file: Path, text: str) -> None:
    file.write_text(text)


async def test_definitions_of_hidden_columns_are_not_there(shop: str, file: Path):
    hidden = settings(shop, file, rights={"hide": ["subscriptions.plan"]})
    async with page_of(hidden) as talk:
        end = await talk.ask("how many premium customers are there")
        found = await answer(talk, "AOV")

    assert "plan" not in str(end)
    assert found["assumptions"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("what does AOV mean?", "AVG(amount) of orders where state <> 'cancelled'"),
        ("how is the average order value calculated", "Cancelled ones do *not* count."),
        ("define premium customer", "subscriptions where plan = 'premium' AND ended = 0"),
    ],
)
async def test_what_a_word_means_is_told(shop: str, file: Path, question: str, words: str):
    async with page_of(settings(shop, file)) as talk:
        found = await answer(talk, question)

    assert words in str(found["text"])
    assert found["sql"] == []


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("median average order value", "is one figure of many rows already"),
        ("AOV by ticket", "whose rows this question would count repeatedly"),
    ],
)
async def test_what_a_metric_cannot_be_is_declined_with_the_reason(
    tmp_path: Path, file: Path, question: str, reason: str
):
    with defined_shop("sqlite", tmp_path) as shop:
        change(shop, *TICKETS)
        async with page_of(settings(shop, file)) as talk:
            end = await talk.ask(question)

    found = cast("JsonObject", end["answer"])
    assert found["refused"]
    assert reason in str(found["text"])


async def test_a_join_links_what_no_key_does(tmp_path: Path):
    with defined_shop("sqlite", tmp_path) as url:
        path = tmp_path / "joins.yaml"
        rewrite(path, "joins: [orders.channel = desks.code]\n")
        change(url, *DESKS)
        async with page_of(settings(url, path)) as talk:
            found = await answer(talk, "total amount by city")

    totals = {
        city: sum(o[4] for o in ORDERS if o[2] == code)
        for code, city in (("web", "Rome"), ("phone", "Oslo"))
    }
    assert figures(found) == totals


DESKS = (
    "CREATE TABLE desks (code TEXT, city TEXT)",
    "INSERT INTO desks VALUES ('web', 'Rome'), ('phone', 'Oslo')",
)
TICKETS = (
    "CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, ticket TEXT,"
    " order_id INTEGER REFERENCES orders (order_id))",
    "INSERT INTO tickets VALUES (1, 'late', 1), (2, 'broken', 1)",
)


def change(path: str, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
