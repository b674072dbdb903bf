import sqlite3

import pytest

from tests.kit.offline_shop import SCRIPT
from tests.kit.offline_talk import Talk


@pytest.fixture
def talk() -> Talk:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCRIPT)
    orders = [
        (day,)
        for day in (
            "2025-11-29", "2025-12-31", "2026-01-01", "2026-06-30", "2026-07-01", "2026-09-30",
            "2026-10-01", "2026-10-31", "2026-11-01", "2026-11-22", "2026-11-23", "2026-11-29",
            "2026-11-30",
        )
    ]  # fmt: skip
    connection.executemany(
        "INSERT INTO orders (customer_id, ordered_at, channel, status)"
        " VALUES (1, ?, 'web', 'delivered')",
        orders,
    )
    return Talk(connection)


@pytest.mark.parametrize(
    ("period", "first", "end"),
    [
        ("today", "2026-11-30", "2026-12-01"),
        ("yesterday", "2026-11-29", "2026-11-30"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("this month", "2026-11-01", "2026-12-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("this year", "2026-01-01", "2027-01-01"),
        ("last quarter", "2026-07-01", "2026-10-01"),
        ("this quarter", "2026-10-01", "2027-01-01"),
        ("last week", "2026-11-23", "2026-11-30"),
        ("in 2026", "2026-01-01", "2027-01-01"),
        ("in October 2026", "2026-10-01", "2026-11-01"),
        ("in Q3 2026", "2026-07-01", "2026-10-01"),
        ("since 2026-10-01", "2026-10-01", "9999-01-01"),
        ("before 2026", "0000-01-01", "2026-01-01"),
        ("after October 31, 2026", "2026-11-01", "9999-01-01"),
        ("between January 2026 and June 2026", "2026-01-01", "2026-07-01"),
        ("from 2026-07-01 to 2026-09-30", "2026-07-01", "2026-10-01"),
        ("in 2025 and 2026", "2025-01-01", "2027-01-01"),
    ],
)
async def test_a_period_is_half_open_and_counted_from_today(
    talk: Talk, period: str, first: str, end: str
):
    told = await talk.ask(f"how many orders were there {period}?")

    [wanted] = talk.connection.execute(
        "SELECT COUNT(*) FROM orders WHERE ordered_at >= ? AND ordered_at < ?", (first, end)
    )
    assert told.rows == [wanted], told.sql


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("number of orders per quarter in 2026", "SELECT COUNT(*) FROM orders WHERE ordered_at >= '2026-01-01' GROUP BY (CAST(strftime('%m', ordered_at) AS INTEGER) - 1) / 3"),
        ("number of orders per day in November 2026", "SELECT COUNT(*) FROM orders WHERE ordered_at >= '2026-11-01' GROUP BY ordered_at"),
        ("number of orders by weekday", "SELECT COUNT(*) FROM orders GROUP BY strftime('%w', ordered_at)"),
    ],
)  # fmt: skip
async def test_figures_by_period(talk: Talk, question: str, sql: str):
    told = await talk.ask(question)

    figures = [row[-1] for row in told.rows]
    wanted = [row[-1] for row in talk.connection.execute(sql)]
    assert sorted(map(str, figures)) == sorted(map(str, wanted)), told.sql
