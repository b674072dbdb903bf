"""Words that two columns or tables fit equally well: asked, settled by what is written, honoured."""

import sqlite3

import pytest

from tests.kit.offline_talk import Talk

SCRIPT = """
CREATE TABLE addresses (
    address_id INTEGER PRIMARY KEY, city TEXT NOT NULL, country TEXT NOT NULL
);
CREATE TABLE accounts (
    account_id INTEGER PRIMARY KEY, title TEXT NOT NULL, country TEXT NOT NULL,
    address_id INTEGER NOT NULL REFERENCES addresses (address_id)
);
CREATE TABLE shops (
    shop_id INTEGER PRIMARY KEY, shop_name TEXT NOT NULL, country TEXT NOT NULL, city TEXT NOT NULL
);
CREATE TABLE invoices (
    invoice_id INTEGER PRIMARY KEY, printed_on DATE NOT NULL, mailed_on DATE NOT NULL,
    account_id INTEGER NOT NULL REFERENCES accounts (account_id),
    shop_id INTEGER NOT NULL REFERENCES shops (shop_id), amount DECIMAL(10, 2) NOT NULL
);
CREATE TABLE payments (
    payment_id INTEGER PRIMARY KEY, received_on DATE NOT NULL,
    invoice_id INTEGER NOT NULL REFERENCES invoices (invoice_id), amount DECIMAL(10, 2) NOT NULL
);
CREATE TABLE return_requests (
    request_id INTEGER PRIMARY KEY, asked_on DATE NOT NULL,
    invoice_id INTEGER NOT NULL REFERENCES invoices (invoice_id)
);
CREATE TABLE return_parcels (
    parcel_id INTEGER PRIMARY KEY, came_on DATE NOT NULL,
    invoice_id INTEGER NOT NULL REFERENCES invoices (invoice_id)
);
CREATE TABLE visits (
    visit_id INTEGER PRIMARY KEY, began_at DATETIME NOT NULL, ended_at DATETIME,
    account_id INTEGER NOT NULL REFERENCES accounts (account_id)
);
INSERT INTO addresses VALUES (1, 'Ghent', 'Belgium'), (2, 'Lyon', 'France'), (3, 'Lille', 'France');
INSERT INTO accounts VALUES (1, 'Ash', 'France', 1), (2, 'Birch', 'France', 2),
    (3, 'Cedar', 'Belgium', 3);
INSERT INTO shops VALUES (1, 'North', 'Belgium', 'Ghent'), (2, 'South', 'France', 'Nice'),
    (3, 'East', 'Spain', 'Lyon');
INSERT INTO invoices
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
SELECT i, date('2025-01-03', '+' || (i * 5) || ' days'),
    date('2025-01-03', '+' || (i * 5 + 20) || ' days'), 1 + i % 3, 1 + (i * 7) % 2, 10 + i
FROM n;
INSERT INTO payments SELECT invoice_id, date(mailed_on, '+9 days'), invoice_id, amount - 3
    FROM invoices WHERE invoice_id % 2;
INSERT INTO return_requests SELECT invoice_id, date(mailed_on, '+3 days'), invoice_id
    FROM invoices WHERE invoice_id % 5 = 0;
INSERT INTO return_parcels SELECT invoice_id, date(mailed_on, '+8 days'), invoice_id
    FROM invoices WHERE invoice_id % 10 = 0;
INSERT INTO visits SELECT invoice_id, datetime(printed_on), datetime(mailed_on), account_id
    FROM invoices;
"""
COMMENTS = {
    "printed_on": "Day on which bookkeeping wrote the bill",
    "mailed_on": "Day on which the customer was sent it",
}


@pytest.fixture
def talk() -> Talk:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCRIPT)
    return Talk(connection)


@pytest.mark.parametrize(
    ("question", "asked", "options"),
    [
        # two tables with the figure
        ("total amount", "Which amount do you mean?", ("amount (invoices)", "amount (payments)")),
        ("average amount by title", "Which amount do you mean?",
         ("amount (invoices)", "amount (payments)")),
        # two tables with the dimension, neither of them named
        ("invoices by country", "Which country do you mean?",
         ("country (accounts)", "country (shops)")),
        # one value in two columns
        ("how many invoices in Lyon", "Which Lyon do you mean?",
         ("Lyon as city (shops)", "Lyon as city (addresses)")),
        # two tables that are called so
        ("how many returns", "Which returns do you mean?", ("return parcels", "return requests")),
        # two dates
        ("invoices by month", "Which date do you mean?",
         ("printed on (invoices)", "mailed on (invoices)")),
        ("how many invoices in 2025", "Which date do you mean?",
         ("printed on (invoices)", "mailed on (invoices)")),
    ],
)  # fmt: skip
async def test_two_meanings_that_fit_alike_are_asked_about(
    talk: Talk, question: str, asked: str, options: tuple[str, ...]
):
    told = await talk.ask(question)

    assert (told.asked, told.options) == (asked, options)
    assert told.sql == []


