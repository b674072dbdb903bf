import numpy as np
import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Dialect, Query
from core.domain.table import number
from core.sql.builder import as_number, column_of
from core.toolkit.context import ToolContext
from core.toolkit.measures import How, measure_of
from core.toolkit.sources import Source
from core.tools.segment.segment_data import (
    SegmentDataArgs,
    build_bounds,
    build_query,
    parts_between,
    segment_data,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import shop_catalog
from tests.kit.tables import pairs


async def test_parts_of_equal_size_agree_with_pandas(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await segment_data.call({"table": "orders", "by": "amount", "measure": "amount"}, ctx)

    amounts = shop["orders"]["amount"]
    bounds = [amounts.quantile(q) for q in (0.25, 0.5, 0.75)]
    part = pd.Series(np.searchsorted(bounds, amounts.dropna(), side="right"))
    values = amounts.dropna().reset_index(drop=True)
    assert result.table.values("rows") == (*part.value_counts().sort_index(), amounts.isna().sum())
    assert result.table.values("value")[:4] == pytest.approx(tuple(values.groupby(part).sum()))
    assert result.table.values("segment")[-1] == "no value"
    assert sum(map(number, result.table.values("share"))) == pytest.approx(1)


async def test_own_bounds_begin_their_segment(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await segment_data.call(
        {"table": "orders", "by": "quantity", "cuts": [3, 6], "where": "quantity IS NOT NULL"}, ctx
    )

    quantities = shop["orders"]["quantity"]
    assert pairs(result.table, "segment", "rows") == {
        "under 3": (quantities < 3).sum(),
        "3 to under 6": ((quantities >= 3) & (quantities < 6)).sum(),
        "6 and more": (quantities >= 6).sum(),
    }
    assert result.table.values("value") == result.table.values("rows")


async def test_a_row_is_in_the_first_rule_that_fits(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    rules = [
        {"name": "refund", "where": "amount < 0"},
        {"name": "big", "where": "amount >= 100 OR quantity = 8"},
    ]

    result = await segment_data.call(
        {"table": "orders", "rules": rules, "measure": "amount", "how": "average"}, ctx
    )

    orders = shop["orders"]
    refund = orders["amount"] < 0
    big = ((orders["amount"] >= 100) | orders["quantity"].astype(float).eq(8)) & ~refund
    assert pairs(result.table, "segment", "rows") == {
        "refund": refund.sum(),
        "big": big.sum(),
        "other": (~refund & ~big).sum(),
    }
    averages = pairs(result.table, "segment", "value")
    assert averages["big"] == pytest.approx(orders[big]["amount"].mean())
    assert set(result.table.values("value_share")) == {None}


async def test_rows_of_odd_names_can_be_parted(ctx: ToolContext):
    result = await segment_data.call({"table": "Odd Names", "by": "売上", "count": 2}, ctx)

    assert sum(map(number, result.table.values("rows"))) == 200


async def test_refuses_to_part_by_two_things_or_none(ctx: ToolContext):
    rules = [{"name": "a", "where": "amount > 1"}]

    for args in ({}, {"by": "amount", "rules": rules}):
        with pytest.raises(BadArguments, match="either `by`"):
            await segment_data.call({"table": "orders", **args}, ctx)


async def test_refuses_bounds_that_do_not_ascend(ctx: ToolContext):
    with pytest.raises(BadArguments, match="ascend"):
        await segment_data.call({"table": "orders", "by": "amount", "cuts": [5, 5]}, ctx)


async def test_refuses_text(ctx: ToolContext):
    with pytest.raises(BadArguments, match="no measure"):
        await segment_data.call({"table": "orders", "by": "status", "cuts": [5]}, ctx)


async def test_refuses_parts_that_equal_values_forbid(ctx: ToolContext):
    with pytest.raises(NotPossible, match="the same revenue"):
        await segment_data.call({"table": "experiment", "by": "revenue"}, ctx)


async def test_an_empty_table_has_nothing_to_part_by(ctx: ToolContext):
    with pytest.raises(NotPossible, match="No row has a amount"):
        await segment_data.call({"table": "nothing_yet", "by": "amount"}, ctx)


async def test_an_empty_table_has_no_segments(ctx: ToolContext):
    result = await segment_data.call(
        {"table": "nothing_yet", "rules": [{"name": "a", "where": "amount > 1"}]}, ctx
    )

    assert result.finding == "There are no rows to part."


def test_groups_in_every_engine(snapshot: SnapshotAssertion):
    args = SegmentDataArgs(table="orders", by="amount", where="status = 'paid'")

    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        parts = parts_between(as_number(column_of("amount"), dialect), [-1.5, 20.0])
        return build_query(args, source, parts, measure_of(source, "amount", How.SUM))

    assert snapshot(name="segments") == in_each_dialect(build)
    assert snapshot(name="bounds") == in_each_dialect(
        lambda dialect: build_bounds(args, Source.of(shop_catalog(dialect), "orders"))
    )
