import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Dialect, Query
from core.toolkit.context import ToolContext
from core.toolkit.sources import Source
from core.tools.analyze.compute_percentiles import (
    ComputePercentilesArgs,
    build_query,
    compute_percentiles,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import shop_catalog
from tests.kit.tables import record


async def test_percentiles_agree_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_percentiles.call(
        {"table": "orders", "measure": "amount", "percentiles": [99.5, 50, 0, 100]}, ctx
    )

    amounts = shop["orders"]["amount"]
    assert record(result.table) == pytest.approx(
        {
            "p0": amounts.min(),
            "p50": amounts.median(),
            "p99.5": amounts.quantile(0.995),
            "p100": amounts.max(),
        }
    )


async def test_groups_agree_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_percentiles.call(
        {"table": "orders", "measure": "amount", "by": ["status"], "percentiles": [25, 75]}, ctx
    )

    orders = shop["orders"]
    for status, p25, p75 in result.table.rows:
        amounts = orders[orders["status"] == status]["amount"]
        assert p25 == pytest.approx(amounts.quantile(0.25))
        assert p75 == pytest.approx(amounts.quantile(0.75))
    assert result.table.values("status") == ("open", "paid", "refunded", "shipped")


async def test_groups_through_a_key_keep_null_as_a_group(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await compute_percentiles.call(
        {
            "table": "orders",
            "measure": "amount",
            "by": ["customers.Country Name"],
            "percentiles": [50],
        },
        ctx,
    )

    orders = shop["orders"].merge(shop["customers"], on="customer_id", how="left")
    unknown = orders[orders["Country Name"].isna()]["amount"]
    medians = dict(
        zip(result.table.values("Country Name"), result.table.values("p50"), strict=True)
    )
    assert medians[None] == pytest.approx(unknown.median())
    assert "A group without a name holds the rows in which the column is NULL." in result.notes


async def test_refuses_what_is_no_number(ctx: ToolContext):
    with pytest.raises(BadArguments, match="status is no measure"):
        await compute_percentiles.call({"table": "orders", "measure": "status"}, ctx)


async def test_says_when_there_is_no_value(ctx: ToolContext):
    with pytest.raises(NotPossible, match="No row of nothing_yet has any amount"):
        await compute_percentiles.call({"table": "nothing_yet", "measure": "amount"}, ctx)


def test_takes_percentiles_in_the_warehouse(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        args = ComputePercentilesArgs(
            table="orders", measure="amount", by=("status",), percentiles=(50, 90)
        )
        return build_query(
            args, source, source.column("amount"), {"status": source.column("status")}
        )

    assert snapshot == in_each_dialect(build)
