"""Kinds of questions that were once answered as other questions, on two databases each."""

import sqlite3

import pytest

from tests.bot.offline.gym import SCRIPT as GYM
from tests.kit.offline_shop import SCRIPT as SHOP
from tests.kit.offline_talk import Talk, Told

CASES = "UPDATE orders SET channel = 'WEB' WHERE order_id = 1;"
STATES = "UPDATE Member SET State = 'Active' WHERE MemberId = 2;"
DATABASES = {"shop": SHOP, "gym": GYM, "shop in two cases": SHOP + CASES, "gym in two cases": GYM + STATES}  # fmt: skip
PAID = "SELECT b.BranchName, SUM(p.Amount) AS paid FROM Payment p JOIN Member USING (MemberId) JOIN Branch b USING (BranchId) GROUP BY b.BranchId"
STAYED = "SELECT b.BranchName, SUM(c.Minutes) AS stayed FROM Checkin c JOIN Member USING (MemberId) JOIN Branch b USING (BranchId) GROUP BY b.BranchId"
BOTH = "SELECT MemberId FROM Payment WHERE PaidOn LIKE '2025-01%' INTERSECT SELECT MemberId FROM Payment WHERE PaidOn LIKE '2025-03%'"
BY_MONTH = "SELECT date(PaidOn, 'start of month') AS m, SUM(Amount) AS a FROM Payment GROUP BY m"


async def asked(database: str, question: str) -> tuple[sqlite3.Connection, Told]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(DATABASES[database])
    return connection, await Talk(connection).ask(question)


def figures(rows: list[tuple[object, ...]]) -> list[str]:
    return sorted(
        repr([round(float(c), 6) if isinstance(c, int | float) else c for c in row]) for row in rows
    )


