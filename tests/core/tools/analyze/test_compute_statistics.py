import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Dialect, Query
from core.sql.builder import column_of
from core.toolkit.context import ToolContext
from core.toolkit.sources import Source
from core.tools.analyze.compute_statistics import (
    build_counts,
    build_moments,
    compute_statistics,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import shop_catalog
from tests.kit.tables import pairs


@pytest.mark.parametrize("column", ["amount", "discount", "quantity"])
async def test_figures_agree_with_pandas(
    ctx: ToolContext, shop: dict[str, pd.DataFrame], column: str
):
    result = await compute_statistics.call(
        {"table": "orders", "measures": ["amount", "discount", "quantity"]}, ctx
    )

    values = shop["orders"][column].dropna().astype(float)
    [row] = [row for row in result.table.rows if row[0] == column]
    figures = dict(zip(result.table.names, row, strict=True))
    assert figures["values"] == len(values)
    assert figures["nulls"] == 3_000 - len(values)
    for name, expected in {
        "mean": values.mean(),
        "median": values.median(),
        "deviation": values.std(),
        "min": values.min(),
        "q25": values.quantile(0.25),
        "q75": values.quantile(0.75),
        "max": values.max(),
        "skewness": values.skew(),
    }.items():
        assert figures[name] == pytest.approx(expected), name


async def test_keeps_to_the_condition(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_statistics.call(
        {"table": "orders", "measures": ["amount"], "where": "status = 'open'"}, ctx
    )

    orders = shop["orders"]
    assert result.table.values("mean") == pytest.approx(
        [orders[orders["status"] == "open"]["amount"].mean()]
    )


async def test_a_long_tail_is_pointed_out(ctx: ToolContext):
    result = await compute_statistics.call({"table": "orders", "measures": ["amount"]}, ctx)

    assert (
        "amount has a long tail of large values: its median says more than its mean."
        in result.notes
    )


async def test_looks_a_measure_up(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_statistics.call(
        {"table": "order_items", "measures": ["products.list_price"]}, ctx
    )

    lines = shop["order_items"].merge(shop["products"], on="product_id")
    prices = lines["list_price"].astype(float)
    assert pairs(result.table, "measure", "median") == pytest.approx(
        {"list_price": prices.median()}
    )


async def test_a_measure_that_is_null_has_no_figures(ctx: ToolContext):
    result = await compute_statistics.call(
        {"table": "orders", "measures": ["amount"], "where": "amount IS NULL"}, ctx
    )

    assert result.finding.startswith("amount is NULL in ")
    assert result.table.rows[0][3:] == (None,) * 8


async def test_one_value_has_no_spread(ctx: ToolContext):
    result = await compute_statistics.call(
        {"table": "products", "measures": ["list_price"], "where": "product_id = 1"}, ctx
    )

    figures = dict(zip(result.table.names, result.table.rows[0], strict=True))
    assert (figures["deviation"], figures["skewness"]) == (None, None)


async def test_refuses_what_is_no_number(ctx: ToolContext):
    with pytest.raises(BadArguments, match="status is no measure"):
        await compute_statistics.call({"table": "orders", "measures": ["status"]}, ctx)


async def test_says_when_there_are_no_rows(ctx: ToolContext):
    with pytest.raises(NotPossible, match="No row of nothing_yet"):
        await compute_statistics.call({"table": "nothing_yet", "measures": ["amount"]}, ctx)


def test_counts_in_one_pass(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        return build_counts(source, {"amount": column_of("amount")}, None)

    assert snapshot == in_each_dialect(build)


def test_measures_distances_from_the_mean(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        return build_moments(source, {"amount": column_of("amount")}, {"amount": 12.5}, None)

    assert snapshot == in_each_dialect(build)
