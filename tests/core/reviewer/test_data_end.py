import pytest

from tests.core.reviewer.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")

SELECT = "SELECT WHAT FROM orders WHERE "
ENDS = "The data ends on 2026-02-01 (orders.placed_at)."


@pytest.mark.parametrize(
    "condition",
    [
        "placed_at >= '2026-10-01' AND placed_at < '2026-11-01'",
        "placed_at BETWEEN '2026-10-01' AND '2026-10-31'",
        "placed_at > '2026-10-01'",
        "placed_at >= CURRENT_DATE",
    ],
)
@pytest.mark.parametrize("what", ["COUNT(*)", "SUM(amount)", "status"])
async def test_a_period_behind_the_data_is_told(desk: Desk, what: str, condition: str):
    asked = await desk.ask(SELECT.replace("WHAT", what) + condition)

    assert ENDS in asked.said


async def test_a_period_is_followed_through_a_subquery(desk: Desk):
    asked = await desk.ask(
        "WITH recent AS (SELECT placed_at AS day, amount FROM orders)"
        " SELECT SUM(amount) FROM recent WHERE day >= '2026-10-01'"
    )

    assert ENDS in asked.said


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) FROM orders WHERE placed_at >= '2026-01-01' AND status = 'lost'",
        "SELECT COUNT(*) FROM orders WHERE placed_at < '2020-01-01'",
        "SELECT COUNT(*) FROM orders WHERE placed_at >= '2026-01-01'",
        "SELECT COUNT(*) FROM orders WHERE amount > 1000",
    ],
)
async def test_data_that_goes_on_is_not_spoken_of(desk: Desk, sql: str):
    asked = await desk.ask(sql)

    assert not [each for each in asked.said if each.startswith("The data ends")]
