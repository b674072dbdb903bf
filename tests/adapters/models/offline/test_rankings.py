"""The first of a ranking, of all and within groups, over two databases of other shapes."""

import sqlite3

import pytest

from tests.bot.offline.gym import SCRIPT as GYM
from tests.kit.offline_shop import SCRIPT as SHOP
from tests.kit.offline_talk import Talk

DATABASES = {"shop": SHOP, "gym": GYM}
REVENUE = "SUM(l.quantity * l.unit_price)"
LINES = "order_lines l JOIN orders o USING (order_id) JOIN customers c USING (customer_id)"


def opened(name: str) -> Talk:
    connection = sqlite3.connect(":memory:")
    connection.executescript(DATABASES[name])
    return Talk(connection)


def rows(talk: Talk, sql: str) -> list[tuple[object, ...]]:
    return rounded(talk.connection.execute(sql).fetchall())


def rounded(found: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [tuple(round(c, 6) if isinstance(c, float) else c for c in row) for row in found]


def first(inner: str, *, many: int = 1, of: str, by: str, shown: str) -> str:
    """Write by hand what ranks rows within groups: those with fewer than `many` before them."""
    return (
        f"WITH t AS ({inner}) SELECT {shown} FROM t WHERE (SELECT COUNT(*) FROM t AS other "
        f"WHERE other.{of} = t.{of} AND other.{by} > t.{by}) < {many} ORDER BY {of}, {by} DESC"
    )


BY_REGION = f"SELECT r.name AS region, c.name AS name, {REVENUE} AS worth FROM {LINES} JOIN regions r USING (region_id) GROUP BY c.customer_id"
BY_CATEGORY = "SELECT category, title, list_price FROM products"
BY_BRANCH = "SELECT BranchName, Nickname, SUM(Minutes) AS worth FROM Branch JOIN Member USING (BranchId) JOIN Checkin USING (MemberId) GROUP BY MemberId"


@pytest.mark.parametrize(
    ("database", "question", "sql"),
    [
        ("shop", "top customer by revenue in each region", first(BY_REGION, of="region", by="worth", shown="*")),
        ("shop", "top customer in each region by revenue", first(BY_REGION, of="region", by="worth", shown="*")),
        ("shop", "top 2 customers by revenue per region", first(BY_REGION, many=2, of="region", by="worth", shown="*")),
        ("shop", "which customer has the highest revenue in each region?", first(BY_REGION, of="region", by="worth", shown="*")),
        ("shop", "most expensive product in each category", first(BY_CATEGORY, of="category", by="list_price", shown="*")),
        ("gym", "top 3 members by total minutes in each branch", first(BY_BRANCH, many=3, of="BranchName", by="worth", shown="*")),
    ],
)  # fmt: skip
async def test_each_group_has_a_ranking_of_its_own(database: str, question: str, sql: str):
    talk = opened(database)

    told = await talk.ask(question)

    assert sorted(map(repr, rounded(told.rows))) == sorted(map(repr, rows(talk, sql))), told.sql


async def test_the_first_of_each_group_is_named_with_its_figure():
    told = await opened("shop").ask("top customer in each region by revenue")

    assert "top of each region. North: Amber Trading with 590" in told.text


@pytest.mark.parametrize(
    ("database", "question", "sql"),
    [
        ("shop", "which 2 customers have the most orders?", "SELECT name, COUNT(*) FROM customers JOIN orders USING (customer_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 2"),
        ("shop", "the 2 customers with the most orders", "SELECT name, COUNT(*) FROM customers JOIN orders USING (customer_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 2"),
        ("shop", "top 2 categories by revenue", f"SELECT category, {REVENUE} FROM order_lines l JOIN products USING (product_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 2"),
        ("gym", "which 2 branches have the most members?", "SELECT BranchName, COUNT(*) FROM Branch JOIN Member USING (BranchId) GROUP BY 1 ORDER BY 2 DESC LIMIT 2"),
        ("gym", "show the 2 plans with the highest average age", "SELECT Plan FROM Member GROUP BY 1 ORDER BY AVG(Age) DESC LIMIT 2"),
    ],
)  # fmt: skip
async def test_a_number_before_the_things_says_how_many(database: str, question: str, sql: str):
    talk = opened(database)

    told = await talk.ask(question)

    assert rounded(told.rows) == rows(talk, sql), told.sql


@pytest.mark.parametrize(
    ("database", "question", "sql"),
    [
        ("shop", "last 2 orders", "SELECT order_id, ordered_at FROM orders ORDER BY 2 DESC LIMIT 2"),
        ("shop", "the last 2 orders of Amber Trading", "SELECT order_id, ordered_at FROM orders WHERE customer_id = 1 ORDER BY 2 DESC LIMIT 2"),
        ("shop", "first 2 customers", "SELECT name, signed_up_on FROM customers ORDER BY 2 LIMIT 2"),
        ("shop", "customers in Spain with their age", "SELECT name, age FROM customers WHERE country = 'Spain' ORDER BY 1"),
        ("shop", "revenue of customers in Spain", f"SELECT {REVENUE} FROM {LINES} WHERE country = 'Spain'"),
    ],
)  # fmt: skip
async def test_short_forms_mean_what_they_mean(database: str, question: str, sql: str):
    talk = opened(database)

    told = await talk.ask(question)

    assert rounded(told.rows) == rows(talk, sql), told.sql


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("average revenue per customer", f"SELECT {REVENUE} / COUNT(DISTINCT customer_id) FROM {LINES}"),
        ("average revenue per order in 2025", f"SELECT {REVENUE} / COUNT(DISTINCT order_id) FROM {LINES} WHERE ordered_at >= '2025-01-01'"),
        ("revenue per customer by region in 2025", f"SELECT r.name, {REVENUE} / COUNT(DISTINCT customer_id) FROM {LINES} JOIN regions r USING (region_id) WHERE ordered_at >= '2025-01-01' GROUP BY 1"),
    ],
)  # fmt: skip
async def test_the_average_of_what_adds_up_is_of_things_and_not_of_lines(question: str, sql: str):
    talk = opened("shop")

    told = await talk.ask(question)

    assert sorted(map(repr, rounded(told.rows))) == sorted(map(repr, rows(talk, sql))), told.sql


