import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.catalog import CatalogColumn
from core.toolkit.context import ToolContext
from core.tools.explore.get_column_stats import (
    QUANTILES,
    GetColumnStatsArgs,
    build_quantiles,
    build_query,
    get_column_stats,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import ORDERS
from tests.kit.tables import record


async def test_figures_of_numbers_agree_with_pandas(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await get_column_stats.call({"table": "orders", "column": "amount"}, ctx)

    amounts = shop["orders"]["amount"]
    figures = record(result.table)
    assert figures["rows"] == len(amounts)
    assert figures["nulls"] == amounts.isna().sum()
    assert figures["null_share"] == pytest.approx(amounts.isna().mean())
    assert figures["distinct"] == amounts.nunique()
    assert figures["min"] == pytest.approx(amounts.min())
    assert figures["max"] == pytest.approx(amounts.max())
    assert figures["mean"] == pytest.approx(amounts.mean())
    assert figures["deviation"] == pytest.approx(amounts.std())
    for name, share in QUANTILES.items():
        assert figures[name] == pytest.approx(amounts.quantile(share)), name


async def test_whole_numbers_with_nulls_are_averaged_without_cutting_off(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await get_column_stats.call({"table": "orders", "column": "quantity"}, ctx)

    quantities = shop["orders"]["quantity"].dropna().astype(float)
    figures = record(result.table)
    assert figures["mean"] == pytest.approx(quantities.mean())
    assert figures["deviation"] == pytest.approx(quantities.std())
    assert figures["median"] == pytest.approx(quantities.median())


async def test_keeps_to_the_condition(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await get_column_stats.call(
        {"table": "orders", "column": "amount", "where": "status = 'refunded'"}, ctx
    )

    orders = shop["orders"]
    refunds = orders[orders["status"] == "refunded"]["amount"]
    assert record(result.table)["median"] == pytest.approx(refunds.median())
    assert record(result.table)["rows"] == len(refunds)


async def test_text_has_counts_and_no_moments(ctx: ToolContext):
    result = await get_column_stats.call({"table": "customers", "column": "segment"}, ctx)

    figures = record(result.table)
    assert figures["distinct"] == 3
    assert not any(figures[name] for name in ("mean", "deviation", *QUANTILES))


async def test_an_empty_table_has_no_figures(ctx: ToolContext):
    result = await get_column_stats.call({"table": "nothing_yet", "column": "amount"}, ctx)

    figures = record(result.table)
    assert (figures["rows"], figures["nulls"], figures["null_share"]) == (0, 0, None)
    assert result.finding == "amount: there are no rows."


async def test_a_column_that_is_null_in_the_chosen_rows_is_said_to_be(ctx: ToolContext):
    result = await get_column_stats.call(
        {"table": "orders", "column": "amount", "where": "amount IS NULL"}, ctx
    )

    assert result.finding.startswith("amount is NULL in all ")


async def test_says_that_a_key_never_repeats(ctx: ToolContext):
    result = await get_column_stats.call({"table": "orders", "column": "order_id"}, ctx)

    assert "No two rows have the same order_id." in result.notes


@pytest.fixture
def amount() -> CatalogColumn:
    [column] = [each for each in ORDERS.columns if each.name == "amount"]
    return column


def test_counts_in_every_engine(amount: CatalogColumn, snapshot: SnapshotAssertion):
    args = GetColumnStatsArgs(table="orders", column="amount", where="status = 'paid'")

    assert snapshot == in_each_dialect(lambda dialect: build_query(args, ORDERS, amount, dialect))


def test_takes_quantiles_in_every_engine(amount: CatalogColumn, snapshot: SnapshotAssertion):
    args = GetColumnStatsArgs(table="orders", column="amount")

    assert snapshot == in_each_dialect(
        lambda dialect: build_quantiles(args, ORDERS, amount, dialect)
    )
