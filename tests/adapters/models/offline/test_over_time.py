"""The course of a figure: its best month, its growth, its trend, its hours."""

import sqlite3
from contextlib import closing

import pytest

from tests.kit.demo import made_demo
from tests.kit.offline_ferries import ferries
from tests.kit.offline_shop import shop
from tests.kit.offline_talk import Talk, Told

REVENUE = "orders JOIN order_lines USING (order_id)"
FARES = "crossings JOIN tickets USING (crossing_id)"


def demo() -> sqlite3.Connection:
    return sqlite3.connect(f"file:{made_demo()}?mode=ro", uri=True, check_same_thread=False)


async def asked(connection: sqlite3.Connection, question: str, *, answer: str = "") -> Told:
    return await Talk(connection).ask(question, answer=answer)


def rounded(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [
        tuple(round(float(c), 2) if isinstance(c, int | float) else c for c in row) for row in rows
    ]


async def answered(connection: sqlite3.Connection, question: str) -> list[tuple[object, ...]]:
    """Return the rows of the statement that answers, whatever was looked up after it."""
    told = await asked(connection, question)
    assert not told.refused
    assert not told.asked
    return connection.execute(told.sql[0]).fetchall()


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("what is our best month ever by revenue", f"SELECT DATE(ordered_at, 'start of month'), SUM(revenue) FROM {REVENUE} GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        ("best day for orders", "SELECT DATE(ordered_at), COUNT(*) FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        ("top 3 months by revenue", f"SELECT DATE(ordered_at, 'start of month'), SUM(revenue) FROM {REVENUE} GROUP BY 1 ORDER BY 2 DESC LIMIT 3"),
        ("worst quarter in 2025 by revenue", f"SELECT DATE('2025-01-01', '+' || (3 * ((CAST(STRFTIME('%m', ordered_at) AS INT) - 1) / 3)) || ' months'), SUM(revenue) FROM {REVENUE} WHERE ordered_at LIKE '2025%' GROUP BY 1 ORDER BY 2 LIMIT 1"),
        # The first and the last week of 2025 lie in it by a part.
        ("what was our slowest week for orders in 2025", "SELECT DATE(ordered_at, '-6 days', 'weekday 1'), COUNT(*) FROM orders WHERE DATE(ordered_at) BETWEEN '2025-01-06' AND '2025-12-28' GROUP BY 1 ORDER BY 2 LIMIT 1"),
        ("at what time of day do we get most orders", "SELECT CAST(SUBSTR(ordered_at, 12, 2) AS INT), COUNT(*) FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        ("orders by hour", "SELECT CAST(SUBSTR(ordered_at, 12, 2) AS INT), COUNT(*) FROM orders GROUP BY 1 ORDER BY 1"),
        ("busiest hours for orders", "SELECT CAST(SUBSTR(ordered_at, 12, 2) AS INT), COUNT(*) FROM orders GROUP BY 1 ORDER BY 2 DESC"),
        ("which weekday is the slowest for orders", "SELECT CASE STRFTIME('%w', ordered_at) WHEN '0' THEN 'Sunday' WHEN '6' THEN 'Saturday' ELSE 'other' END, COUNT(*) FROM orders GROUP BY STRFTIME('%w', ordered_at) ORDER BY 2 LIMIT 1"),
        ("how did revenue develop in 2025", f"SELECT DATE(ordered_at, 'start of month'), SUM(revenue) FROM {REVENUE} WHERE ordered_at LIKE '2025%' GROUP BY 1 ORDER BY 1"),
        ("is revenue going up or down", f"SELECT DATE(ordered_at, 'start of month'), SUM(revenue) FROM {REVENUE} GROUP BY 1 ORDER BY 1"),
        ("trend of orders", "SELECT DATE(ordered_at, 'start of month'), COUNT(*) FROM orders GROUP BY 1 ORDER BY 1"),
        ("revenue growth month over month in 2025", f"WITH m (d, r) AS (SELECT DATE(ordered_at, 'start of month'), SUM(revenue) FROM {REVENUE} WHERE ordered_at LIKE '2025%' GROUP BY 1) SELECT a.d, a.r, a.r - b.r, ROUND(100 * (a.r - b.r) / b.r, 2) FROM m AS a LEFT JOIN m AS b ON b.d = DATE(a.d, '-1 month') ORDER BY 1"),
        ("month-on-month growth of orders", "WITH m (d, r) AS (SELECT DATE(ordered_at, 'start of month'), COUNT(*) FROM orders GROUP BY 1) SELECT a.d, a.r, a.r - b.r, ROUND(100.0 * (a.r - b.r) / b.r, 2) FROM m AS a LEFT JOIN m AS b ON b.d = DATE(a.d, '-1 month') ORDER BY 1"),
        ("revenue growth by year", f"WITH m (d, r) AS (SELECT CAST(SUBSTR(ordered_at, 1, 4) AS INT), SUM(revenue) FROM {REVENUE} GROUP BY 1) SELECT a.d, a.r, a.r - b.r, ROUND(100 * (a.r - b.r) / b.r, 2) FROM m AS a LEFT JOIN m AS b ON b.d = a.d - 1 ORDER BY 1"),
        ("cumulative revenue by month in 2025", f"SELECT DATE(a.d || '-01'), (SELECT SUM(revenue) FROM {REVENUE} WHERE ordered_at >= '2025-01-01' AND SUBSTR(ordered_at, 1, 7) <= a.d) FROM (SELECT DISTINCT SUBSTR(ordered_at, 1, 7) AS d FROM orders WHERE ordered_at LIKE '2025%') AS a ORDER BY 1"),
    ],
)  # fmt: skip
async def test_the_demo_is_told_over_time(question: str, gold: str):
    with closing(demo()) as connection:
        found = await answered(connection, question)

        assert rounded(found) == rounded(connection.execute(gold).fetchall())


async def test_a_week_is_named_once():
    with closing(ferries()) as connection:
        told = await asked(connection, "best week by fares")

    assert told.text.startswith("Total fare by week (highest fare): the week of 2026-10-19,")


async def test_growth_is_told_for_each_group():
    gold = f"""
        WITH m (g, d, r) AS (
            SELECT regions.name, CAST(SUBSTR(ordered_at, 1, 4) AS INT), SUM(revenue)
            FROM {REVENUE} JOIN customers USING (customer_id) JOIN regions USING (region_id)
            GROUP BY 1, 2)
        SELECT a.g, a.d, a.r, a.r - b.r, ROUND(100 * (a.r - b.r) / b.r, 2)
        FROM m AS a LEFT JOIN m AS b ON b.g = a.g AND b.d = a.d - 1"""
    with closing(demo()) as connection:
        found = await answered(connection, "year over year revenue growth by region")

        wanted = connection.execute(gold).fetchall()
        assert sorted(map(str, rounded(found))) == sorted(map(str, rounded(wanted)))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which month had the highest fares", [("2026-10-01", 52)]),
        ("best month for crossings", [("2026-07-01", 3)]),
        ("busiest hours", [(8, 5), (12, 2), (17, 2)]),
        ("what time of day has the most crossings", [(8, 5)]),
        ("best day of the week for crossings", [("Sunday", 5)]),
        # August has no crossing: September has no month right before it.
        ("growth of crossings by month", [
            ("2026-06-01", 2, None, None), ("2026-07-01", 3, 1, 50), ("2026-09-01", 1, None, None),
            ("2026-10-01", 2, 1, 100), ("2026-11-01", 1, -1, -50),
        ]),
        ("quarterly growth of fares", [
            ("2026-04-01", 35, None, None), ("2026-07-01", 58, 23, 65.71), ("2026-10-01", 59, 1, 1.72),
        ]),
        ("month over month growth in fares by harbour", [
            ("Northquay", "2026-06-01", 35, None, None), ("Northquay", "2026-07-01", 30, -5, -14.29),
            ("Northquay", "2026-10-01", 22, None, None), ("Northquay", "2026-11-01", 7, -15, -68.18),
            ("Southpier", "2026-07-01", 20, None, None), ("Southpier", "2026-09-01", 8, None, None),
            ("Southpier", "2026-10-01", 30, 22, 275),
        ]),
        ("how did crossings develop in October 2026", [("2026-10-10", 1), ("2026-10-24", 1)]),
    ],
)  # fmt: skip
async def test_another_schema_is_told_over_time(question: str, rows: list[tuple[object, ...]]):
    with closing(ferries()) as connection:
        found = await answered(connection, question)

    assert sorted(map(str, rounded(found))) == sorted(map(str, rounded(rows)))


