import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments
from core.domain.table import ColumnKind
from core.toolkit.context import ToolContext
from core.tools.explore.sample_rows import build_query, sample_rows
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import CUSTOMERS


async def test_shows_rows_that_are_in_the_table(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await sample_rows.call({"table": "orders", "limit": 7}, ctx)

    assert result.table.names == tuple(shop["orders"].columns)
    assert len(result.table.rows) == 7
    assert set(result.table.values("order_id")) <= set(shop["orders"]["order_id"])


async def test_shows_the_columns_asked_for(ctx: ToolContext):
    result = await sample_rows.call(
        {"table": "Odd Names", "columns": ["select", 'a "quoted" one'], "limit": 2}, ctx
    )

    assert result.table.names == ("select", 'a "quoted" one')


async def test_keeps_to_the_condition(ctx: ToolContext):
    result = await sample_rows.call(
        {"table": "orders", "where": "status = 'refunded'", "limit": 50}, ctx
    )

    assert set(result.table.values("status")) == {"refunded"}


async def test_columns_are_of_the_kind_that_the_catalog_says(ctx: ToolContext):
    result = await sample_rows.call({"table": "orders", "limit": 20}, ctx)

    kinds = {column.name: column.kind for column in result.table.columns}
    assert kinds["order_id"] is ColumnKind.DIMENSION
    assert kinds["ordered_at"] is ColumnKind.TIME
    assert kinds["amount"] is ColumnKind.MEASURE


async def test_says_that_the_rows_stand_for_nothing(ctx: ToolContext):
    result = await sample_rows.call({"table": "orders"}, ctx)

    assert result.notes == ("These are any rows, in no order; there are more.",)


async def test_an_empty_table_is_said_to_be_empty(ctx: ToolContext):
    result = await sample_rows.call({"table": "nothing_yet"}, ctx)

    assert result.finding == "nothing_yet has no rows."
    assert result.table.names == ("id", "label", "amount", "day")


async def test_names_the_nearest_column(ctx: ToolContext):
    with pytest.raises(BadArguments, match="amount"):
        await sample_rows.call({"table": "orders", "columns": ["amuont"]}, ctx)


def test_reads_by_name_in_every_engine(snapshot: SnapshotAssertion):
    assert snapshot == in_each_dialect(
        lambda dialect: build_query(
            CUSTOMERS, CUSTOMERS.columns, where="customer_id > 10", dialect=dialect
        )
    )
