import pandas as pd
import pytest

from core.domain.errors import BadArguments, NotPossible
from core.stats.scipy_door import scipy_stats
from core.toolkit.context import ToolContext
from core.tools.analyze.correlate_query import correlate_query

BY_CUSTOMER = (
    "SELECT customer_id, COUNT(*) AS orders, SUM(amount) AS total FROM orders"
    " WHERE customer_id IS NOT NULL GROUP BY customer_id"
)


async def test_agrees_with_scipy_over_the_statements_rows(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await correlate_query.call({"sql": BY_CUSTOMER, "x": "orders", "y": "total"}, ctx)

    groups = shop["orders"].dropna(subset=["customer_id"]).groupby("customer_id")["amount"]
    pairs = pd.DataFrame({"orders": groups.size(), "total": groups.sum(min_count=1)}).dropna()
    expected = scipy_stats().pearsonr(pairs["orders"].astype(float), pairs["total"].astype(float))
    [(first, second, r, n, p_value)] = result.table.rows
    assert (first, second, n) == ("orders", "total", len(pairs))
    assert r == pytest.approx(float(expected.statistic), abs=1e-9)
    assert p_value == pytest.approx(float(expected.pvalue), rel=1e-6, abs=1e-12)
    assert "Pearson" in result.finding


async def test_says_what_cannot_be_compared(ctx: ToolContext):
    with pytest.raises(NotPossible, match="same in every row"):
        await correlate_query.call(
            {"sql": "SELECT amount, 1 AS one FROM orders", "x": "amount", "y": "one"}, ctx
        )
    with pytest.raises(NotPossible, match="Only 0 rows"):
        await correlate_query.call(
            {"sql": f"{BY_CUSTOMER} HAVING COUNT(*) < 0", "x": "orders", "y": "total"}, ctx
        )


async def test_what_is_no_name_and_no_statement_is_refused(ctx: ToolContext):
    with pytest.raises(BadArguments, match="x"):
        await correlate_query.call({"sql": BY_CUSTOMER, "x": "orders) --", "y": "total"}, ctx)
    with pytest.raises(NotPossible):
        await correlate_query.call(
            {"sql": "SELECT 1 AS a, 2 AS b) AS p; DROP TABLE orders --", "x": "a", "y": "b"}, ctx
        )