async def test_a_course_is_told_with_its_ends_and_what_was_assumed():
    with closing(ferries()) as connection:
        told = await asked(connection, "how did fares develop this year")

    assert "up from 35 in June 2026 to 52 in October 2026" in told.text
    assert "lowest September 2026 with 8" in told.text
    assert "November 2026 is not complete: the data ends on 2026-11-08." in told.text
    assert "by month, as no period length was named" in told.text


async def test_the_growth_of_the_last_period_is_said_to_be_of_a_part():
    with closing(ferries()) as connection:
        told = await asked(connection, "growth of crossings by month")

    assert "the largest rise is July 2026 with 1 (50.0%)" in told.text
    assert "the largest fall is November 2026 with -1 (-50.0%)" in told.text
    assert "June 2026 has none." in told.text
    assert "November 2026 is not complete" in told.text


async def test_a_whole_last_period_is_not_called_incomplete():
    with closing(demo()) as connection:
        told = await asked(connection, "revenue growth by year")

    assert "not complete" not in told.text


async def test_the_growth_of_one_period_is_still_beside_the_one_before():
    with closing(demo()) as connection:
        told = await asked(connection, "year over year revenue growth by region in 2025")

    assert told.columns[1:] == ("revenue_2024", "revenue_2025", "change")


async def test_a_running_total_is_called_one():
    with closing(ferries()) as connection:
        told = await asked(connection, "cumulative fares by month")

    assert told.columns == ("month", "cumulative_fare")
    assert told.text.startswith("Cumulative fare by month: adds up to 152 with November 2026")


