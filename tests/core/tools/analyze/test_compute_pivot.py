from datetime import date

import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.artifact import HeatMap
from core.domain.errors import NotPossible
from core.domain.query import Dialect, Query
from core.sql.builder import Grain, bucket, column_of
from core.toolkit.context import ToolContext
from core.toolkit.measures import How, measure_of
from core.toolkit.sources import Source
from core.tools.analyze.compute_pivot import ComputePivotArgs, build_query, compute_pivot
from tests.kit.dialects import in_each_dialect
from tests.kit.frames import by_group
from tests.kit.shop_catalog import shop_catalog
from tests.kit.tables import pairs

QUARTERS = ("Q1 2025", "Q2 2025", "Q3 2025", "Q4 2025", "Q1 2026", "Q2 2026")


async def test_cells_and_totals_agree_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_pivot.call(
        {
            "table": "orders",
            "rows": "status",
            "columns": "ordered_at",
            "grain": "quarter",
            "measure": "amount",
        },
        ctx,
    )

    orders = shop["orders"]
    quarters = [
        f"Q{(day.month + 2) // 3} {day.year}"
        for day in map(date.fromisoformat, orders["order_day"])
    ]
    expected = by_group(orders.assign(quarter=quarters), ["status", "quarter"], "amount")
    assert result.table.names == ("status", *QUARTERS, "total")
    for row in result.table.rows:
        cells = dict(zip(result.table.names, row, strict=True))
        for quarter in QUARTERS:
            assert cells[quarter] == pytest.approx(expected[cells["status"], quarter])
    assert pairs(result.table, "status", "total") == pytest.approx(
        by_group(orders, "status", "amount")
    )
    assert result.chart == HeatMap(x="", y="status", value=QUARTERS)


async def test_columns_without_room_add_up_to_other(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await compute_pivot.call(
        {
            "table": "order_items",
            "rows": "products.category",
            "columns": "products.title",
            "measure": "quantity",
            "most_columns": 3,
        },
        ctx,
    )

    lines = shop["order_items"].merge(shop["products"], on="product_id")
    assert result.table.names[-2:] == ("other", "total")
    totals = by_group(lines.fillna({"category": "no value"}), "category", "quantity")
    assert pairs(result.table, "category", "total") == totals


async def test_averages_have_no_totals(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_pivot.call(
        {
            "table": "orders",
            "rows": "status",
            "columns": "quantity",
            "measure": "amount",
            "how": "average",
        },
        ctx,
    )

    expected = by_group(shop["orders"], ["status", "quantity"], "amount", how="mean")
    assert result.table.names == ("status", "1", "2", "3", "4", "5", "6", "7", "8", "no value")
    assert pairs(result.table, "status", "3")["paid"] == pytest.approx(expected["paid", 3])
    assert "There are no totals: the average amount of parts does not add up." in result.notes


async def test_refuses_more_pairs_than_a_table_can_hold(ctx: ToolContext):
    with pytest.raises(NotPossible, match="more than 5,000 pairs"):
        await compute_pivot.call(
            {"table": "order_items", "rows": "order_id", "columns": "product_id"}, ctx
        )


async def test_says_when_there_is_nothing(ctx: ToolContext):
    with pytest.raises(NotPossible, match="No row of nothing_yet"):
        await compute_pivot.call({"table": "nothing_yet", "rows": "label", "columns": "day"}, ctx)


def test_aggregates_in_the_warehouse(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        args = ComputePivotArgs(table="orders", rows="status", columns="ordered_at")
        measure = measure_of(source, "amount", How.SUM)
        month = bucket(column_of("ordered_at"), Grain.MONTH, dialect)
        return build_query(args, source, measure, (source.column("status").value, month))

    assert snapshot == in_each_dialect(build)
