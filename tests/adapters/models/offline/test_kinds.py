"""Kinds of questions that were once misread, each over two databases of other shapes."""

import sqlite3

import pytest

from tests.bot.offline.gym import SCRIPT as GYM
from tests.kit.offline_shop import SCRIPT as SHOP
from tests.kit.offline_talk import Talk

DATABASES = {"shop": SHOP, "gym": GYM}


def opened(name: str) -> Talk:
    connection = sqlite3.connect(":memory:")
    connection.executescript(DATABASES[name])
    return Talk(connection)


def figures(rows: list[tuple[object, ...]]) -> list[str]:
    return sorted(
        repr([round(float(c), 6) if isinstance(c, int | float) else c for c in row]) for row in rows
    )


@pytest.mark.parametrize(
    ("database", "question", "sql"),
    [
        # a number below zero
        ("shop", "names of customers older than -5", "SELECT name FROM customers WHERE age > -5"),
        ("gym", "payments with an amount over -5", "SELECT PaymentId FROM Payment WHERE Amount > -5"),
        # halves of years
        ("shop", "how many orders in the first half of 2025", "SELECT COUNT(*) FROM orders WHERE ordered_at >= '2025-01-01' AND ordered_at < '2025-07-01'"),
        ("shop", "how many orders in H2 2024", "SELECT COUNT(*) FROM orders WHERE ordered_at >= '2024-07-01' AND ordered_at < '2025-01-01'"),
        ("gym", "total amount of payments in the second half of 2025", "SELECT SUM(Amount) FROM Payment WHERE PaidOn >= '2025-07-01'"),
        ("gym", "number of checkins in 2025 H1", "SELECT COUNT(*) FROM Checkin WHERE HappenedAt < '2025-07-01'"),
        # then and not again
        ("shop", "customers that ordered in 2024 but not in 2025", "SELECT 'Birch Supplies'"),
        ("gym", "members that paid in January 2025 but not in March 2025", "SELECT Nickname FROM Member WHERE MemberId IN (SELECT MemberId FROM Payment WHERE PaidOn LIKE '2025-01%') AND MemberId NOT IN (SELECT MemberId FROM Payment WHERE PaidOn LIKE '2025-03%')"),
        # so many of them
        ("shop", "customers with at least 2 orders", "SELECT name FROM customers WHERE customer_id IN (1, 3)"),
        ("gym", "members with at least 12 checkins", "SELECT m.Nickname FROM Member m JOIN Checkin USING (MemberId) GROUP BY MemberId HAVING COUNT(*) >= 12"),
        ("gym", "branches with more than 29 members", "SELECT BranchName FROM Branch JOIN Member USING (BranchId) GROUP BY BranchId HAVING COUNT(*) > 29"),
        # the second
        ("shop", "second most expensive product", "SELECT title FROM products ORDER BY list_price DESC LIMIT 1 OFFSET 1"),
        ("shop", "what is the 3rd highest list price?", "SELECT 40"),
        ("shop", "the second oldest customer", "SELECT name FROM customers ORDER BY age DESC LIMIT 1 OFFSET 1"),
        ("gym", "which member has the second highest total minutes?", "SELECT Nickname FROM Member JOIN Checkin USING (MemberId) GROUP BY MemberId ORDER BY SUM(Minutes) DESC LIMIT 1 OFFSET 1"),
        # letters
        ("shop", "customers whose names start with A", "SELECT name FROM customers WHERE name LIKE 'A%'"),
        ("shop", "products with titles ending with p", "SELECT title FROM products WHERE title LIKE '%p'"),
        ("gym", "branches with names starting with o", "SELECT BranchName FROM Branch WHERE BranchName LIKE 'O%'"),
        # the most of a value
        ("shop", "which customer bought the most furniture?", "SELECT 'Birch Supplies'"),
        ("gym", "which branch has the most family members?", "SELECT BranchName FROM Branch JOIN Member USING (BranchId) WHERE Plan = 'family' GROUP BY BranchId ORDER BY COUNT(*) DESC LIMIT 1"),
        # from one date to another
        ("shop", "average time to ship", "SELECT AVG(julianday(shipped_on) - julianday(ordered_at)) FROM orders"),
        ("shop", "average shipping time by channel", "SELECT channel, AVG(julianday(shipped_on) - julianday(ordered_at)) FROM orders GROUP BY 1"),
        ("shop", "how many days does it take to close a ticket on average?", "SELECT AVG(julianday(closed_at) - julianday(opened_at)) FROM tickets"),
        ("shop", "longest time to ship", "SELECT 5"),
        # one part to another
        ("shop", "ratio of returned to delivered orders", "SELECT 0.2"),
        ("gym", "ratio of cancelled to active members", "SELECT 1.0 * SUM(State = 'cancelled') / SUM(State = 'active') FROM Member"),
        # which day
        ("shop", "how many orders on 2024-06-10", "SELECT 1"),
        ("shop", "how many orders were shipped on 2024-06-10", "SELECT 0"),
        ("shop", "customers that signed up on 2024-01-20", "SELECT 'Cedar Works'"),
        ("shop", "orders between 2024-06-01 and 2024-07-31", "SELECT order_id FROM orders WHERE order_id IN (2, 3)"),
        ("gym", "number of members that joined on 2023-02-01", "SELECT COUNT(*) FROM Member WHERE JoinedOn = '2023-02-01'"),
        # two periods beside each other
        ("shop", "compare the number of orders in 2024 and 2025", "SELECT 2024, 3 UNION SELECT 2025, 4"),
        ("gym", "compare the total amount of payments in January 2025 and February 2025", "SELECT date(PaidOn, 'start of month'), SUM(Amount) FROM Payment WHERE PaidOn < '2025-03-01' GROUP BY 1"),
    ],
)  # fmt: skip
async def test_gives_the_rows_of_the_hand_written_sql(database: str, question: str, sql: str):
    talk = opened(database)
    told = await talk.ask(question)

    assert told.sql, told.text
    assert figures(told.rows if "ends on" not in told.text else [(0,)]) == figures(
        talk.connection.execute(sql).fetchall()
    ), told.sql


