from dataclasses import replace

import pandas as pd

from core.toolkit.context import ToolContext
from core.tools.explore.list_tables import as_row, list_tables, matching
from tests.kit.shop_catalog import CUSTOMERS, REFUNDS, TOTALS, shop_catalog
from tests.kit.tables import pairs


async def test_lists_every_table_with_its_size(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await list_tables.call({}, ctx)

    columns = pairs(result.table, "table", "columns")
    assert set(shop) <= set(columns)
    assert columns["orders"] == shop["orders"].shape[1]


async def test_finds_tables_by_part_of_their_name(ctx: ToolContext):
    result = await list_tables.call({"contains": "ORDER"}, ctx)

    assert {"orders", "order_items"} <= set(result.table.values("table"))
    assert "customers" not in result.table.values("table")


async def test_says_so_when_no_table_fits(ctx: ToolContext):
    result = await list_tables.call({"contains": "unicorn"}, ctx)

    assert result.finding == "There is no table with 'unicorn' in the name or comment."


async def test_says_when_there_are_too_many_to_list(ctx: ToolContext):
    tables = tuple(replace(CUSTOMERS, name=f"t{at}") for at in range(201))

    result = await list_tables.call({}, replace(ctx, catalog=replace(ctx.catalog, tables=tables)))

    assert len(result.table.rows) == 200
    assert result.table.truncated
    assert result.notes == ("Only the first 200 of 201 are listed; narrow it with `contains`.",)


def test_comments_are_searched_as_names_are():
    assert matching(shop_catalog(), "ACCOUNT") == (CUSTOMERS,)


def test_a_view_and_a_table_of_another_schema_are_told_apart():
    assert as_row(TOTALS) == ("daily_totals", "view", None, 2, "")
    assert as_row(REFUNDS)[:2] == ("support.Refund Reasons", "table")
