"""What managers ask in plain words: bands, duplicates, gaps, states and figures side by side."""

import sqlite3
from collections import Counter

import pytest

from tests.kit.offline_shop import SCRIPT as SHOP
from tests.kit.offline_talk import Talk, Told

LIBRARY = """
CREATE TABLE branches (branch_id INTEGER PRIMARY KEY, branch_name TEXT NOT NULL);
CREATE TABLE readers (
    reader_id INTEGER PRIMARY KEY, age INTEGER, email TEXT,
    branch_id INTEGER NOT NULL REFERENCES branches (branch_id), card_expires_on DATE
);
CREATE TABLE books (
    book_id INTEGER PRIMARY KEY, title TEXT NOT NULL, published_year INTEGER NOT NULL,
    pages INTEGER NOT NULL, is_available BOOLEAN NOT NULL
);
CREATE TABLE copies (
    copy_id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES books (book_id),
    copies_on_shelf INTEGER NOT NULL, minimum_copies INTEGER NOT NULL
);
CREATE TABLE loans (
    loan_id INTEGER PRIMARY KEY, reader_id INTEGER NOT NULL REFERENCES readers (reader_id),
    book_id INTEGER NOT NULL REFERENCES books (book_id), borrowed_on DATE NOT NULL, returned_on DATE
);
CREATE TABLE fines (
    fine_id INTEGER PRIMARY KEY, loan_id INTEGER NOT NULL REFERENCES loans (loan_id),
    amount REAL NOT NULL, status TEXT NOT NULL, issued_on DATE NOT NULL
);
INSERT INTO branches VALUES (1, 'Central'), (2, 'Harbour');
INSERT INTO readers VALUES
    (1, 9, 'a@example.org', 1, '2027-01-01'), (2, 14, 'b@example.org', 1, NULL),
    (3, 17, 'a@example.org', 2, '2025-05-05'), (4, 38, NULL, 2, NULL), (5, 31, NULL, 2, NULL);
INSERT INTO books VALUES
    (1, 'Tides', 1990, 120, 1), (2, 'Dunes', 1970, 340, 0), (3, 'Moors', 2010, 720, 1);
INSERT INTO copies VALUES (1, 1, 4, 2), (2, 2, 1, 3), (3, 3, 0, 1);
INSERT INTO loans VALUES
    (1, 1, 1, '2024-01-01', '2024-01-11'), (2, 1, 2, '2024-01-02', '2024-01-12'),
    (3, 2, 1, '2024-01-04', '2024-01-24'), (4, 3, 1, '2025-03-01', NULL),
    (5, 1, 1, '2025-03-02', '2025-03-06');
INSERT INTO fines VALUES
    (1, 1, 2, 'unpaid', '2024-02-01'), (2, 2, 3, 'unpaid', '2024-02-02'),
    (3, 3, 5, 'paid', '2025-02-02');
"""
LAPSED = """
SELECT name FROM customers WHERE customer_id IN (SELECT customer_id FROM orders WHERE ordered_at < '2025-01-01')
AND customer_id NOT IN (SELECT customer_id FROM orders WHERE ordered_at >= '2025-01-01')
"""
LINES = "order_lines JOIN orders USING (order_id) JOIN customers USING (customer_id)"


async def told(database: str, question: str) -> Told:
    connection = sqlite3.connect(":memory:")
    connection.executescript(database)
    return await Talk(connection).ask(question)