@pytest.mark.parametrize(
    ("database", "question", "sql"),
    [
        # which values there are: each once
        ("shop", "which product categories are there", "SELECT DISTINCT category FROM products"),
        ("shop", "which countries do our customers come from", "SELECT DISTINCT country FROM customers"),
        ("gym", "which cities are there", "SELECT DISTINCT City FROM Branch"),
        # the period itself is asked for
        ("shop", "in which year were the most orders placed", "SELECT 2025, 4"),
        ("gym", "which month of 2025 had the highest total amount of payments", f"{BY_MONTH} ORDER BY a DESC LIMIT 1"),
        ("gym", "in which month were the most checkins", "SELECT date(HappenedAt, 'start of month') AS m, COUNT(*) AS n FROM Checkin GROUP BY m ORDER BY n DESC LIMIT 1"),
        # what happened each month is dated by its own day
        ("shop", "how many orders were shipped each month in 2025", "SELECT date(shipped_on, 'start of month') AS m, COUNT(*) FROM orders WHERE shipped_on >= '2025-01-01' GROUP BY m"),
        ("shop", "how many tickets closed each month", "SELECT date(closed_at, 'start of month') AS m, COUNT(*) FROM tickets WHERE closed_at IS NOT NULL GROUP BY m"),
        # a share of all groups, within a period
        ("shop", "share of orders by channel in 2024", "SELECT channel, COUNT(*) / 3.0 FROM orders WHERE ordered_at < '2025-01-01' GROUP BY channel"),
        ("gym", "share of payments by plan in 2025", "SELECT Plan, COUNT(*) / 600.0 FROM Payment JOIN Member USING (MemberId) GROUP BY Plan"),
        # then as well as then
        ("shop", "how many customers ordered in 2024 as well as in 2025", "SELECT 1"),
        ("shop", "how many customers ordered in both 2024 and 2025", "SELECT 1"),
        ("gym", "how many members paid in January 2025 as well as in March 2025", f"SELECT COUNT(*) FROM ({BOTH})"),
        # the clause is over where the main verb comes
        ("shop", "what share of the customers who signed up in 2023 ordered in 2025", "SELECT 0.5"),
        ("gym", "what share of the members who joined in 2023 paid in January 2025", "SELECT AVG(MemberId IN (SELECT MemberId FROM Payment WHERE PaidOn LIKE '2025-01%')) FROM Member WHERE JoinedOn < '2024-01-01'"),
        # two letter cases are one value
        ("shop in two cases", "how many web orders are there", "SELECT 4"),
        ("shop in two cases", "number of orders by channel", "SELECT LOWER(channel), COUNT(*) FROM orders GROUP BY 1"),
        ("gym in two cases", "number of members by state", "SELECT LOWER(State), COUNT(*) FROM Member GROUP BY 1"),
        # added up over time
        ("shop", "cumulative number of orders by year", "SELECT 2024, 3 UNION SELECT 2025, 7"),
        ("gym", "running total of payments by month in 2025", f"SELECT m, SUM(a) OVER (ORDER BY m) FROM ({BY_MONTH})"),
        # two periods beside each other, of each group
        ("shop", "number of orders by channel in 2024 compared with 2025", "SELECT channel, CAST(strftime('%Y', ordered_at) AS INTEGER), COUNT(*) FROM orders GROUP BY 1, 2"),
        # by a name and a period
        ("gym", "total amount of payments by plan and month", "SELECT Plan, date(PaidOn, 'start of month'), SUM(Amount) FROM Payment JOIN Member USING (MemberId) GROUP BY 1, 2"),
        # a change as a part of what was before
        ("gym", "by how many percent did the total amount of payments grow from January 2025 to February 2025", "SELECT a, b, b - a, 100.0 * (b - a) / a FROM (SELECT SUM(Amount) AS a FROM Payment WHERE PaidOn LIKE '2025-01%'), (SELECT SUM(Amount) AS b FROM Payment WHERE PaidOn LIKE '2025-02%')"),
        ("shop", "by what percentage did the number of orders grow from 2024 to 2025", "SELECT 3, 4, 1, 100.0 / 3"),
        # how much, of what has no name
        ("gym", "what is the largest payment", "SELECT MAX(Amount) FROM Payment"),
        ("shop", "what is the most expensive product", "SELECT 'Oak Desk'"),
        # when a thing was sold, not when it came to be
        ("shop", "how many different products were sold in 2024", "SELECT 3"),
        # of that year
        ("shop", "how many orders of 2024 were returned", "SELECT 1"),
        ("gym", "how many payments of 2025 are there", "SELECT 600"),
        # what has no day has not happened
        ("shop", "how many orders have not been shipped yet", "SELECT 1"),
        ("shop", "how many tickets have not been closed yet", "SELECT 2"),
        # days whose year follows
        ("shop", "how many orders between 1 June and 2 July 2024", "SELECT 2"),
        ("gym", "total amount of payments from February to March 2025", "SELECT SUM(Amount) FROM Payment WHERE PaidOn >= '2025-02-01' AND PaidOn < '2025-04-01'"),
        ("gym", "total amount of payments between 20 February and 3 March 2025", "SELECT SUM(Amount) FROM Payment WHERE PaidOn >= '2025-02-20' AND PaidOn < '2025-03-04'"),
        # differences within a row
        ("shop", "how many days pass on average between an order and its shipping", "SELECT AVG(julianday(shipped_on) - julianday(ordered_at)) FROM orders"),
        ("shop", "average difference between unit price and quantity", "SELECT AVG(unit_price - quantity) FROM order_lines"),
        # a table is the one that is called so, not one whose name goes on
        ("shop", "number of orders and total quantity by customer", "SELECT name, COUNT(DISTINCT order_id), SUM(quantity) FROM customers JOIN orders USING (customer_id) JOIN order_lines USING (order_id) GROUP BY customer_id"),
        ("gym", "latest payment date and total minutes of checkins", "SELECT (SELECT MAX(PaidOn) FROM Payment), (SELECT SUM(Minutes) FROM Checkin)"),
        # the day of a thing, beside it
        ("shop", "list the customers with the day on which they signed up", "SELECT name, signed_up_on FROM customers"),
        ("gym", "members and the date when each joined", "SELECT Nickname, JoinedOn FROM Member"),
        # figures of two tables multiply none of each other
        ("gym", "total amount of payments and total minutes of checkins by branch", f"SELECT BranchName, paid, stayed FROM ({PAID}) JOIN ({STAYED}) USING (BranchName)"),
        ("gym", "total amount of payments and total minutes of checkins", "SELECT (SELECT SUM(Amount) FROM Payment), (SELECT SUM(Minutes) FROM Checkin)"),
    ],
)  # fmt: skip
async def test_gives_the_rows_of_the_hand_written_sql(database: str, question: str, sql: str):
    connection, told = await asked(database, question)

    assert told.sql, told.text
    assert figures(told.rows) == figures(connection.execute(sql).fetchall()), told.sql