async def test_days_have_no_hours():
    with closing(shop()) as connection:
        told = await asked(connection, "orders by hour")

    assert told.refused
    assert told.text == "orders.ordered_at holds days and no time of day"


async def test_a_year_ago_is_not_taken_for_the_month_before():
    with closing(ferries()) as connection:
        told = await asked(connection, "year over year growth of fares by month")

    assert told.refused
    assert "name one length of period" in told.text


async def test_the_figure_is_asked_for_where_none_is_named():
    with closing(demo()) as connection:
        back = await asked(connection, "which weekday is the slowest")
        told = await asked(connection, "which weekday is the slowest", answer="number of orders")

    assert back.options[:2] == ("revenue", "number of orders")
    assert told.rows[0][0] == "Sunday"


async def test_a_table_of_hours_is_not_taken_for_the_hours_of_a_day():
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
        connection.executescript(
            "CREATE TABLE shifts (shift_id INTEGER PRIMARY KEY, started_at DATETIME, hour INTEGER);"
            "INSERT INTO shifts VALUES (1, '2026-01-01 09:00:00', 14), (2, '2026-01-02 09:00:00', 14);"
        )
        told = await asked(connection, "shifts by hour")

    assert told.rows == [(14, 2)]


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("what is the average time between signup and first order", "SELECT AVG(d) FROM (SELECT MIN(JULIANDAY(DATE(ordered_at))) - JULIANDAY(signed_up_on) AS d FROM customers JOIN orders USING (customer_id) GROUP BY customer_id)"),
        ("average days from order to refund", "SELECT AVG(JULIANDAY(refunded_on) - JULIANDAY(DATE(ordered_at))) FROM refunds JOIN orders USING (order_id)"),
        ("any anomalies in daily orders", "WITH d (x, n) AS (SELECT DATE(ordered_at), COUNT(*) FROM orders GROUP BY 1), m (a) AS (SELECT AVG(n) FROM d), v (s) AS (SELECT SUM((n - a) * (n - a)) / COUNT(*) FROM d, m) SELECT x, n, a FROM d, m, v WHERE (n - a) * (n - a) > 9 * s ORDER BY ABS(n - a) DESC"),
        ("unusual days for revenue in 2025", f"WITH d (x, n) AS (SELECT DATE(ordered_at), SUM(revenue) FROM {REVENUE} WHERE ordered_at LIKE '2025%' GROUP BY 1), m (a) AS (SELECT AVG(n) FROM d), v (s) AS (SELECT SUM((n - a) * (n - a)) / COUNT(*) FROM d, m) SELECT x, n, a FROM d, m, v WHERE (n - a) * (n - a) > 9 * s ORDER BY ABS(n - a) DESC"),
    ],
)  # fmt: skip
async def test_times_and_what_is_unusual_are_told_of_the_demo(question: str, gold: str):
    with closing(demo()) as connection:
        found = await answered(connection, question)

        assert found
        assert rounded(found) == rounded(connection.execute(gold).fetchall())


