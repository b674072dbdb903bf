import sqlite3

import pytest

from tests.kit.offline_shop import SCRIPT
from tests.kit.offline_talk import Talk

REVENUE = "SUM(l.quantity * l.unit_price)"


@pytest.fixture
def talk() -> Talk:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCRIPT)
    return Talk(connection)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how did the number of orders grow from 2024 to 2025", "SELECT 3, 4, 1"),
        ("share of revenue by category", f"SELECT p.category, {REVENUE} / (SELECT SUM(quantity * unit_price) FROM order_lines) FROM order_lines l JOIN products p USING (product_id) GROUP BY 1"),
        ("what share of orders was returned", "SELECT AVG(status = 'returned') FROM orders"),
        ("revenue per customer", f"SELECT c.name, {REVENUE} FROM order_lines l JOIN orders USING (order_id) JOIN customers c USING (customer_id) GROUP BY 1"),
        ("bottom 2 products by list price", "SELECT title, list_price FROM products ORDER BY 2 LIMIT 2"),
        ("the 3 oldest customers", "SELECT name, age FROM customers ORDER BY 2 DESC LIMIT 3"),
        ("customers who ordered both Desk Lamp and Ball Pen", "SELECT 'Amber Trading' UNION SELECT 'Cedar Works'"),
        ("products never sold", "SELECT 'Old Chair'"),
        ("average number of orders per customer", "SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM orders GROUP BY customer_id)"),
        ("number of orders and revenue by channel", f"SELECT o.channel, COUNT(DISTINCT o.order_id), {REVENUE} FROM orders o JOIN order_lines l USING (order_id) GROUP BY 1"),
        ("products whose title contains Desk", "SELECT title FROM products WHERE title LIKE '%Desk%'"),
        ("difference between highest and lowest list price", "SELECT 298"),
        ("how many customers signed up each year", "SELECT CAST(strftime('%Y', signed_up_on) AS INTEGER), COUNT(*) FROM customers GROUP BY 1"),
        ("distinct topics of tickets", "SELECT DISTINCT topic FROM tickets"),
        ("tickets that are not closed", "SELECT ticket_id FROM tickets WHERE closed_at IS NULL"),
        ("count products per category where list price is above 50", "SELECT 'Furniture', 2"),
        ("total revenue in 2024 and 2025 by channel", f"SELECT o.channel, {REVENUE} FROM orders o JOIN order_lines l USING (order_id) GROUP BY 1"),
    ],
)  # fmt: skip
async def test_reads_further_wordings(talk: Talk, question: str, sql: str):
    told = await talk.ask(question)

    assert figures(told.rows) == figures(talk.connection.execute(sql).fetchall()), told.sql


def figures(rows: list[tuple[object, ...]]) -> list[str]:
    return sorted(
        repr([round(float(c), 9) if isinstance(c, int | float) else c for c in row]) for row in rows
    )


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("what columns does customers have", "signed_up_on"),
        ("describe orders", "points at customers.customer_id"),
        ("list all tables", "order_lines"),
        ("which tables are there", "There are 6 tables"),
        ("what can you do", "offline analyst"),
        ("who are you", "offline analyst"),
        ("thanks", "welcome"),
        ("hello", "offline analyst"),
        ("go on", "nothing open in this thread"),
        ("Continue, please.", "nothing open in this thread"),
        ("yes, go ahead with the next step", "nothing open in this thread"),
        ("carry on with the rest", "nothing open in this thread"),
        ("next", "nothing open in this thread"),
        ("second most expensive zebra", "customers"),
    ],
)
async def test_says_what_is_there_and_what_it_is(talk: Talk, question: str, words: str):
    told = await talk.ask(question)

    assert words in told.text
    assert not told.sql


async def test_asks_what_to_rank_by_and_goes_on_with_the_choice(talk: Talk):
    asked = await talk.ask("top products")
    told = await Talk(talk.connection).ask("top products", answer=asked.options[0])

    best = f"SELECT p.title, {REVENUE} FROM order_lines l JOIN products p USING (product_id) GROUP BY 1"
    assert "revenue" in asked.options[0]
    assert figures(told.rows)[:1] == figures(talk.connection.execute(best).fetchall())[:1]


DEALS = """
CREATE TABLE "sales reps" ("rep id" INTEGER PRIMARY KEY, "full name" TEXT, "group" TEXT);
CREATE TABLE "big deals" (
    "deal id" INTEGER PRIMARY KEY, "rep id" INTEGER REFERENCES "sales reps" ("rep id"),
    "total amount" REAL, "closed on" DATE
);
INSERT INTO "sales reps" VALUES (1, 'Amber', 'x'), (2, 'Birch', 'y');
INSERT INTO "big deals" VALUES
    (1, 1, 10, '2025-01-02'), (2, 1, 20, '2025-02-02'), (3, 2, 5, '2025-02-03');
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many sales reps are there?", [(2,)]),
        ("number of sales reps by group", [("x", 1), ("y", 1)]),
        ("total amount by sales rep", [("Amber", 30), ("Birch", 5)]),
        ("sum of total amount by month", [("2025-01-01", 10), ("2025-02-01", 25)]),
        ("number of big deals per sales rep", [("Amber", 2), ("Birch", 1)]),
        ("median total amount by group", [("x", 15), ("y", 5)]),
        ("maximum total amount", [(20,)]),
    ],
)
async def test_names_of_several_words_and_words_of_sql_name_figures_too(
    question: str, rows: list[tuple[object, ...]]
):
    connection = sqlite3.connect(":memory:")
    connection.executescript(DEALS)

    told = await Talk(connection).ask(question)

    assert figures(told.rows) == figures(rows), told.sql


async def test_what_goes_on_with_nothing_changes_nothing_of_the_thread(talk: Talk):
    await talk.ask("how many orders are there?")
    told = await talk.ask("go on")
    after = await talk.ask("by channel")

    assert told.sql == []
    sql = "SELECT channel, COUNT(*) FROM orders GROUP BY 1"
    assert sorted(after.rows) == talk.connection.execute(f"{sql} ORDER BY 1").fetchall()
