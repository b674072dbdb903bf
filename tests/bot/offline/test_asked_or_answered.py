"""Questions of everyday business on the demo data: which are asked back, and which are answered."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.answer import Answer
from core.domain.decisions import Clarification
from core.domain.events import TurnFinished, TurnPaused
from tests.kit.offline_product import Product

pytestmark = pytest.mark.asyncio(loop_scope="module")

BY_WHAT = "By what should they be ranked?"
YEAR = "Which year do you mean?"
RANKED = """
who are our best customers
what are the top products
which region performs best
which channel is the best
which category does best
top 5 industries
our most important customers
worst products
show me the biggest accounts
biggest industries
what is our most popular product
who are our top 3 clients this year
most successful region in 2025
least successful products in 2024
strongest product category last year
rank the countries
"""
DATED = """
how many orders in March
revenue in Q2
how much did we sell in May
biggest orders in July
number of tickets in December
how many new customers in January
"""
NAMED = {
    "average price by category": "Which price do you mean?",
    "what is the highest price": "Which price do you mean?",
    "lowest price": "Which price do you mean?",
    "average price per month": "Which price do you mean?",
    "median price by region": "Which price do you mean?",
    "revenue by name": "Which name do you mean?",
    "which name has the highest revenue": "Which name do you mean?",
    "how many came through partner": "Which partner do you mean?",
    "sales through partner in 2025": "Which partner do you mean?",
}
LINES = "order_lines JOIN orders USING (order_id)"
PLAIN = {
    "how many orders did we get in 2024":
        "SELECT COUNT(*) FROM orders WHERE ordered_at LIKE '2024-%'",
    "how much did we sell in 2024":
        f"SELECT SUM(revenue) FROM {LINES} WHERE ordered_at LIKE '2024-%'",
    "average order value": "SELECT AVG(order_total) FROM orders",
    "list price of each product": "SELECT name, list_price FROM products",
    "show me the price per product": "SELECT name, list_price FROM products",
    "average list price by category": "SELECT category, AVG(list_price) FROM products GROUP BY 1",
    "average price before discount by category":
        "SELECT category, AVG(unit_price) FROM order_lines JOIN products USING (product_id) GROUP BY 1",
    "average price at launch by category": "SELECT category, AVG(list_price) FROM products GROUP BY 1",
    "number of refunds by reason": "SELECT reason, COUNT(*) FROM refunds GROUP BY 1",
    "total refund amount in 2025":
        "SELECT SUM(amount) FROM refunds WHERE refunded_on LIKE '2025-%'",
    "how many support tickets are open":
        "SELECT COUNT(*) FROM support_tickets WHERE closed_at IS NULL",
    "which product sold the most units":
        "SELECT name FROM order_lines JOIN products USING (product_id) GROUP BY product_id"
        " ORDER BY SUM(quantity) DESC LIMIT 1",
    "average satisfaction by topic":
        "SELECT topic, AVG(satisfaction) FROM support_tickets GROUP BY 1",
    "customers who never ordered":
        "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)",
    "average monthly fee by plan": "SELECT plan, AVG(monthly_fee) FROM subscriptions GROUP BY 1",
    "how many subscriptions ended in 2025":
        "SELECT COUNT(*) FROM subscriptions WHERE ended_on LIKE '2025-%'",
    "revenue of Furniture in March 2024":
        f"SELECT SUM(revenue) FROM {LINES} JOIN products USING (product_id)"
        " WHERE category = 'Furniture' AND ordered_at LIKE '2024-03-%'",
    "orders by channel": "SELECT channel, COUNT(*) FROM orders GROUP BY 1",
    "customers by channel": "SELECT acquisition_channel, COUNT(*) FROM customers GROUP BY 1",
    "how many customers came through search":
        "SELECT COUNT(*) FROM customers WHERE acquisition_channel = 'search'",
    "products that are no longer sold": "SELECT name FROM products WHERE NOT is_active",
    "revenue from Germany":
        f"SELECT SUM(revenue) FROM {LINES} JOIN customers USING (customer_id)"
        " WHERE country = 'Germany'",
    "orders by status": "SELECT status, COUNT(*) FROM orders GROUP BY 1",
    "average discount": "SELECT AVG(discount) FROM order_lines",
    "most expensive product": "SELECT name FROM products ORDER BY list_price DESC LIMIT 1",
    "most common refund reason":
        "SELECT reason FROM refunds GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1",
    "total quantity sold by category":
        "SELECT category, SUM(quantity) FROM order_lines JOIN products USING (product_id) GROUP BY 1",
    "customers by industry": "SELECT industry, COUNT(*) FROM customers GROUP BY 1",
    "revenue by product name":
        "SELECT name, SUM(revenue) FROM order_lines JOIN products USING (product_id)"
        " GROUP BY product_id",
    "rank the countries by revenue":
        f"SELECT country, SUM(revenue) FROM {LINES} JOIN customers USING (customer_id) GROUP BY 1",
}  # fmt: skip


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


async def asked(app: Product, question: str) -> str:
    end = await app.thread("demo_data").end(question)
    if isinstance(end, TurnPaused) and isinstance(end.decision, Clarification):
        return end.decision.question.partition(" (")[0]
    return "answered" if isinstance(end, TurnFinished) and not end.answer.refused else "refused"


@pytest.mark.parametrize(
    "expected",
    [
        dict.fromkeys(lines(RANKED), BY_WHAT),
        dict.fromkeys(lines(DATED), YEAR),
        NAMED,
    ],
    ids=["ranked", "dated", "named"],
)
async def test_what_has_several_meanings_is_asked(app: Product, expected: dict[str, str]):
    found = {question: await asked(app, question) for question in expected}

    assert found == expected


async def test_what_has_one_meaning_is_answered_rightly(app: Product, databases: dict[str, Path]):
    with closing(sqlite3.connect(databases["demo_data"])) as database:
        right = {question: database.execute(sql).fetchall() for question, sql in PLAIN.items()}

    found = {question: await app.thread("demo_data").ask(question) for question in PLAIN}

    assert [question for question in PLAIN if not _holds(found[question], right[question])] == []


def _holds(answer: Answer, right: list[tuple[object, ...]]) -> bool:
    """Say whether the rows shown are of the right ones, and there are as many in all."""
    table = answer.result.table if answer.result is not None else None
    if table is None or table.row_count != len(right):
        return False
    return {_written(row) for row in table.rows} <= {_written(row) for row in right}


def _written(row: Sequence[object]) -> str:
    return repr([f"{cell:.3f}" if isinstance(cell, int | float) else _text(cell) for cell in row])


def _text(cell: object) -> str:
    try:
        return f"{float(str(cell)):.3f}"
    except ValueError:
        return str(cell)
