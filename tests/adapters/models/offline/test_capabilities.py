import sqlite3

import pytest

from tests.kit.offline_shop import SCRIPT
from tests.kit.offline_talk import Talk

LINES = "order_lines l JOIN orders o USING (order_id)"
REVENUE = "SUM(l.quantity * l.unit_price)"


@pytest.fixture
def talk() -> Talk:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCRIPT)
    return Talk(connection)


def rows(talk: Talk, sql: str) -> list[tuple[object, ...]]:
    return [tuple(map(plain, row)) for row in talk.connection.execute(sql).fetchall()]


def plain(cell: object) -> object:
    return round(float(cell), 6) if isinstance(cell, int | float) else cell


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("How many orders are there?", "SELECT COUNT(*) FROM orders"),
        ("how many customers are from Spain", "SELECT COUNT(*) FROM customers WHERE country = 'Spain'"),
        ("average age of customers", "SELECT AVG(age) FROM customers"),
        ("what is the maximum list price of products?", "SELECT MAX(list_price) FROM products"),
        ("minimum and maximum age of customers", "SELECT MIN(age), MAX(age) FROM customers"),
        ("total quantity of order lines", "SELECT SUM(quantity) FROM order_lines"),
        ("how many different countries do customers come from?", "SELECT COUNT(DISTINCT country) FROM customers"),
        ("number of orders by channel", "SELECT channel, COUNT(*) FROM orders GROUP BY 1"),
        ("number of customers per region", "SELECT r.name, COUNT(*) FROM customers c JOIN regions r USING (region_id) GROUP BY 1"),
        ("number of orders by channel and status", "SELECT channel, status, COUNT(*) FROM orders GROUP BY 1, 2"),
        ("orders per month in 2025", "SELECT strftime('%Y-%m-01', ordered_at), COUNT(*) FROM orders WHERE ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' GROUP BY 1"),
        ("number of orders by year", "SELECT CAST(strftime('%Y', ordered_at) AS INTEGER), COUNT(*) FROM orders GROUP BY 1"),
        ("top 2 customers by number of orders", "SELECT c.name, COUNT(*) FROM orders o JOIN customers c USING (customer_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 2"),
        ("top 2 products by revenue", f"SELECT p.title, {REVENUE} FROM {LINES} JOIN products p USING (product_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 2"),
        ("revenue by channel", f"SELECT o.channel, {REVENUE} FROM {LINES} GROUP BY 1"),
        ("revenue by region in 2025", f"SELECT r.name, {REVENUE} FROM {LINES} JOIN customers c USING (customer_id) JOIN regions r USING (region_id) WHERE o.ordered_at >= '2025-01-01' GROUP BY 1"),
        ("which customers have no orders?", "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)"),
        ("names of customers older than 40", "SELECT name FROM customers WHERE age > 40"),
        ("which countries have more than 1 customer?", "SELECT country FROM customers GROUP BY 1 HAVING COUNT(*) > 1"),
        ("list the titles of products in the category Furniture", "SELECT title FROM products WHERE category = 'Furniture'"),
        ("which product has the highest list price?", "SELECT title FROM products ORDER BY list_price DESC LIMIT 1"),
        ("customers without an email", "SELECT name FROM customers WHERE email IS NULL"),
        ("how many orders in Q1 2025", "SELECT COUNT(*) FROM orders WHERE ordered_at >= '2025-01-01' AND ordered_at < '2025-04-01'"),
        ("how many orders in February 2025", "SELECT COUNT(*) FROM orders WHERE ordered_at >= '2025-02-01' AND ordered_at < '2025-03-01'"),
        ("how many orders between 2024-06-01 and 2024-07-31", "SELECT COUNT(*) FROM orders WHERE ordered_at >= '2024-06-01' AND ordered_at < '2024-08-01'"),
        ("how many web orders were delivered?", "SELECT COUNT(*) FROM orders WHERE channel = 'web' AND status = 'delivered'"),
        ("products cheaper than 100", "SELECT title FROM products WHERE list_price < 100"),
        ("customers who are older than the average", "SELECT name FROM customers WHERE age > (SELECT AVG(age) FROM customers)"),
        ("number of tickets by topic", "SELECT topic, COUNT(*) FROM tickets GROUP BY 1"),
        ("how many tickets are there for customers from Spain", "SELECT COUNT(*) FROM tickets t JOIN customers c USING (customer_id) WHERE c.country = 'Spain'"),
        ("median age of customers", "SELECT 39"),
        ("share of orders by channel", "SELECT channel, 1.0 * COUNT(*) / (SELECT COUNT(*) FROM orders) FROM orders GROUP BY 1"),
        ("most common channel of orders", "SELECT channel FROM orders GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1"),
    ],
)  # fmt: skip
async def test_gives_the_rows_of_the_hand_written_sql(talk: Talk, question: str, sql: str):
    told = await talk.ask(question)

    given = [tuple(map(plain, row)) for row in told.rows]
    assert sorted(map(repr, given)) == sorted(map(repr, rows(talk, sql))), told.sql[-1:]
