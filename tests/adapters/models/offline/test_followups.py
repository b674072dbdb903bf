import sqlite3

import pytest

from tests.kit.offline_shop import SCRIPT
from tests.kit.offline_talk import Talk


@pytest.fixture
def talk() -> Talk:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCRIPT)
    return Talk(connection)


@pytest.mark.parametrize(
    ("first", "then", "sql"),
    [
        (
            "number of orders by channel",
            "only 2025",
            "SELECT channel, COUNT(*) FROM orders WHERE ordered_at >= '2025-01-01' GROUP BY 1",
        ),
        (
            "number of orders by channel",
            "by status",
            "SELECT status, COUNT(*) FROM orders GROUP BY 1",
        ),
        (
            "number of orders by channel",
            "by month",
            "SELECT channel, strftime('%Y-%m-01', ordered_at), COUNT(*) FROM orders GROUP BY 1, 2",
        ),
        (
            "number of orders by channel",
            "what about 2024?",
            "SELECT channel, COUNT(*) FROM orders WHERE ordered_at < '2025-01-01' GROUP BY 1",
        ),
        (
            "how many customers are there",
            "only Spain",
            "SELECT COUNT(*) FROM customers WHERE country = 'Spain'",
        ),
        (
            "how many customers are from Spain",
            "and France?",
            "SELECT COUNT(*) FROM customers WHERE country = 'France'",
        ),
        (
            "how many orders in 2024",
            "and in 2025?",
            "SELECT COUNT(*) FROM orders WHERE ordered_at >= '2025-01-01'",
        ),
        (
            "top 3 customers by number of orders",
            "top 1 instead",
            "SELECT c.name FROM orders JOIN customers c USING (customer_id)"
            " GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1",
        ),
        (
            "average age of customers",
            "per region instead",
            "SELECT r.name, AVG(age) FROM customers JOIN regions r USING (region_id) GROUP BY 1",
        ),
    ],
)
async def test_goes_on_with_the_question_before(talk: Talk, first: str, then: str, sql: str):
    await talk.ask(first)
    told = await talk.ask(then)

    wanted = talk.connection.execute(sql).fetchall()
    assert sorted(map(repr, told.rows)) == sorted(map(repr, wanted)), (told.text, told.sql)


async def test_a_new_question_does_not_inherit_the_filters_of_the_last(talk: Talk):
    await talk.ask("how many customers are from Spain")
    told = await talk.ask("how many orders are there?")

    assert told.rows == [(7,)]


async def test_as_a_chart_keeps_the_rows(talk: Talk):
    before = await talk.ask("number of orders by channel")
    told = await talk.ask("as a chart")

    assert sorted(told.rows) == sorted(before.rows)
