from datetime import date

import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.artifact import BarChart, HeatMap, LineChart
from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Dialect, Query
from core.sql.builder import Grain, column_of
from core.toolkit.context import ToolContext
from core.toolkit.dates import Dated
from core.toolkit.measures import How, measure_of
from core.toolkit.sources import Source
from core.tools.analyze.compute_aggregation import (
    ComputeAggregationArgs,
    Plan,
    build_query,
    compute_aggregation,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.frames import by_group, chosen
from tests.kit.shop_catalog import shop_catalog
from tests.kit.tables import pairs, record

SUM = {"measure": "amount", "how": "sum"}


async def test_sums_by_a_column_agree_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_aggregation.call(
        {"table": "orders", "by": ["status"], "figures": [SUM]}, ctx
    )

    expected = by_group(shop["orders"], "status", "amount")
    assert pairs(result.table, "status", "total_amount") == pytest.approx(expected)
    values = [value for value in result.table.values("total_amount") if isinstance(value, float)]
    assert values == sorted(values, reverse=True)
    assert result.chart == BarChart(x="status", y=("total_amount",))


async def test_several_figures_agree_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    figures = [
        {"measure": "amount", "how": "average"},
        {"measure": "customer_id", "how": "distinct"},
        {"measure": "amount", "how": "count"},
        {},
    ]

    result = await compute_aggregation.call(
        {"table": "orders", "by": ["status"], "figures": figures}, ctx
    )

    orders = shop["orders"]
    assert pairs(result.table, "status", "average_amount") == pytest.approx(
        by_group(orders, "status", "amount", how="mean")
    )
    assert pairs(result.table, "status", "distinct_customer_id") == by_group(
        orders, "status", "customer_id", how="nunique"
    )
    assert pairs(result.table, "status", "count_amount") == by_group(
        orders, "status", "amount", how="count"
    )
    assert pairs(result.table, "status", "rows") == by_group(
        orders, "status", "order_id", how="size"
    )


async def test_looks_a_column_up_through_two_keys(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_aggregation.call(
        {
            "table": "order_items",
            "by": ["customers.Country Name", "products.category"],
            "figures": [{"measure": "quantity"}],
        },
        ctx,
    )

    lines = (
        shop["order_items"]
        .merge(shop["orders"][["order_id", "customer_id"]], on="order_id")
        .merge(shop["customers"], on="customer_id", how="left")
        .merge(shop["products"], on="product_id")
    )
    expected = by_group(lines, ["Country Name", "category"], "quantity")
    found = {(row[0], row[1]): row[2] for row in result.table.rows}
    assert found == expected
    assert "A group without a name holds the rows in which the column is NULL." in result.notes


async def test_months_by_group_are_lines(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_aggregation.call(
        {
            "table": "orders",
            "by": ["status"],
            "figures": [SUM],
            "time_column": "order_day",
            "grain": "month",
            "since": "2025-03-01",
            "until": "2025-04-30",
        },
        ctx,
    )

    orders = chosen(shop["orders"], "'2025-03-01' <= order_day <= '2025-04-30'")
    months = [date.fromisoformat(f"{day[:7]}-01") for day in orders["order_day"]]
    expected = by_group(orders.assign(month=months), ["month", "status"], "amount")
    found = {(row[0], row[1]): row[2] for row in result.table.rows}
    assert found == pytest.approx(expected)
    assert result.chart == LineChart(x="period", y="total_amount", series="status")


async def test_one_row_in_all(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_aggregation.call({"table": "orders", "figures": [SUM, {}]}, ctx)

    total = shop["orders"]["amount"].sum()
    assert record(result.table)["total_amount"] == pytest.approx(total)
    assert result.finding == f"Total amount {total:,.2f}, number of rows 3,000."


async def test_two_columns_with_many_values_are_a_heat_map(ctx: ToolContext):
    result = await compute_aggregation.call(
        {
            "table": "order_items",
            "by": ["product_id", "orders.order_day"],
            "limit": 200,
        },
        ctx,
    )

    assert isinstance(result.chart, HeatMap)
    assert result.table.truncated
    assert "Only the first 200 groups are shown; there are more." in result.notes


async def test_odd_names_are_quoted(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_aggregation.call(
        {"table": "Odd Names", "by": ["group"], "figures": [{"measure": "select"}]}, ctx
    )

    expected = by_group(shop["Odd Names"], "group", "select")
    assert pairs(result.table, "group", "total_select") == pytest.approx(expected)


async def test_whole_numbers_are_divided_exactly(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_aggregation.call(
        {"table": "orders", "figures": [{"measure": "quantity / 2"}]}, ctx
    )

    total = shop["orders"]["quantity"].sum() / 2
    assert record(result.table)["total quantity / 2"] == pytest.approx(total)


async def test_groups_that_share_a_name_are_told_apart(ctx: ToolContext):
    result = await compute_aggregation.call(
        {"table": "order_items", "by": ["quantity", "orders.quantity"], "limit": 5}, ctx
    )

    assert result.table.names == ("quantity", "orders.quantity", "rows")


@pytest.mark.parametrize("by", [[], ["label"]])
async def test_an_empty_table_says_so(ctx: ToolContext, by: list[str]):
    with pytest.raises(NotPossible, match="No row of nothing_yet fits"):
        await compute_aggregation.call({"table": "nothing_yet", "by": by, "figures": [SUM]}, ctx)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"grain": "month"}, "need a time_column"),
        ({"by": ["Country Name"]}, "Through a key there is customers.Country Name"),
        ({"by": ["order_items.product_id"]}, "more than once"),
        ({"by": ["a", "b", "c", "d"]}, "by"),
        ({"figures": []}, "figures"),
    ],
)
async def test_what_does_not_fit_is_the_models_to_change(
    ctx: ToolContext, wrong: dict[str, object], words: str
):
    with pytest.raises(BadArguments, match=words):
        await compute_aggregation.call({"table": "orders", **wrong}, ctx)


def query(dialect: Dialect) -> Query:
    source = Source.of(shop_catalog(dialect), "orders")
    args = ComputeAggregationArgs.model_validate(
        {
            "table": "orders",
            "by": ["customers.Country Name"],
            "time_column": "ordered_at",
            "grain": "quarter",
            "since": "2025-01-01",
            "where": "status <> 'open'",
        }
    )
    plan = Plan(
        source=source,
        dated=Dated(name="ordered_at", value=column_of("ordered_at")),
        grain=Grain.QUARTER,
        groups=(source.column("customers.Country Name"),),
        measures=(
            measure_of(source, "amount", How.AVERAGE),
            measure_of(source, "amount / 7", How.SUM),
        ),
    )
    return build_query(args, plan)


def test_aggregates_in_the_warehouse(snapshot: SnapshotAssertion):
    assert snapshot == in_each_dialect(query)
