import pandas as pd
import pytest

from core.domain.errors import BadArguments, NotPossible
from core.toolkit.context import ToolContext
from core.tools.time.compute_growth import compute_growth
from tests.kit.frames import by_period

ORDERS = {"table": "orders", "time_column": "ordered_at", "measure": "amount"}


async def test_change_agrees_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_growth.call(ORDERS, ctx)

    totals = list(by_period(shop["orders"], "ordered_at", "amount").values())
    expected = pd.Series(totals).pct_change().tolist()
    assert result.table.values("change")[0] is None
    assert result.table.values("change")[1:-1] == pytest.approx(expected[1:-1])


async def test_an_incomplete_month_has_no_change(ctx: ToolContext):
    result = await compute_growth.call(ORDERS, ctx)

    assert result.table.rows[-1][-2:] == (None, False)


async def test_a_year_ago_is_twelve_months_before(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_growth.call({**ORDERS, "against": "year_ago"}, ctx)

    totals = list(by_period(shop["orders"], "ordered_at", "amount").values())
    assert result.table.values("change")[:12] == (None,) * 12
    assert result.table.values("change")[12] == pytest.approx(totals[12] / totals[0] - 1)
    assert "against a year before" in result.finding


async def test_gives_the_compound_rate_from_the_first_to_the_last_complete_month(
    ctx: ToolContext,
):
    result = await compute_growth.call(
        {"table": "monthly_targets", "time_column": "month", "measure": "target"}, ctx
    )

    rate = (12_000 / 8_000) ** (1 / 16) - 1
    assert "From Jan 2025 (8,000) to May 2026 (12,000)" in result.finding
    assert f"that is {rate:+.1%} per month on average, compounded over 16 months" in result.finding


async def test_nothing_and_losses_give_no_share(ctx: ToolContext):
    refunds = {**ORDERS, "where": "status = 'refunded'"}

    with pytest.raises(NotPossible, match="No two complete months with a value above zero"):
        await compute_growth.call(refunds, ctx)


async def test_a_year_ago_needs_months_or_longer(ctx: ToolContext):
    with pytest.raises(BadArguments, match="no whole number of weeks"):
        await compute_growth.call({**ORDERS, "grain": "week", "against": "year_ago"}, ctx)


async def test_arguments_that_do_not_fit_are_the_models_to_change(ctx: ToolContext):
    with pytest.raises(BadArguments, match="grain"):
        await compute_growth.call({**ORDERS, "grain": "fortnight"}, ctx)
