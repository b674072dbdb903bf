"""A month or a quarter without a year: asked with the years of the data, settled by the thread."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.decisions import Clarification
from core.domain.events import TurnPaused
from tests.kit.offline_product import Product

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOTAL = "SELECT COUNT(*) FROM orders WHERE ordered_at >= ? AND ordered_at < ?"


def orders(databases: dict[str, Path], since: str, before: str) -> str:
    with closing(sqlite3.connect(databases["demo_data"])) as database:
        return f"{database.execute(TOTAL, (since, before)).fetchone()[0]:,}"


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("how many orders in March", ("March 2025", "March 2024", "March 2023", "every year")),
        ("how many orders in May", ("May 2025", "May 2024", "May 2023", "every year")),
        ("how many orders in Q3", ("Q3 2025", "Q3 2024", "Q3 2023", "every year")),
        ("how many orders since March", ("March 2025", "March 2024", "March 2023")),
    ],
)
async def test_asks_which_year_with_those_of_the_data(
    app: Product, question: str, options: tuple[str, ...]
):
    end = await app.thread("demo_data").end(question)

    assert isinstance(end, TurnPaused)
    assert isinstance(end.decision, Clarification)
    assert end.decision.options == options


async def test_a_choice_holds_for_what_follows(app: Product, databases: dict[str, Path]):
    thread = app.thread("demo_data")

    first = await thread.ask("how many orders in March", choose="2024")
    second = await thread.ask("and in April?")
    third = await thread.ask("how many orders in May")

    assert orders(databases, "2024-03-01", "2024-04-01") in first.text
    assert orders(databases, "2024-04-01", "2024-05-01") in second.text
    assert orders(databases, "2024-05-01", "2024-06-01") in third.text
    assert "May 2024" in third.text


async def test_since_a_month_reads_on_to_the_end(app: Product, databases: dict[str, Path]):
    answer = await app.thread("demo_data").ask("how many orders since October", choose="2025")

    assert orders(databases, "2025-10-01", "2030-01-01") in answer.text


async def test_every_year_may_be_chosen_and_is_not_asked_again(app: Product):
    thread = app.thread("demo_data")

    first = await thread.ask("how many orders in March", choose="every")
    second = await thread.ask("by channel")

    assert "March of every year, as no year was named" in first.assumptions
    assert second.result is not None


@pytest.mark.parametrize(
    ("said", "since", "before"),
    [
        (("how many orders in 2025", "only March"), "2025-03-01", "2025-04-01"),
        (("how many orders in March 2024", "and in May?"), "2024-05-01", "2024-06-01"),
        (("how many orders in 2023", "how many orders in Q3"), "2023-07-01", "2023-10-01"),
    ],
)
async def test_a_year_of_the_thread_is_not_asked_for(
    app: Product, databases: dict[str, Path], said: tuple[str, ...], since: str, before: str
):
    thread = app.thread("demo_data")

    answers = [await thread.ask(each) for each in said]

    assert orders(databases, since, before) in answers[-1].text


@pytest.mark.parametrize(
    "question", ["how many orders in March by year", "how many orders in March of every year"]
)
async def test_a_month_of_every_year_is_taken_as_said(app: Product, question: str):
    await app.thread("demo_data").ask(question)
