import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import NotPossible
from core.domain.query import Dialect, Query
from core.toolkit.context import ToolContext
from core.toolkit.measures import How, measure_of
from core.toolkit.sources import Source
from core.tools.analyze.compute_top_n import ComputeTopNArgs, build_query, compute_top_n
from tests.kit.dialects import in_each_dialect
from tests.kit.frames import by_group, chosen
from tests.kit.shop_catalog import shop_catalog


def ranked(totals: dict[object, float], *, lowest: bool = False) -> list[float]:
    return sorted(totals.values(), reverse=not lowest)


async def test_the_first_and_the_rest_agree_with_pandas(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await compute_top_n.call(
        {
            "table": "orders",
            "by": "customer_id",
            "measure": "amount",
            "n": 5,
            "where": "amount > 0",
        },
        ctx,
    )

    totals = by_group(chosen(shop["orders"], "amount > 0"), "customer_id", "amount")
    expected, whole = ranked(totals), sum(totals.values())
    assert result.table.values("rank") == (1, 2, 3, 4, 5, None)
    assert result.table.values("total_amount") == pytest.approx([*expected[:5], sum(expected[5:])])
    assert result.table.values("share") == pytest.approx(
        [value / whole for value in (*expected[:5], sum(expected[5:]))]
    )
    assert result.table.rows[-1][1] == f"other ({len(totals) - 5})"
    assert f"The first 5 together make {sum(expected[:5]) / whole:.1%}." in result.finding


async def test_the_lowest_come_first_when_asked_for(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await compute_top_n.call(
        {"table": "order_items", "by": "products.title", "n": 3, "lowest": True}, ctx
    )

    lines = shop["order_items"].merge(shop["products"], on="product_id")
    expected = ranked(by_group(lines, "title", "order_id", how="size"), lowest=True)
    assert result.table.values("rows")[:3] == tuple(expected[:3])
    assert "has the lowest number of rows" in result.finding


async def test_averages_leave_no_rest_and_no_shares(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await compute_top_n.call(
        {"table": "orders", "by": "customer_id", "measure": "amount", "how": "average", "n": 4},
        ctx,
    )

    averages = by_group(shop["orders"], "customer_id", "amount", how="mean")
    expected = ranked({key: value for key, value in averages.items() if value is not None})
    assert result.table.values("average_amount") == pytest.approx(expected[:4])
    assert result.table.values("share") == (None,) * 4


async def test_a_negative_group_leaves_no_shares(ctx: ToolContext):
    result = await compute_top_n.call(
        {"table": "orders", "by": "status", "measure": "amount", "n": 2}, ctx
    )

    assert result.table.values("share") == (None, None, None)
    assert "of all" not in result.finding


async def test_all_groups_leave_no_rest(ctx: ToolContext):
    result = await compute_top_n.call({"table": "orders", "by": "status"}, ctx)

    assert len(result.table.rows) == 4
    assert sum(share for share in result.table.values("share") if isinstance(share, float)) == (
        pytest.approx(1.0)
    )


async def test_a_group_of_null_is_named_in_a_note(ctx: ToolContext):
    result = await compute_top_n.call({"table": "products", "by": "category"}, ctx)

    assert None in result.table.values("category")
    assert "The group without a name holds the rows in which the column is NULL." in result.notes


async def test_a_tie_at_the_end_is_owned_up_to(ctx: ToolContext):
    result = await compute_top_n.call({"table": "products", "by": "category", "n": 2}, ctx)

    assert "The next one has the same value as the last one shown." in result.notes


async def test_says_when_there_is_nothing(ctx: ToolContext):
    with pytest.raises(NotPossible, match="No label has a total amount"):
        await compute_top_n.call({"table": "nothing_yet", "by": "label", "measure": "amount"}, ctx)


def test_ranks_in_the_warehouse(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        args = ComputeTopNArgs(table="orders", by="customers.Country Name", where="status = 'paid'")
        measure = measure_of(source, "amount", How.SUM)
        return build_query(args, source, measure, source.column("customers.Country Name"))

    assert snapshot == in_each_dialect(build)
