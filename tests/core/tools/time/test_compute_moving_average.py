import pandas as pd
import pytest

from core.domain.errors import NotPossible
from core.toolkit.context import ToolContext
from core.tools.time.compute_moving_average import compute_moving_average
from tests.kit.frames import by_period

ORDERS = {"table": "orders", "time_column": "ordered_at", "measure": "amount"}


async def test_agrees_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_moving_average.call({**ORDERS, "window": 4}, ctx)

    totals = list(by_period(shop["orders"], "ordered_at", "amount").values())
    expected = pd.Series(totals).rolling(4).mean().tolist()
    averages = result.table.values("moving_average")
    assert averages[:3] == (None, None, None)
    assert averages[3:-1] == pytest.approx(expected[3:-1])
    assert averages[-1] is None


async def test_a_period_without_rows_is_never_averaged_over(ctx: ToolContext):
    result = await compute_moving_average.call(
        {**ORDERS, "window": 2, "where": "ordered_at < '2025-03-01' OR ordered_at >= '2025-04-01'"},
        ctx,
    )

    averages = result.table.values("moving_average")
    assert [average is None for average in averages[:5]] == [True, False, True, True, False]


async def test_names_the_highest_and_the_lowest(ctx: ToolContext):
    result = await compute_moving_average.call(
        {"table": "monthly_targets", "time_column": "month", "measure": "target", "window": 2}, ctx
    )

    assert result.finding == (
        "Averaged over 2 months, the total target is 11,875 in May 2026; it was highest in "
        "May 2026 (11,875) and lowest in Feb 2025 (8,125)."
    )


async def test_says_when_the_window_is_too_long(ctx: ToolContext):
    with pytest.raises(NotPossible, match="smaller window"):
        await compute_moving_average.call({**ORDERS, "window": 24}, ctx)