@pytest.mark.parametrize(
    ("database", "question"), [("shop", "which customer is the best"), ("gym", "which branch is the worst")]
)  # fmt: skip
async def test_asks_back_by_what_the_best_is_told(database: str, question: str):
    _, told = await asked(database, question)

    assert told.options, told
    assert not told.sql


@pytest.mark.parametrize(
    ("database", "question", "told_of"),
    [
        ("shop", "what does the column list price mean", "products.list_price"),
        ("gym", "explain the field Minutes", "Checkin.Minutes"),
    ],
)
async def test_tells_what_a_column_holds(database: str, question: str, told_of: str):
    _, told = await asked(database, question)

    assert told_of in told.text
    assert not told.sql


async def test_a_month_without_a_year_is_of_every_year_only_where_that_was_chosen():
    connection = sqlite3.connect(":memory:")
    connection.executescript(DATABASES["shop"])

    told = await Talk(connection).ask("how many orders in June", answer="every year")

    assert told.options == ("June 2025", "June 2024", "every year")
    assert "of every year" in told.text


async def test_a_month_with_its_year_is_not_asked_for():
    _, told = await asked("shop", "how many orders in June 2024")

    assert not told.options
    assert "of every year" not in told.text


async def test_totals_of_figures_that_do_not_add_up_do_not_run():
    _, told = await asked("gym", "cumulative total of the average amount of payments by plan")

    assert told.refused, told.sql


async def test_two_groups_of_one_name_stay_two_where_figures_are_reckoned_apart():
    connection = sqlite3.connect(":memory:")
    connection.executescript(GYM + "UPDATE Branch SET BranchName = 'Dockyard';")
    question = "average amount of payments and total minutes of checkins by branch"

    told = await Talk(connection).ask(question)

    average = PAID.replace("SUM(p.Amount)", "AVG(p.Amount)").replace("b.BranchName", "b.BranchId")
    stayed = STAYED.replace("b.BranchName", "b.BranchId")
    wanted = f"SELECT 'Dockyard', paid, stayed FROM ({average}) JOIN ({stayed}) USING (BranchId)"
    assert figures(told.rows) == figures(connection.execute(wanted).fetchall()), told.sql


SHOPS = """
CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE sales (
    sale_id INTEGER PRIMARY KEY, shop_id INTEGER REFERENCES shops (shop_id), sold_on DATE, amount REAL
);
CREATE TABLE refunds (
    refund_id INTEGER PRIMARY KEY, shop_id INTEGER REFERENCES shops (shop_id), paid_on DATE, amount REAL
);
INSERT INTO shops VALUES (1, 'Quay'), (2, 'Hill');
INSERT INTO sales VALUES (1, 1, '2025-01-01', 10), (2, 1, '2025-02-01', 20), (3, 2, '2025-01-01', 5);
INSERT INTO refunds VALUES (1, 1, '2025-01-02', 1), (2, 1, '2025-01-03', 2);
"""


async def test_a_group_without_one_of_two_figures_stays_and_figures_of_one_name_say_their_table():
    connection = sqlite3.connect(":memory:")
    connection.executescript(SHOPS)

    told = await Talk(connection).ask("total amount of sales and total amount of refunds by shop")

    assert told.columns == ("name", "sales_total_amount", "refunds_total_amount")
    assert sorted(told.rows) == [("Hill", 5, None), ("Quay", 30, 3)]
