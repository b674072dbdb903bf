from datetime import date

import pandas as pd
import pytest

from core.domain.errors import BadArguments
from core.toolkit.context import ToolContext
from core.tools.time.compute_cumulative import compute_cumulative
from tests.kit.frames import by_period
from tests.kit.tables import pairs

ORDERS = {"table": "orders", "time_column": "ordered_at", "measure": "amount"}


async def test_agrees_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_cumulative.call(ORDERS, ctx)

    totals = list(by_period(shop["orders"], "ordered_at", "amount").values())
    assert result.table.values("running_total") == pytest.approx(
        pd.Series(totals).cumsum().tolist()
    )


async def test_begins_again_every_year(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_cumulative.call({**ORDERS, "restart": "year"}, ctx)

    totals = by_period(shop["orders"], "ordered_at", "amount")
    running = pairs(result.table, "period", "running_total")
    assert running[date(2026, 1, 1)] == pytest.approx(totals[date(2026, 1, 1)])
    assert running[date(2025, 12, 1)] == pytest.approx(
        sum(total for month, total in totals.items() if month.year == 2025)
    )
    assert result.finding.startswith("From Jan 2026 to Jun 2026, which is not complete, the total")


async def test_a_period_without_rows_adds_nothing(ctx: ToolContext):
    result = await compute_cumulative.call(
        {**ORDERS, "where": "ordered_at < '2025-03-01' OR ordered_at >= '2025-04-01'"}, ctx
    )

    running = pairs(result.table, "period", "running_total")
    assert running[date(2025, 3, 1)] == running[date(2025, 2, 1)]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"how": "average"}, "cannot be added up"),
        ({"how": "distinct", "measure": "customer_id"}, "cannot be added up"),
        ({"grain": "quarter", "restart": "month"}, "longer than the month"),
    ],
)
async def test_refuses_what_does_not_add_up(ctx: ToolContext, wrong: dict[str, str], words: str):
    with pytest.raises(BadArguments, match=words):
        await compute_cumulative.call({**ORDERS, **wrong}, ctx)
