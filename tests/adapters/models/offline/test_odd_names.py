from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.offline_talk import Talk

SCRIPT = """
CREATE TABLE "Sales Reps" (
    "Rep ID" INTEGER PRIMARY KEY, "Full Name" TEXT, "Home City" TEXT
);
CREATE TABLE "order" (
    id INTEGER PRIMARY KEY, "Rep ID" INTEGER REFERENCES "Sales Reps" ("Rep ID"),
    "group" TEXT, "Total Amount" REAL, "date" TEXT, "desc" TEXT
);
CREATE TABLE InvoiceLine (
    InvoiceLineId INTEGER PRIMARY KEY, UnitPrice REAL, Quantity INTEGER, PaidOn TEXT
);
CREATE TABLE "Straße" ("Länge" REAL, "Größe" INTEGER, "Stadt" TEXT);
CREATE TABLE "клиенты" ("ид" INTEGER PRIMARY KEY, "город" TEXT, "сумма" REAL);
INSERT INTO "Sales Reps" VALUES
    (1, 'East Desk', 'Lima'), (2, 'West Desk', 'Oslo'), (3, 'Night Desk', NULL);
INSERT INTO "order" VALUES
    (1, 1, 'A', 10.5, '2025-01-03', 'x'), (2, 1, 'B', 20, '2025-01-20', NULL),
    (3, 2, 'A', NULL, '2025-02-11', 'y'), (4, 2, NULL, 5, '2026-02-01', 'z'),
    (5, NULL, 'A', 4.5, NULL, 'x'), (6, 2, 'C', 7, '2025-01-31', 'x');
INSERT INTO InvoiceLine VALUES
    (1, 2.5, 2, '2025-01-01'), (2, 4, NULL, '2025-01-09'), (3, NULL, 3, '2025-02-02'),
    (4, 1.5, 4, NULL);
INSERT INTO "Straße" VALUES (1.5, 3, 'Köln'), (2.5, NULL, 'Köln'), (7, 2, 'Bonn');
INSERT INTO "клиенты" VALUES (1, 'Москва', 10), (2, 'Казань', 20), (3, 'Москва', NULL);
"""

SPACES = {
    "sales reps in Lima": """SELECT "Full Name" FROM "Sales Reps" WHERE "Home City" = 'Lima'""",
    "sales reps with orders": """
        SELECT "Full Name" FROM "Sales Reps"
        WHERE "Rep ID" IN (SELECT "Rep ID" FROM "order")""",
    "sales reps with no orders": """
        SELECT "Full Name" FROM "Sales Reps"
        WHERE "Rep ID" NOT IN (SELECT "Rep ID" FROM "order" WHERE "Rep ID" IS NOT NULL)""",
    "Number of orders by full name": """
        SELECT "Full Name", COUNT(*) FROM "order" JOIN "Sales Reps" USING ("Rep ID") GROUP BY 1""",
    "How many orders per home city?": """
        SELECT "Home City", COUNT(*) FROM "order" JOIN "Sales Reps" USING ("Rep ID") GROUP BY 1""",
    "orders by Rep ID": """SELECT "Rep ID", COUNT(*) FROM "order" GROUP BY 1""",
    "median total amount": "SELECT 7.0",
}
RESERVED = {
    "How many orders are there?": 'SELECT COUNT(*) FROM "order"',
    "Number of orders by group": 'SELECT "group", COUNT(*) FROM "order" GROUP BY 1',
    "How many orders by desc?": 'SELECT "desc", COUNT(*) FROM "order" GROUP BY 1',
    "How many orders have group A?": """SELECT COUNT(*) FROM "order" WHERE "group" = 'A'""",
    "How many distinct groups are there?": 'SELECT COUNT(DISTINCT "group") FROM "order"',
    "orders in group A": """SELECT "desc" FROM "order" WHERE "group" = 'A'""",
}
MIXED_CASE = {
    "How many invoice lines are there?": "SELECT COUNT(*) FROM InvoiceLine",
    "sum of quantity": "SELECT SUM(Quantity) FROM InvoiceLine",
    "average quantity": "SELECT AVG(Quantity) FROM InvoiceLine",
    "sum of unit price": "SELECT SUM(UnitPrice) FROM InvoiceLine",
    "average unit price of invoice lines": "SELECT AVG(UnitPrice) FROM InvoiceLine",
    "highest unit price in invoice lines": "SELECT MAX(UnitPrice) FROM InvoiceLine",
    "lowest unit price": "SELECT MIN(UnitPrice) FROM InvoiceLine",
}
OTHER_LETTERS = {
    "How many Straße are there?": 'SELECT COUNT(*) FROM "Straße"',
    "number of Straße by Stadt": 'SELECT "Stadt", COUNT(*) FROM "Straße" GROUP BY 1',
    "Sum of Länge by Stadt": 'SELECT "Stadt", SUM("Länge") FROM "Straße" GROUP BY 1',
    "highest Länge by Stadt": 'SELECT "Stadt", MAX("Länge") FROM "Straße" GROUP BY 1',
    "average Größe": 'SELECT AVG("Größe") FROM "Straße"',
    "median Länge": "SELECT 2.5",
    "How many клиенты are there?": 'SELECT COUNT(*) FROM "клиенты"',
    "How many клиенты by город?": 'SELECT "город", COUNT(*) FROM "клиенты" GROUP BY 1',
    "total сумма by город": 'SELECT "город", SUM("сумма") FROM "клиенты" GROUP BY 1',
    "highest сумма": 'SELECT MAX("сумма") FROM "клиенты"',
    "how many клиенты in Москва?": """SELECT COUNT(*) FROM "клиенты" WHERE "город" = 'Москва'""",
}
DATES_IN_TEXT = {
    "How many orders per month?": """
        SELECT SUBSTR("date", 1, 7) || '-01', COUNT(*) FROM "order" GROUP BY 1""",
    "How many orders per year?": """
        SELECT CAST(SUBSTR("date", 1, 4) AS INTEGER), COUNT(*) FROM "order" GROUP BY 1""",
    "How many orders in 2025?": """SELECT COUNT(*) FROM "order" WHERE "date" LIKE '2025-%'""",
    "orders in january 2025": """SELECT "desc" FROM "order" WHERE "date" LIKE '2025-01-%'""",
    "How many invoice lines per month?": """
        SELECT SUBSTR(PaidOn, 1, 7) || '-01', COUNT(*) FROM InvoiceLine GROUP BY 1""",
    "quantity by month": """
        SELECT SUBSTR(PaidOn, 1, 7) || '-01', SUM(Quantity) FROM InvoiceLine GROUP BY 1""",
}
NOTHING_THERE = {
    "How many orders without a group?": 'SELECT COUNT(*) FROM "order" WHERE "group" IS NULL',
    "How many orders have no total amount?": """
        SELECT COUNT(*) FROM "order" WHERE "Total Amount" IS NULL""",
    "How many orders have no rep?": 'SELECT COUNT(*) FROM "order" WHERE "Rep ID" IS NULL',
    "How many orders have no date?": 'SELECT COUNT(*) FROM "order" WHERE "date" IS NULL',
    "orders without a date": 'SELECT "desc" FROM "order" WHERE "date" IS NULL',
    "How many invoice lines have no quantity?": """
        SELECT COUNT(*) FROM InvoiceLine WHERE Quantity IS NULL""",
    "how many клиенты have no сумма?": """
        SELECT COUNT(*) FROM "клиенты" WHERE "сумма" IS NULL""",
}


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "odd names.db", check_same_thread=False)) as opened:
        opened.executescript(SCRIPT)
        yield opened


