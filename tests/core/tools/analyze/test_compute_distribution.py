import numpy as np
import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.artifact import BarChart, Histogram
from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Dialect, Query
from core.domain.table import Table, number
from core.stats.bins import Bins
from core.toolkit.context import ToolContext
from core.toolkit.sources import Source
from core.tools.analyze.compute_distribution import (
    ComputeDistributionArgs,
    build_bins,
    build_categories,
    compute_distribution,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.frames import by_group
from tests.kit.shop_catalog import shop_catalog
from tests.kit.tables import pairs


def counts_of(values: pd.Series, table: Table) -> list[int]:
    edges = [-np.inf if row[0] is None else number(row[0]) for row in table.rows]
    last = table.rows[-1][1]
    return np.histogram(values, [*edges, np.inf if last is None else number(last)])[0].tolist()


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("orders", "amount"),
        ("orders", "quantity"),
        ("products", "list_price"),
        ("Odd Names", "Größe"),
    ],
)
async def test_bins_agree_with_numpy(
    ctx: ToolContext, shop: dict[str, pd.DataFrame], table: str, column: str
):
    result = await compute_distribution.call({"table": table, "column": column}, ctx)

    values = shop[table][column].dropna().astype(float)
    assert list(result.table.values("rows")) == counts_of(values, result.table)
    assert sum(map(number, result.table.values("rows"))) == len(values)
    assert sum(map(number, result.table.values("share"))) == pytest.approx(1.0)
    assert isinstance(result.chart, Histogram)


async def test_a_few_enormous_values_share_an_open_bin(ctx: ToolContext):
    result = await compute_distribution.call({"table": "orders", "column": "amount"}, ctx)

    assert result.table.names[:2] == ("amount from", "amount to")
    assert result.table.rows[-1][1] is None
    assert 5 <= len(result.table.rows) <= 45


async def test_small_whole_numbers_have_a_bin_each(ctx: ToolContext):
    result = await compute_distribution.call({"table": "orders", "column": "quantity"}, ctx)

    assert result.table.values("quantity from") == (1, 2, 3, 4, 5, 6, 7, 8)


async def test_as_many_bins_as_wanted(ctx: ToolContext):
    result = await compute_distribution.call(
        {"table": "Odd Names", "column": "select", "bins": 12}, ctx
    )

    assert 6 <= len(result.table.rows) <= 13


async def test_categories_agree_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_distribution.call({"table": "orders", "column": "status"}, ctx)

    expected = by_group(shop["orders"], "status", "order_id", how="size")
    assert pairs(result.table, "status", "rows") == expected
    assert result.chart == BarChart(x="status", y="rows")


async def test_many_categories_end_in_other(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_distribution.call({"table": "orders", "column": "customer_id"}, ctx)

    different = shop["orders"]["customer_id"].nunique()
    assert result.table.rows[-1][0] == f"other ({different - 30})"
    assert sum(map(number, result.table.values("rows"))) == shop["orders"]["customer_id"].count()
    assert any("customer_id is NULL in" in note for note in result.notes)


async def test_dates_are_for_another_tool(ctx: ToolContext):
    with pytest.raises(BadArguments, match="compute_trend"):
        await compute_distribution.call({"table": "orders", "column": "ordered_at"}, ctx)


@pytest.mark.parametrize("column", ["amount", "label"])
async def test_says_when_there_is_no_value(ctx: ToolContext, column: str):
    with pytest.raises(NotPossible, match=f"has any {column}"):
        await compute_distribution.call({"table": "nothing_yet", "column": column}, ctx)


def test_counts_bins_in_the_warehouse(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        args = ComputeDistributionArgs(table="orders", column="amount")
        bins = Bins(low=0.0, width=20.0, count=12, open_above=True)
        return build_bins(args, source, source.column("amount"), bins)

    assert snapshot == in_each_dialect(build)


def test_counts_categories_in_the_warehouse(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        args = ComputeDistributionArgs(table="orders", column="status")
        return build_categories(args, source, source.column("status"))

    assert snapshot == in_each_dialect(build)