def rows_of(database: str, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(database)
    return connection.execute(sql).fetchall()


def counted(rows: list[tuple[object, ...]]) -> Counter[str]:
    return Counter(
        repr([round(float(c), 6) if isinstance(c, int | float) else c for c in row]) for row in rows
    )


@pytest.mark.parametrize(
    ("database", "question", "sql"),
    [
        # bands of a width that was named, and of those that were
        (LIBRARY, "readers by age group of 10 years", "SELECT age / 10 * 10, COUNT(*) FROM readers GROUP BY 1"),
        (LIBRARY, "number of readers by 20-year age band", "SELECT age / 20 * 20, COUNT(*) FROM readers GROUP BY 1"),
        (LIBRARY, "number of books by pages: under 200, 200 to 500, over 500", "SELECT * FROM (VALUES ('under 200', 1), ('200 to 500', 1), ('over 500', 1))"),
        (SHOP, "how many products have a list price below 40, from 40 to 150, and above 150", "SELECT * FROM (VALUES ('below 40', 1), ('40 to 150', 2), ('above 150', 1))"),
        (SHOP, "revenue by unit price band of 100 in 2024", "SELECT CAST(unit_price / 100 AS INT) * 100, SUM(quantity * unit_price) FROM order_lines JOIN orders USING (order_id) WHERE ordered_at < '2025-01-01' GROUP BY 1"),
        # bands of a width that the data tells
        (LIBRARY, "books by page range", "SELECT * FROM (VALUES (100, 1), (300, 1), (700, 1))"),
        (SHOP, "distribution of list prices", "SELECT * FROM (VALUES (0, 2), (100, 1), (300, 1))"),
        # what is there more than once
        (LIBRARY, "duplicate emails", "SELECT 'a@example.org', 2"),
        (LIBRARY, "which emails occur more than once", "SELECT 'a@example.org', 2"),
        (LIBRARY, "how many duplicate emails are there", "SELECT 1"),
        (LIBRARY, "how many loans were entered twice with the same reader and book", "SELECT 1"),
        # what is missing
        (LIBRARY, "how many readers have no email", "SELECT 2"),
        (SHOP, "customers who never ordered", "SELECT 'Elm Services'"),
        (SHOP, "customers who ordered in 2024 but not since", LAPSED),
        (LIBRARY, "how many days had no loans in January 2024", "SELECT 28"),
        (LIBRARY, "which days had no loans", "WITH RECURSIVE d (x) AS (SELECT '2024-01-01' UNION ALL SELECT date(x, '+1 day') FROM d WHERE x < '2025-03-02') SELECT x FROM d WHERE x NOT IN (SELECT borrowed_on FROM loans)"),
        (SHOP, "how many months had no orders in 2024", "SELECT 9"),
        (SHOP, "months with no tickets in 2025", "SELECT '2025-' || column1 || '-01' FROM (VALUES ('01'), ('02'), ('05'), ('06'), ('07'), ('08'), ('09'), ('11'), ('12'))"),
        # two figures of one row
        (LIBRARY, "copies below their minimum", "SELECT 2 UNION SELECT 3"),
        (LIBRARY, "how many copies have fewer copies on shelf than the minimum", "SELECT 2"),
        # states
        (LIBRARY, "how many loans are still open", "SELECT 1"),
        (SHOP, "how many tickets are open", "SELECT 2"),
        (SHOP, "how many tickets are still open", "SELECT 2"),
        (SHOP, "how many tickets are closed", "SELECT 2"),
        (SHOP, "which products are no longer sold", "SELECT 'Old Chair'"),
        (LIBRARY, "books that are not available", "SELECT 'Dunes'"),
        (LIBRARY, "readers with at least 2 unpaid fines", "SELECT 1"),
        (SHOP, "customers with at least 1 open ticket", "SELECT 'Cedar Works' UNION SELECT 'Elm Services'"),
        # years of a figure
        (SHOP, "revenue between 2024 and 2025", "SELECT SUM(quantity * unit_price) FROM order_lines"),
        (LIBRARY, "number of loans between 2024 and 2025", "SELECT 5"),
        # values and figures beside each other
        (SHOP, "compare web and phone revenue in 2024", f"SELECT channel, SUM(quantity * unit_price) FROM {LINES} WHERE ordered_at < '2025-01-01' AND channel IN ('web', 'phone') GROUP BY 1"),
        (SHOP, "Spain vs France revenue by year", f"SELECT CAST(strftime('%Y', ordered_at) AS INT), country, SUM(quantity * unit_price) FROM {LINES} WHERE country IN ('Spain', 'France') GROUP BY 1, 2"),
        (SHOP, "revenue per customer by channel", f"SELECT channel, SUM(quantity * unit_price) / COUNT(DISTINCT customer_id) FROM {LINES} GROUP BY 1"),
        (SHOP, "average number of products per order", "SELECT 8.0 / 7"),
        (LIBRARY, "what share of fines were unpaid in 2024", "SELECT 1.0"),
        # a period is of the rows that are added up
        (SHOP, "biggest customers by revenue in 2024", f"SELECT name, SUM(quantity * unit_price) FROM {LINES} WHERE ordered_at < '2025-01-01' GROUP BY 1"),
        (SHOP, "how many customers bought something in 2025", "SELECT 3"),
        (SHOP, "which channel brings the most revenue", f"SELECT channel FROM {LINES} GROUP BY 1 ORDER BY SUM(quantity * unit_price) DESC LIMIT 1"),
        # what they did, said in two words
        (SHOP, "which customers signed up after 2023", "SELECT name FROM customers WHERE signed_up_on >= '2024-01-01'"),
        (SHOP, "how many customers signed up before 2024", "SELECT COUNT(*) FROM customers WHERE signed_up_on < '2024-01-01'"),
        # times
        (LIBRARY, "average loan time", "SELECT AVG(julianday(returned_on) - julianday(borrowed_on)) FROM loans"),
        (SHOP, "average shipping time by month in 2024", "SELECT date(ordered_at, 'start of month'), AVG(julianday(shipped_on) - julianday(ordered_at)) FROM orders WHERE ordered_at < '2025-01-01' GROUP BY 1"),
        (LIBRARY, "oldest book", "SELECT 'Dunes'"),
    ],
)  # fmt: skip
async def test_answers_what_was_asked(database: str, question: str, sql: str):
    answer = await told(database, question)

    assert not answer.refused, answer.text
    assert counted(answer.rows) == counted(rows_of(database, sql)), answer.sql[-1:]


@pytest.mark.parametrize(
    ("database", "question", "word"),
    [
        (SHOP, "how much revenue did we lose to discounts", "lose"),
        (SHOP, "monthly recurring revenue", "recurring"),
        (LIBRARY, "readers whose card has expired", "expired"),
        (SHOP, "how many orders were escalated", "escalated"),
        (SHOP, "how many orders are there in 2025 and why", "why"),
    ],
)
async def test_a_word_that_changes_the_question_is_named_and_not_passed_over(
    database: str, question: str, word: str
):
    answer = await told(database, question)

    assert answer.refused
    assert f"'{word}'" in answer.text


@pytest.mark.parametrize("question", ["who are our 3 biggest customers", "top performing products"])
async def test_what_is_biggest_is_asked_by_figures_that_can_be_added_up(question: str):
    answer = await told(SHOP, question)

    assert answer.options
    assert not any("unit" in option or "region" in option for option in answer.options)


async def test_the_width_that_the_data_tells_is_said():
    answer = await told(SHOP, "products by list price band")

    assert "each band of list price is 50 wide" in answer.text


async def test_duplicates_and_gaps_are_called_what_they_are():
    twice = await told(LIBRARY, "duplicate emails")
    days = await told(SHOP, "months with no orders in 2024")

    assert twice.text.startswith("Duplicates by email")
    assert days.text.startswith("Months without orders (2024)")


@pytest.mark.parametrize(
    "question",
    ["how many orders " * 110, "a " * 1_000, "1 " * 900, "between " * 200, "sales of pens, " * 300],
)
async def test_a_question_too_long_to_read_is_declined_in_words(question: str):
    answer = await told(SHOP, question)

    assert answer.refused
    assert "up to 150 words" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "", "?", "😀😀", "how many 😀", "wie viele Kunden haben wir", "combien de commandes en 2024",
        "¿cuántos pedidos hay por mes?", "注文は何件ありますか", "(" * 500, "'" * 300, "by by per per each",
        "web vs", "as a percentage of", "days without", "duplicates", "below their", "and why",
        "products by list price band of 0", "orders per customer by", "1-5, 6-20, more than 20",
        "from the oldest to the youngest", "list all names and ages from the oldest to the youngest",
        "2024 in channel by orders most the revenue", "than more orders customers 5 with which",
    ],
)  # fmt: skip
async def test_whatever_is_typed_gets_an_answer_in_words(question: str):
    answer = await told(SHOP, question)

    assert answer.text or answer.options
