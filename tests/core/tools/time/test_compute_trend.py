from datetime import date

import pandas as pd
import pytest

from core.domain.errors import BadArguments, NotPossible
from core.stats.scipy_door import scipy_stats
from core.toolkit.context import ToolContext
from core.tools.time.compute_trend import compute_trend
from tests.kit.frames import Rule, by_period, chosen
from tests.kit.tables import pairs

ORDERS = {"table": "orders", "time_column": "ordered_at", "measure": "amount"}


async def test_months_agree_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_trend.call(ORDERS, ctx)

    assert result.table.names == ("period", "total_amount", "trend", "complete")
    assert pairs(result.table, "period", "total_amount") == pytest.approx(
        by_period(shop["orders"], "ordered_at", "amount")
    )


async def test_the_line_is_fitted_over_complete_months(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await compute_trend.call(ORDERS, ctx)

    complete = list(by_period(shop["orders"], "ordered_at", "amount").values())[:-1]
    line = scipy_stats().linregress(range(len(complete)), complete)
    assert result.table.values("trend")[0] == pytest.approx(line.intercept)
    assert result.table.values("trend")[-1] == pytest.approx(line.intercept + 17 * line.slope)
    assert f"R² {line.rvalue**2:.2f}" in result.finding


async def test_the_month_of_today_is_not_complete(ctx: ToolContext):
    result = await compute_trend.call(ORDERS, ctx)

    complete = pairs(result.table, "period", "complete")
    assert [period for period, done in complete.items() if not done] == [date(2026, 6, 1)]
    assert "Not complete: Jun 2026 is not over yet." in result.notes


async def test_a_month_cut_by_since_is_not_complete(ctx: ToolContext):
    result = await compute_trend.call({**ORDERS, "since": "2025-09-10"}, ctx)

    assert result.table.rows[0][0] == date(2025, 9, 1)
    assert result.table.rows[0][-1] is False
    assert "Not complete: Sep 2025 is only counted from 2025-09-10." in result.notes


async def test_a_last_day_counts_with_all_its_hours(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await compute_trend.call(
        {**ORDERS, "grain": "day", "since": "2026-03-01", "until": "2026-03-05"}, ctx
    )

    days = chosen(shop["orders"], "'2026-03-01' <= order_day <= '2026-03-05'")
    expected = by_period(days, "ordered_at", "amount", rule="D")
    assert pairs(result.table, "period", "total_amount") == pytest.approx(expected)


@pytest.mark.parametrize(("grain", "rule"), [("week", "W-SUN"), ("quarter", "Q-DEC")])
async def test_every_grain_agrees_with_pandas(
    ctx: ToolContext, shop: dict[str, pd.DataFrame], grain: str, rule: Rule
):
    result = await compute_trend.call({**ORDERS, "grain": grain}, ctx)

    expected = by_period(shop["orders"], "ordered_at", "amount", rule=rule)
    assert pairs(result.table, "period", "total_amount") == pytest.approx(expected)


async def test_two_years_make_no_trend(ctx: ToolContext):
    with pytest.raises(NotPossible, match="Only 1 complete years"):
        await compute_trend.call({**ORDERS, "grain": "year"}, ctx)


async def test_counts_rows_without_a_measure(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_trend.call({"table": "orders", "time_column": "ordered_at"}, ctx)

    expected = by_period(shop["orders"], "ordered_at", "order_id", how="size")
    assert pairs(result.table, "period", "rows") == expected


@pytest.mark.parametrize("column", ["order_day", "ordered_at"])
async def test_dates_kept_as_text_work(
    ctx: ToolContext, shop: dict[str, pd.DataFrame], column: str
):
    result = await compute_trend.call({**ORDERS, "time_column": column}, ctx)

    expected = by_period(shop["orders"], "ordered_at", "amount")
    assert pairs(result.table, "period", "total_amount") == pytest.approx(expected)


async def test_months_kept_as_text_work(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_trend.call(
        {"table": "monthly_targets", "time_column": "month", "measure": "target"}, ctx
    )

    assert result.table.values("total_target") == tuple(shop["monthly_targets"]["target"])
    assert "The total target rises by about 250 a month" in result.finding


async def test_arithmetic_and_a_look_up_are_measured(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await compute_trend.call(
        {
            "table": "order_items",
            "time_column": "orders.ordered_at",
            "measure": "quantity * price",
            "where": "orders.status = 'paid'",
        },
        ctx,
    )

    lines = shop["order_items"].merge(shop["orders"], on="order_id", suffixes=("", "_order"))
    lines["value"] = lines["quantity"] * lines["price"].astype(float)
    expected = by_period(chosen(lines, "status == 'paid'"), "ordered_at", "value")
    assert pairs(result.table, "period", "total quantity * price") == pytest.approx(expected)


async def test_months_without_rows_keep_their_place(ctx: ToolContext):
    result = await compute_trend.call(
        {**ORDERS, "where": "ordered_at < '2025-03-01' OR ordered_at >= '2025-06-01'"}, ctx
    )

    totals = pairs(result.table, "period", "total_amount")
    assert totals[date(2025, 4, 1)] is None
    assert "No rows in 3 of 18 months: Mar 2025, Apr 2025, May 2025." in result.notes


async def test_an_average_is_no_sum(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_trend.call({**ORDERS, "how": "average"}, ctx)

    expected = by_period(shop["orders"], "ordered_at", "amount", how="mean")
    assert pairs(result.table, "period", "average_amount") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"measure": "amounts"}, "nearest: amount"),
        ({"measure": "status"}, "nothing to take the sum of"),
        ({"measure": "SUM(amount)"}, "Aggregates are chosen with `how`"),
        ({"time_column": "status"}, "no dates that can be read"),
        ({"measure": "price"}, "no column of orders 'price'"),
        ({"measure": "order_items.price"}, "more than once"),
        ({"where": "state = 'paid'"}, "no column of orders 'state'"),
        ({"where": "amount >"}, "not one condition"),
    ],
)
async def test_what_does_not_fit_is_the_models_to_change(
    ctx: ToolContext, wrong: dict[str, str], words: str
):
    with pytest.raises(BadArguments, match=words):
        await compute_trend.call({**ORDERS, **wrong}, ctx)


async def test_says_when_there_is_nothing_to_show(ctx: ToolContext):
    with pytest.raises(NotPossible, match="No row of nothing_yet has a day"):
        await compute_trend.call({"table": "nothing_yet", "time_column": "day"}, ctx)


async def test_refuses_more_periods_than_anyone_reads(ctx: ToolContext):
    with pytest.raises(NotPossible, match="longer grain"):
        await compute_trend.call({**ORDERS, "grain": "hour"}, ctx)
