from statistics import NormalDist

import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments, NotPossible
from core.domain.table import number
from core.toolkit.context import ToolContext
from core.tools.quality.detect_outliers import (
    DetectOutliersArgs,
    Fence,
    build_count,
    build_deviation,
    build_query,
    detect_outliers,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import ORDERS, TOTALS

AMOUNTS = {"table": "orders", "measure": "amount"}


def odd_by_iqr(values: pd.Series, reach: float) -> pd.Series:
    low, high = values.quantile(0.25), values.quantile(0.75)
    spread = high - low
    return values[(values < low - reach * spread) | (values > high + reach * spread)]


async def test_finds_what_lies_beyond_the_quartiles(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await detect_outliers.call({**AMOUNTS, "limit": 200}, ctx)

    amounts = shop["orders"]["amount"]
    odd = odd_by_iqr(amounts, 1.5)
    found = [number(value) for value in result.table.values("value")]
    assert f"{len(odd)} of {amounts.count():,} values of amount are odd" in result.finding
    assert f"{(odd < 0).sum()} low" in result.finding
    assert set(found) <= set(odd)
    assert found[:8] == sorted(odd, reverse=True)[:8]


async def test_a_longer_reach_finds_less(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await detect_outliers.call({**AMOUNTS, "reach": 100}, ctx)

    odd = odd_by_iqr(shop["orders"]["amount"], 100)
    assert len(result.table.rows) == len(odd) == 8
    assert set(result.table.values("side")) == {"high"}


async def test_robust_deviations_are_those_of_a_normal_distribution(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await detect_outliers.call({**AMOUNTS, "method": "mad", "limit": 200}, ctx)

    amounts = shop["orders"]["amount"].dropna()
    spread = (amounts - amounts.median()).abs().median() / NormalDist().inv_cdf(0.75)
    scores = (amounts - amounts.median()) / spread
    odd = amounts[scores.abs() > 3.5]
    assert f"{len(odd)} of " in result.finding
    assert number(result.table.values("distance")[0]) == pytest.approx(scores.max())


async def test_a_row_is_named_by_its_key(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await detect_outliers.call(AMOUNTS, ctx)

    orders = shop["orders"].sort_values("amount", ascending=False)
    assert result.table.values("row")[0] == f"order_id = {orders['order_id'].iloc[0]}"


async def test_a_row_without_a_key_is_named_by_its_first_columns(ctx: ToolContext):
    result = await detect_outliers.call(
        {"table": "order_items", "measure": "price", "reach": 0.1, "limit": 1}, ctx
    )

    assert str(result.table.values("row")[0]).startswith("order_id = ")
    assert "line_no = " in str(result.table.values("row")[0])


async def test_says_what_is_usual(ctx: ToolContext):
    result = await detect_outliers.call({"table": "Odd Names", "measure": "select"}, ctx)

    [usual] = result.notes
    assert usual.startswith("Usual is select from ")
    assert "1.5 spreads of the middle half" in usual


async def test_says_that_nothing_is_odd(ctx: ToolContext):
    result = await detect_outliers.call({"table": "monthly_targets", "measure": "target"}, ctx)

    assert result.finding == "No value of target is odd, in 18 rows."
    assert result.table.rows == ()


async def test_refuses_an_empty_table(ctx: ToolContext):
    with pytest.raises(NotPossible, match="No row of nothing_yet has a amount"):
        await detect_outliers.call({"table": "nothing_yet", "measure": "amount"}, ctx)


async def test_refuses_too_few_rows(ctx: ToolContext):
    with pytest.raises(NotPossible, match="8 are needed"):
        await detect_outliers.call(
            {"table": "monthly_targets", "measure": "target", "where": "month < '2025-05'"}, ctx
        )


async def test_refuses_when_half_of_the_values_are_the_same(ctx: ToolContext):
    with pytest.raises(NotPossible, match="revenue or more are 0"):
        await detect_outliers.call({"table": "experiment", "measure": "revenue"}, ctx)


async def test_refuses_text(ctx: ToolContext):
    with pytest.raises(BadArguments, match="choose a column of numbers"):
        await detect_outliers.call({"table": "orders", "measure": "status"}, ctx)


def test_counts_takes_and_reads_in_every_engine(snapshot: SnapshotAssertion):
    args = DetectOutliersArgs(table="orders", measure="amount", where="status = 'paid'")
    [amount] = [each for each in ORDERS.columns if each.name == "amount"]
    fence = Fence(low=-10.5, high=90.0, middle=30.0, spread=20.0)

    assert snapshot(name="count") == in_each_dialect(
        lambda dialect: build_count(args, ORDERS, amount, fence, dialect)
    )
    assert snapshot(name="deviation") == in_each_dialect(
        lambda dialect: build_deviation(args, ORDERS, amount, 30.0, dialect)
    )
    assert snapshot(name="rows") == in_each_dialect(
        lambda dialect: build_query(args, TOTALS, TOTALS.columns[1], fence, dialect)
    )