@pytest.mark.parametrize(
    ("question", "answer", "sql"),
    [
        ("total amount", "amount (payments)", "SELECT SUM(amount) FROM payments"),
        ("total amount", "the one of the invoices", "SELECT SUM(amount) FROM invoices"),
        ("how many returns", "parcels", "SELECT COUNT(*) FROM return_parcels"),
        ("how many invoices in Lyon", "Lyon as city (shops)",
         "SELECT COUNT(*) FROM invoices JOIN shops USING (shop_id) WHERE city = 'Lyon'"),
        ("how many invoices in Lyon", "by address",
         "SELECT COUNT(*) FROM invoices JOIN accounts USING (account_id)"
         " JOIN addresses USING (address_id) WHERE city = 'Lyon'"),
        ("how many invoices in October 2025", "mailed on (invoices)",
         "SELECT COUNT(*) FROM invoices WHERE mailed_on LIKE '2025-10-%'"),
        ("how many invoices in October 2025", "printed",
         "SELECT COUNT(*) FROM invoices WHERE printed_on LIKE '2025-10-%'"),
        # words that name none of the options, but something else
        ("total amount", "number of visits", None),
    ],
)  # fmt: skip
async def test_the_answer_is_honoured_and_stated(
    talk: Talk, question: str, answer: str, sql: str | None
):
    told = await talk.ask(question, answer=answer)

    if sql is not None:
        assert told.rows == talk.connection.execute(sql).fetchall()
        assert " is taken as " in told.text
    else:
        assert told.rows


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        # the table is named, or the words belong to one
        ("total invoice amount", "SELECT SUM(amount) FROM invoices"),
        ("total amount of payments", "SELECT SUM(amount) FROM payments"),
        ("accounts by country", "SELECT country, COUNT(*) FROM accounts GROUP BY 1 ORDER BY 2 DESC"),
        ("how many accounts in France", "SELECT COUNT(*) FROM accounts WHERE country = 'France'"),
        ("how many shops in Lyon", "SELECT COUNT(*) FROM shops WHERE city = 'Lyon'"),
        ("how many return requests", "SELECT COUNT(*) FROM return_requests"),
        # a verb names the date
        ("how many invoices were mailed in October 2025",
         "SELECT COUNT(*) FROM invoices WHERE mailed_on LIKE '2025-10-%'"),
        # the other date only says when it was over
        ("how many visits in October 2025",
         "SELECT COUNT(*) FROM visits WHERE began_at LIKE '2025-10-%'"),
    ],
)  # fmt: skip
async def test_one_clear_meaning_is_not_asked_about(talk: Talk, question: str, sql: str):
    told = await talk.ask(question)

    assert told.options == ()
    assert sorted(told.rows) == sorted(talk.connection.execute(sql).fetchall())


async def test_the_date_that_is_taken_of_two_is_stated(talk: Talk):
    told = await talk.ask("how many visits in October 2025")

    assert "date is taken as began (visits), not as ended (visits)" in told.text


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("how many invoices written by bookkeeping in October 2025", "printed_on"),
        ("how many invoices sent in October 2025", "mailed_on"),
    ],
)
async def test_words_of_a_columns_comment_settle_it(talk: Talk, question: str, column: str):
    talk.comments = COMMENTS

    told = await talk.ask(question)

    sql = f"SELECT COUNT(*) FROM invoices WHERE {column} LIKE '2025-10-%'"
    assert told.options == ()
    assert told.rows == talk.connection.execute(sql).fetchall()


async def test_what_is_known_from_before_settles_it(talk: Talk):
    talk.known = "amount: never that of return parcels\nreturns means return requests"

    told = await talk.ask("how many returns")

    assert told.rows == talk.connection.execute("SELECT COUNT(*) FROM return_requests").fetchall()
    assert "returns is taken as return requests, not as return parcels" in told.text


async def test_without_a_way_to_ask_the_first_meaning_is_taken_and_stated(talk: Talk):
    talk.tools = tuple(name for name in talk.tools if name != "ask_clarification")

    told = await talk.ask("total amount")

    assert told.rows == talk.connection.execute("SELECT SUM(amount) FROM invoices").fetchall()
    assert "amount is taken as amount (invoices), not as amount (payments)" in told.text


MATCHES = """
CREATE TABLE matches (
    match_id INTEGER PRIMARY KEY, played_on DATE, home_team TEXT, away_team TEXT,
    net_amount NUMERIC, gross_amount NUMERIC
);
INSERT INTO matches VALUES (1, '2025-01-01', 'A', 'B', 5, 6), (2, '2025-01-02', 'A', 'C', 7, 8);
CREATE TABLE sales (
    sale_id INTEGER PRIMARY KEY, region TEXT, worth NUMERIC, amount NUMERIC
);
INSERT INTO sales VALUES (1, 'North', 1, 10), (2, 'North', 1, 20), (3, 'South', 1, 5);
"""


@pytest.fixture
def matches() -> Talk:
    connection = sqlite3.connect(":memory:")
    connection.executescript(MATCHES)
    return Talk(connection)


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("matches by team", ("home team (matches)", "away team (matches)")),
        ("average amount of matches", ("net amount (matches)", "gross amount (matches)")),
    ],
)
async def test_two_columns_of_the_table_that_is_named_are_asked_about(
    matches: Talk, question: str, options: tuple[str, ...]
):
    told = await matches.ask(question)

    assert told.options == options


async def test_revenue_is_a_figure_of_sales_and_not_their_number(matches: Talk):
    told = await matches.ask("revenue by region")

    assert sorted(told.rows) == [("North", 30), ("South", 5)]
