"""Follow-ups as whole conversations through the product, each held to hand-written SQL."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.answer import Answer
from tests.kit.offline_product import Product

pytestmark = pytest.mark.asyncio(loop_scope="module")

LINES = "order_lines l JOIN orders o USING (order_id) JOIN customers c USING (customer_id)"
IN_2025 = "o.ordered_at >= '2025-01-01' AND o.ordered_at < '2026-01-01'"
REVENUE_BY_COUNTRY = f"SELECT c.country, SUM(l.revenue) FROM {LINES} GROUP BY 1"


def rows(path: Path, sql: str) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return [written(row) for row in database.execute(sql).fetchall()]


def written(row: tuple[object, ...]) -> str:
    return repr([f"{float(str(c)):.4f}" if _is_number(c) else str(c)[:10] for c in row])


def _is_number(cell: object) -> bool:
    try:
        float(str(cell))
    except ValueError:
        return False
    return True


def shown(answer: Answer) -> list[str]:
    assert answer.result is not None, answer.text
    assert answer.result.table is not None, answer.text
    return [written(tuple(row)) for row in answer.result.table.rows]


@pytest.mark.parametrize(
    ("connection", "said", "sql"),
    [
        # only Spain
        ("demo_data", ["revenue by channel in 2025", "only Spain"], f"SELECT o.channel, SUM(l.revenue) FROM {LINES} WHERE {IN_2025} AND c.country = 'Spain' GROUP BY 1"),
        # by month
        ("demo_data", ["number of orders in 2025", "by month"], f"SELECT date(o.ordered_at, 'start of month'), COUNT(*) FROM orders o WHERE {IN_2025} GROUP BY 1"),
        # as a chart
        ("demo_data", ["number of orders in 2025 by channel", "as a chart"], f"SELECT o.channel, COUNT(*) FROM orders o WHERE {IN_2025} GROUP BY 1"),
        # top 5
        ("demo_data", ["revenue by country", "top 5"], f"{REVENUE_BY_COUNTRY} ORDER BY 2 DESC LIMIT 5"),
        # sort ascending: the same five
        ("demo_data", ["revenue by country", "top 5", "sort ascending"], f"SELECT * FROM ({REVENUE_BY_COUNTRY} ORDER BY 2 DESC LIMIT 5) ORDER BY 2"),
        ("demo_data", ["number of customers by industry", "sort ascending"], "SELECT industry, COUNT(*) FROM customers GROUP BY 1 ORDER BY 2"),
        # and in 2024, two periods on
        ("demo_data", ["how many orders in 2025", "and in 2024?", "and in 2023?"], "SELECT COUNT(*) FROM orders WHERE ordered_at < '2024-01-01'"),
        # without one, and without another
        ("demo_data", ["number of customers by region", "without DACH", "exclude Nordics"], "SELECT r.name, COUNT(*) FROM customers JOIN regions r USING (region_id) WHERE r.name NOT IN ('DACH', 'Nordics') GROUP BY 1"),
        # the average instead
        ("demo_data", ["total order total by channel", "the average instead"], "SELECT channel, AVG(order_total) FROM orders GROUP BY 1"),
        ("gym", ["average amount of payments", "the sum instead"], "SELECT SUM(Amount) FROM Payment"),
        # per customer
        ("demo_data", ["number of support tickets in 2025", "per customer", "top 3"], "SELECT c.name, COUNT(*) FROM support_tickets t JOIN customers c USING (customer_id) WHERE t.opened_at >= '2025-01-01' AND t.opened_at < '2026-01-01' GROUP BY c.customer_id ORDER BY 2 DESC LIMIT 3"),
        # beside another period
        ("demo_data", ["number of orders in 2025 by channel", "compared to 2024"], "SELECT channel, CAST(strftime('%Y', ordered_at) AS INTEGER), COUNT(*) FROM orders WHERE ordered_at >= '2024-01-01' GROUP BY 1, 2"),
        # a filter is taken away
        ("demo_data", ["how many orders in 2025", "only web", "remove the filters"], "SELECT COUNT(*) FROM orders"),
        # what was not understood is gone on from by nobody
        ("demo_data", ["how many orders in 2025", "only the zebra ones", "by channel"], f"SELECT o.channel, COUNT(*) FROM orders o WHERE {IN_2025} GROUP BY 1"),
        # after the statement was shown
        ("gym", ["number of members by plan", "show the SQL", "only active"], "SELECT Plan, COUNT(*) FROM Member WHERE State = 'active' GROUP BY 1"),
        ("gym", ["total amount of payments in 2025", "by branch", "only Ghent"], "SELECT b.BranchName, SUM(p.Amount) FROM Payment p JOIN Member USING (MemberId) JOIN Branch b USING (BranchId) WHERE b.City = 'Ghent' GROUP BY 1"),
    ],
)  # fmt: skip
async def test_goes_on_from_the_question_before(
    app: Product, databases: dict[str, Path], connection: str, said: list[str], sql: str
):
    thread = app.thread(connection)
    for question in said[:-1]:
        await thread.end(question)

    answer = await thread.ask(said[-1])

    given, wanted = shown(answer), rows(databases[connection], sql)
    ordered = "ORDER BY" in sql
    assert (given if ordered else sorted(given)) == (wanted if ordered else sorted(wanted)), (
        answer.sql[-1].sql
    )


async def test_shows_what_ran_for_the_answer_before(app: Product):
    thread = app.thread("demo_data")
    before = await thread.ask("number of orders in 2025 by channel")

    answer = await thread.ask("show the SQL")

    assert before.sql[-1].sql in answer.text
    assert not answer.sql
    assert not answer.warnings


async def test_why_explains_the_figure_before_in_the_period_that_is_named(
    app: Product, databases: dict[str, Path]
):
    path = databases["demo_data"]
    of_month = (
        "SELECT COUNT(*) FROM orders JOIN customers USING (customer_id) WHERE ordered_at LIKE"
    )
    july, august = (count(path, f"{of_month} '2025-0{month}%'") for month in (7, 8))
    tier = """AND "accountTier" = 'Enterprise'"""
    own = [count(path, f"{of_month} '2025-0{month}%' {tier}") for month in (7, 8)]
    thread = app.thread("demo_data")
    await thread.ask("number of orders by month in 2025")

    answer = await thread.ask("why did it drop in August 2025?")

    text = " ".join(answer.text.split())
    assert f"fell from {july:,} in July 2025 to {august:,} in August 2025" in text
    assert f"Enterprise ({own[1] - own[0]} of {august - july})" in text
    assert (own[1] - own[0]) / (august - july) > own[0] / july


def count(path: Path, sql: str) -> int:
    with closing(sqlite3.connect(path)) as database:
        return int(database.execute(sql).fetchone()[0])


async def test_why_without_anything_before_says_so(app: Product):
    answer = await app.thread("gym").ask("why?")

    assert answer.refused or "name" in answer.text
    assert not answer.sql


async def test_steps_build_on_each_other_and_go_on_over_another_question(
    app: Product, databases: dict[str, Path]
):
    thread = app.thread("demo_data")

    first = await thread.ask(
        "First count the orders in 2025, then break them down by month, then by channel"
    )
    await thread.ask("how many customers are there")
    last = await thread.ask("continue")

    assert first.suggestions[0] == "Go on with the next step"
    by_month = f"SELECT date(o.ordered_at, 'start of month'), COUNT(*) FROM orders o WHERE {IN_2025} GROUP BY 1"
    assert sorted(shown(first)) == sorted(rows(databases["demo_data"], by_month))
    assert last.text.startswith("**3. By channel**")
    assert last.steps.ahead == ()