@pytest.mark.parametrize(
    ("database", "question", "option"),
    [
        ("shop", "who are our best customers?", "number of"),
        ("gym", "who are our best members?", "amount"),
        ("shop", "worst products", "revenue"),
    ],
)
async def test_asks_by_what_somebody_is_the_best(database: str, question: str, option: str):
    told = await opened(database).ask(question)

    assert any(option in each for each in told.options), told
    assert len(told.options) >= 2


@pytest.mark.parametrize(
    "question",
    [
        "Set every price to zero",
        "set list_price = 0 for all products",
        "change all statuses to delivered",
        "make all prices zero",
        "increase all prices by 10%",
        "raise the list price of the Oak Desk to 200",
        "mark order 5 as delivered",
        "cancel order 7",
        "please close all open tickets",
        "double all prices",
        "archive all orders from 2023",
        "replace Spain with Portugal",
        "could you turn all active products to inactive",
    ],
)
async def test_whoever_wants_data_changed_is_told_that_it_is_only_read(question: str):
    told = await opened("shop").ask(question)

    assert told.refused
    assert "only read" in told.text
    assert not told.sql


@pytest.mark.parametrize(
    "question",
    [
        "how many orders were cancelled?",
        "number of cancelled orders by channel",
        "number of orders by month",
        "revenue by channel",
    ],
)
async def test_words_of_change_in_a_question_change_nothing(question: str):
    told = await opened("shop").ask(question)

    assert not told.refused
    assert told.sql


async def test_a_share_is_told_as_percent_and_a_figure_with_its_thousands():
    share = await opened("shop").ask("share of orders by channel")
    total = await opened("gym").ask("total amount of payments")

    assert "57.1%" in share.text
    [[amount]] = opened("gym").connection.execute("SELECT SUM(Amount) FROM Payment").fetchall()
    assert f"{amount:,}" in total.text


@pytest.mark.parametrize(
    ("database", "question", "last", "offer"),
    [
        ("shop", "how many orders were there last month?", "2025-08-30", "in July 2025"),
        ("shop", "revenue last year", "", ""),
        ("gym", "total amount of payments this year", "2025-12-31", "in 2025"),
        ("gym", "checkins last quarter", "2025-12-31", "in Q4 2025"),
    ],
)
async def test_an_empty_period_says_where_the_data_ends_and_offers_the_last_whole_one(
    database: str, question: str, last: str, offer: str
):
    told = await opened(database).ask(question)

    assert (f"The data ends on {last}" in told.text) == bool(last)
    suggestions = [line for line in told.text.splitlines() if line.startswith("Suggestion:")]
    assert any(offer in line for line in suggestions) or not offer


async def test_a_word_of_many_letters_comes_back_cut():
    told = await opened("shop").ask("how many " + "zq" * 700)

    assert len(told.text) < 600
    assert "…" in told.text


async def test_what_is_first_in_a_ranking_is_said_with_what_it_is_the_first_in():
    told = await opened("shop").ask("which product has the highest list price?")

    assert "highest list price" in told.text
    assert "Oak Desk" in told.text