async def test_a_time_shorter_than_a_day_is_told_in_hours():
    with closing(ferries()) as connection:
        told = await asked(connection, "average time from departure to arrival")

    # Eight crossings have arrived: six took half an hour, two a whole one.
    assert told.columns == ("average_hours",)
    assert told.rows == [(pytest.approx(0.625),)]
    assert told.text.startswith("Average hours from departed to arrived of crossings: 0.625")


async def test_the_first_of_several_is_the_first_of_each():
    with closing(ferries()) as connection:
        told = await asked(connection, "average time between registration and first crossing")

    # 4 days, 1 and 9 days; one has never crossed.
    assert rounded(told.rows) == [(4.67,)]
    assert "of the crossings of each passenger the first one counts" in told.text


async def test_outliers_are_declined_where_nothing_finds_them():
    with closing(ferries()) as connection:
        told = await asked(connection, "are there any outliers in fares")

    assert told.refused
    assert not told.sql


async def test_unusual_days_say_by_which_rule():
    with closing(demo()) as connection:
        told = await asked(connection, "unusual days in 2025", answer="number of orders")

    assert told.asked == "By which figure?"
    assert told.text.startswith("Unusual days: Number of orders by day (2025): 1 day. 2025-11-28")
    assert "more than 3 standard deviations from the mean of all days with rows" in told.text


async def test_as_many_periods_are_offered_as_were_asked_for():
    with closing(demo()) as connection:
        told = await asked(connection, "show me revenue by week for the last 3 months")
        again = await asked(
            connection, "show me revenue by week from October 2025 to December 2025"
        )

    offer = "Suggestion: show me revenue by week from October 2025 to December 2025"
    assert offer in told.text.splitlines()
    assert again.rows[0][0] == "2025-09-29"


async def test_over_the_past_months_is_a_time_and_no_comparison():
    with closing(ferries()) as connection:
        told = await asked(connection, "fares by month over the past 2 months")

    assert told.rows == [("2026-10-01", 52), ("2026-11-01", 7)]


async def test_a_name_that_has_a_word_for_growth_in_it_is_no_growth():
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
        connection.executescript(
            "CREATE TABLE change_requests (request_id INTEGER PRIMARY KEY, requested_on DATE NOT NULL);"
            "INSERT INTO change_requests VALUES (1, '2026-01-05'), (2, '2026-01-09'), (3, '2026-02-09');"
        )
        told = await asked(connection, "change requests by month")

    assert told.rows == [("2026-01-01", 2), ("2026-02-01", 1)]


async def test_weeks_that_lie_in_the_period_by_a_part_are_no_ends_of_a_trend():
    with closing(demo()) as connection:
        told = await asked(connection, "weekly trend of orders in March 2025")
        whole = connection.execute(
            "SELECT COUNT(*) FROM orders WHERE DATE(ordered_at) BETWEEN '2025-03-03' AND '2025-03-09'"
        ).fetchone()[0]

    assert f"from {whole} in the week of 2025-03-03 to" in told.text
    assert "The week of 2025-02-24 is in the period asked for by a part only." in told.text


async def test_a_trend_since_a_year_goes_on_to_the_end_of_the_data():
    with closing(demo()) as connection:
        told = await asked(connection, "how have support tickets evolved since 2024")

    assert "in January 2024 to" in told.text
    assert "in December 2025." in told.text


@pytest.mark.parametrize(
    "question", ["best month for DACH", "how many orders did we have in our best month"]
)
async def test_the_best_month_is_not_taken_for_the_latest(question: str):
    with closing(demo()) as connection:
        told = await asked(connection, question)

    assert told.refused
