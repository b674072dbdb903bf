"""Statements that run and mislead, each beside one that does not."""

from __future__ import annotations

import re
from typing import Any, Protocol

import pytest

from tests.core.reviewer.test_pitfalls import Desk

ON_ONE_LOOP = pytest.mark.asyncio(loop_scope="session")
ON_SQLITE = pytest.mark.parametrize("desk_url", ["sqlite"], indirect=True, scope="session")


class Asked(Protocol):
    @property
    def table(self) -> Any: ...


WRONG_AND_RIGHT = {
    "a count is named for a table that the join repeats": (
        "SELECT COUNT(*) AS customers FROM customers c JOIN orders o ON o.customer_id = c.id",
        "count its key with DISTINCT",
        "SELECT COUNT(DISTINCT c.id) AS customers FROM customers c"
        " JOIN orders o ON o.customer_id = c.id",
    ),
    "nothing connects two tables": (
        "SELECT SUM(o.amount) AS total FROM orders o, customers c WHERE c.country = 'Spain'",
        "Nothing connects c",
        "SELECT SUM(o.amount) AS total FROM orders o, customers c"
        " WHERE C.id = o.customer_id AND c.country = 'Spain'",
    ),
    "rates of groups are averaged": (
        "SELECT AVG(r) AS rate FROM (SELECT country, 1.0 * COUNT(referred_by) / COUNT(*) AS r"
        " FROM customers GROUP BY country) AS g",
        "averages averages",
        "SELECT 1.0 * COUNT(referred_by) / COUNT(*) AS rate FROM customers",
    ),
    "a part of more than its whole": (
        "SELECT status, 100.0 * COUNT(*) / (SELECT COUNT(*) FROM orders WHERE status = 'open')"
        " AS share_pct FROM orders GROUP BY status",
        "outside of 0 to 100",
        "SELECT status, 100.0 * COUNT(*) / (SELECT COUNT(*) FROM orders) AS share_pct FROM orders"
        " GROUP BY status",
    ),
    "shares of a smaller whole": (
        "SELECT country, 1.0 * COUNT(*) / (SELECT COUNT(*) FROM customers WHERE id > 3) AS part"
        " FROM customers GROUP BY country",
        "add up to",
        "SELECT country, 1.0 * COUNT(*) / (SELECT COUNT(*) FROM customers) AS part"
        " FROM customers GROUP BY country",
    ),
    "compared with NULL": (
        "SELECT COUNT(*) AS n FROM customers WHERE referred_by = NULL",
        "holds for no row",
        "SELECT COUNT(*) AS n FROM customers WHERE referred_by IS NULL",
    ),
    "an alternative without the other conditions": (
        "SELECT COUNT(*) AS n FROM orders WHERE amount > 50 AND status = 'paid' OR status = 'open'",
        "AND binds before OR",
        "SELECT COUNT(*) AS n FROM orders WHERE amount > 50"
        " AND (status = 'paid' OR status = 'open')",
    ),
    "a total of rows that a LIMIT took": (
        "SELECT SUM(amount) AS total FROM (SELECT amount FROM orders LIMIT 2) AS few",
        "took in no order",
        "SELECT SUM(amount) AS top_two FROM"
        " (SELECT amount FROM orders ORDER BY amount DESC LIMIT 2) AS few",
    ),
    "equal amounts are taken for one": (
        "SELECT SUM(DISTINCT amount) AS total FROM orders",
        "amounts are lost",
        "SELECT COUNT(DISTINCT amount) AS amounts FROM orders",
    ),
    "UNION keeps one of equal rows": (
        "SELECT SUM(quantity) AS q FROM (SELECT quantity FROM lines WHERE order_id = 1"
        " UNION SELECT quantity FROM lines WHERE order_id = 4) AS u",
        "use UNION ALL",
        "SELECT SUM(quantity) AS q FROM (SELECT quantity FROM lines WHERE order_id = 1"
        " UNION ALL SELECT quantity FROM lines WHERE order_id = 4) AS u",
    ),
    "the first letters of a day": (
        "SELECT SUBSTR(born, 1, 7) AS month, COUNT(*) AS n FROM customers GROUP BY 1",
        "its first letters name no month",
        "SELECT SUBSTR(born, 7, 4) AS year, COUNT(*) AS n FROM customers GROUP BY 1",
    ),
    "a range of days over dates as text": (
        "SELECT COUNT(*) AS n FROM customers WHERE born BETWEEN '1980-01-01' AND '1989-12-31'",
        "which a range of days does not fit",
        "SELECT COUNT(*) AS n FROM customers WHERE SUBSTR(born, 7, 4) BETWEEN '1980' AND '1989'",
    ),
    "numbers as text are compared": (
        "SELECT MAX(CAST(amount AS VARCHAR(9))) AS most FROM orders",
        "'9' as more than '10'",
        "SELECT MAX(amount) AS most FROM orders",
    ),
}


@ON_ONE_LOOP
@pytest.mark.parametrize("case", WRONG_AND_RIGHT)
async def test_what_misleads_is_told_and_what_does_not_is_left_alone(case: str, desk: Desk):
    wrong, words, right = WRONG_AND_RIGHT[case]

    bad, good = await desk.ask(wrong), await desk.ask(right)

    assert any(words in each for each in bad.said), bad.said
    assert good.said == ()


# The others divide exactly, or add up no truths.
@ON_ONE_LOOP
@ON_SQLITE
async def test_a_truth_that_is_added_up_is_a_whole_number(desk: Desk):
    asked = await desk.ask("SELECT SUM(status = 'open') / COUNT(*) AS open_share FROM orders")

    assert asked.table.rows == ((0,),)
    assert "its fraction is cut off" in asked.said[0]


# The others reject such a statement.
@ON_ONE_LOOP
@ON_SQLITE
async def test_a_function_that_reads_no_date_is_told(desk: Desk):
    asked = await desk.ask("SELECT STRFTIME('%Y', born) AS year, COUNT(*) AS n FROM customers")

    assert asked.table.rows == ((None, 44),)
    assert re.search(r"born holds text that is read as no date", asked.said[0])