async def check(connection: sqlite3.Connection, question: str, by_hand: str) -> None:
    """Hold the rows of a question to those of a statement written by hand, in any order."""
    told = await Talk(connection).ask(question)

    assert told.sql, told.text
    expected = connection.execute(by_hand).fetchall()
    assert sorted(told.rows, key=repr) == sorted(expected, key=repr)


@pytest.mark.parametrize(("question", "by_hand"), SPACES.items(), ids=SPACES)
async def test_finds_names_with_spaces(connection: sqlite3.Connection, question: str, by_hand: str):
    await check(connection, question, by_hand)


@pytest.mark.parametrize(("question", "by_hand"), RESERVED.items(), ids=RESERVED)
async def test_quotes_reserved_words(connection: sqlite3.Connection, question: str, by_hand: str):
    await check(connection, question, by_hand)


@pytest.mark.parametrize(("question", "by_hand"), MIXED_CASE.items(), ids=MIXED_CASE)
async def test_splits_names_at_their_capitals(
    connection: sqlite3.Connection, question: str, by_hand: str
):
    await check(connection, question, by_hand)


@pytest.mark.parametrize(("question", "by_hand"), OTHER_LETTERS.items(), ids=OTHER_LETTERS)
async def test_reads_letters_of_any_script(
    connection: sqlite3.Connection, question: str, by_hand: str
):
    await check(connection, question, by_hand)


@pytest.mark.parametrize(("question", "by_hand"), DATES_IN_TEXT.items(), ids=DATES_IN_TEXT)
async def test_reads_dates_that_are_kept_as_text(
    connection: sqlite3.Connection, question: str, by_hand: str
):
    await check(connection, question, by_hand)


@pytest.mark.parametrize(("question", "by_hand"), NOTHING_THERE.items(), ids=NOTHING_THERE)
async def test_counts_what_is_not_there(
    connection: sqlite3.Connection, question: str, by_hand: str
):
    await check(connection, question, by_hand)


async def test_ranks_by_a_count_under_a_reserved_word(connection: sqlite3.Connection):
    told = await Talk(connection).ask("top 1 groups by number of orders")

    assert [row[0] for row in told.rows] == ["A"]