async def test_what_makes_a_thing_popular_is_asked():
    told = await opened("shop").ask("what is the most popular product?")

    assert "number of order lines" in " ".join(told.options)


async def test_a_negative_word_is_not_told_as_its_opposite():
    told = await opened("shop").ask("how many products are inactive")

    assert told.rows == [(1,)]
    assert "not active" in told.text


async def test_numbers_that_are_names_have_no_commas():
    talk = opened("shop")
    talk.connection.execute("UPDATE order_lines SET order_id = 12345 WHERE order_id = 3")
    talk.connection.execute("UPDATE orders SET order_id = 12345 WHERE order_id = 3")

    told = await talk.ask("last 5 orders")

    assert "12345" in told.text
    assert "12,345" not in told.text


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("refunds as a share of revenue by year", "SELECT 2024, 60.0 / 980 UNION ALL SELECT 2025, 15.0 / 680"),
        ("refunds as a share of revenue", "SELECT 75.0 / 1660"),
    ],
)  # fmt: skip
async def test_figures_of_two_tables_are_divided_group_by_group(question: str, sql: str):
    talk = opened("shop")
    talk.connection.executescript(
        "CREATE TABLE refunds (refund_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL"
        " REFERENCES orders (order_id), refunded_on DATE NOT NULL, amount REAL NOT NULL);"
        "INSERT INTO refunds VALUES (1, 1, '2024-02-01', 40), (2, 3, '2024-08-01', 20),"
        " (3, 4, '2025-02-01', 15);"
    )

    told = await talk.ask(question)

    assert rounded(told.rows) == rows(talk, sql), told.sql


async def test_the_lowest_are_not_called_the_highest():
    told = await opened("shop").ask("bottom 2 customers by revenue")

    assert "lowest 2: lowest is" in told.text
    assert "highest" not in told.text


@pytest.mark.parametrize(
    ("database", "question", "sql"),
    [
        ("shop", "what percentage of customers have opened a ticket?", "SELECT 60.0"),
        ("shop", "share of customers that opened a ticket in April 2025", "SELECT 0.2"),
        ("gym", "what percentage of members have a payment", "SELECT 100.0 * COUNT(DISTINCT MemberId) / 90 FROM Payment"),
        # so often
        ("shop", "how many customers ordered more than 2 times", "SELECT 1"),
        ("shop", "customers who ordered at least 2 times in 2024", "SELECT 'Amber Trading'"),
        ("shop", "orders that contain at least 2 lines", "SELECT 1"),
    ],
)  # fmt: skip
async def test_what_belongs_to_rows_tells_them_apart(database: str, question: str, sql: str):
    talk = opened(database)

    told = await talk.ask(question)

    assert rounded(told.rows) == rows(talk, sql), told.sql
