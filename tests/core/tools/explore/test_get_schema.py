from dataclasses import replace

import orjson
import pytest

from core.agent.tool_format import result_text
from core.domain.catalog import CatalogTable
from core.domain.errors import BadArguments
from core.toolkit.context import ToolContext
from core.tools.explore.get_schema import get_schema, key_of, within_limit
from tests.kit.shop_catalog import CUSTOMERS, DIMENSION, ORDERS, REFUNDS, TOTALS, column
from tests.kit.tables import pairs


async def test_shows_every_column_of_every_table(ctx: ToolContext):
    result = await get_schema.call({}, ctx)

    shown = {(row[0], row[1]) for row in result.table.rows}
    assert shown == {(t.qualified_name, c.name) for t in ctx.catalog.tables for c in t.columns}
    assert ("Odd Names", "売上") in shown
    assert not result.table.truncated


async def test_shows_the_tables_asked_for_in_that_order(ctx: ToolContext):
    result = await get_schema.call({"tables": ["orders", "CUSTOMERS", "orders"]}, ctx)

    assert tuple(dict.fromkeys(result.table.values("table"))) == ("orders", "customers")


async def test_tells_keys_and_what_they_point_at(ctx: ToolContext):
    result = await get_schema.call({"tables": ["order_items"]}, ctx)

    keys = pairs(result.table, "column", "key")
    assert keys["order_id"] == "primary -> orders.order_id"
    assert keys["product_id"] == "-> products.product_id"
    assert keys["line_no"] == "primary"
    assert keys["price"] == ""


async def test_lists_the_values_of_columns_with_few(ctx: ToolContext):
    result = await get_schema.call({"tables": ["orders"]}, ctx)

    values = pairs(result.table, "column", "values")
    assert values["status"] == "open | paid | refunded | shipped"
    assert values["order_day"] == ""


async def test_names_the_nearest_table_when_there_is_none(ctx: ToolContext):
    with pytest.raises(BadArguments, match="order_items"):
        await get_schema.call({"tables": ["orderitems"]}, ctx)


@pytest.mark.parametrize(
    ("table", "name", "key"),
    [
        (CUSTOMERS, "customer_id", "primary"),
        (ORDERS, "customer_id", "-> customers.customer_id"),
        (REFUNDS, "order_id", "primary -> orders.order_id"),
        (ORDERS, "amount", ""),
    ],
)
def test_a_key_says_both_what_it_is_and_where_it_leads(table: CatalogTable, name: str, key: str):
    [found] = [each for each in table.columns if each.name == name]

    assert key_of(table, found) == key


async def test_the_model_gets_every_row_of_it(ctx: ToolContext):
    wide = replace(ctx, catalog=replace(ctx.catalog, tables=(wide_table(columns=250),)))

    result = await get_schema.call({}, wide)

    read = orjson.loads(result_text(result, most_chars=100_000))
    assert [row[1] for row in read["rows"]] == [f"c{at}" for at in range(250)]


async def test_names_the_tables_that_there_was_no_room_for(ctx: ToolContext):
    wide = wide_table(columns=250)
    tables = (wide, replace(wide, name="wider", comment="Even more"), CUSTOMERS)

    result = await get_schema.call({}, replace(ctx, catalog=replace(ctx.catalog, tables=tables)))

    assert result.table.truncated
    assert set(result.table.values("table")) == {"wide"}
    assert result.notes[-1] == (
        "2 more tables are not shown; ask for them by name: wider, customers."
    )


async def test_notes_what_the_makers_say_of_a_table(ctx: ToolContext):
    tables = (CUSTOMERS, TOTALS)

    result = await get_schema.call({}, replace(ctx, catalog=replace(ctx.catalog, tables=tables)))

    assert result.notes == (
        "customers: about 400 rows; Who has an account",
        "daily_totals: a view",
    )


async def test_a_connection_without_tables_is_said_to_have_none(ctx: ToolContext):
    result = await get_schema.call({}, replace(ctx, catalog=replace(ctx.catalog, tables=())))

    assert result.finding == "This connection has no table that may be read."


def wide_table(*, columns: int) -> CatalogTable:
    names = (f"c{at}" for at in range(columns))
    return CatalogTable(name="wide", columns=tuple(column(n, "TEXT", DIMENSION) for n in names))


def test_tables_are_shown_whole_or_not_at_all():
    assert within_limit((CUSTOMERS, REFUNDS, ORDERS), most_rows=8) == (CUSTOMERS, REFUNDS)
    assert within_limit((ORDERS, CUSTOMERS), most_rows=1) == (ORDERS,)
