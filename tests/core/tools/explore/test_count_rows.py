import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments
from core.toolkit.context import ToolContext
from core.tools.explore.count_rows import CountRowsArgs, build_query, count_rows
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import REFUNDS


async def test_counts_every_row(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await count_rows.call({"table": "order_items"}, ctx)

    assert result.table.rows == ((len(shop["order_items"]), "exact"),)


async def test_counts_the_rows_that_fit(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await count_rows.call({"table": "orders", "where": "amount > 100"}, ctx)

    expected = int((shop["orders"]["amount"] > 100).sum())
    assert result.table.rows == ((expected, "exact"),)
    assert result.finding == f"orders has {expected} rows where amount > 100."


async def test_an_empty_table_has_no_rows(ctx: ToolContext):
    result = await count_rows.call({"table": "nothing_yet"}, ctx)

    assert result.table.rows == ((0, "exact"),)
    assert result.finding == "nothing_yet has no rows."


async def test_an_estimate_reads_nothing(ctx: ToolContext):
    before = len(ctx.queries.executed)

    result = await count_rows.call({"table": "orders", "estimate": True}, ctx)

    if result.table.values("basis") == ("estimate",):
        assert len(ctx.queries.executed) == before
        assert result.finding.startswith("orders has about ")


async def test_counts_exactly_where_a_condition_makes_an_estimate_useless(ctx: ToolContext):
    result = await count_rows.call(
        {"table": "orders", "estimate": True, "where": "status = 'open'"}, ctx
    )

    assert result.table.values("basis") == ("exact",)


async def test_a_second_statement_is_no_condition(ctx: ToolContext):
    with pytest.raises(BadArguments, match="not one condition"):
        await count_rows.call({"table": "orders", "where": "1 = 1; DELETE FROM orders"}, ctx)


def test_counts_in_every_engine(snapshot: SnapshotAssertion):
    args = CountRowsArgs(table="support.Refund Reasons", where="order_id > 10")

    assert snapshot == in_each_dialect(lambda dialect: build_query(args, REFUNDS, dialect))
