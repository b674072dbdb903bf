from core.toolkit.context import ToolContext
from core.tools.explore.search_schema import search_schema


async def test_finds_the_table_that_a_question_is_about(ctx: ToolContext):
    result = await search_schema.call({"words": "How many orders were refunded?"}, ctx)

    assert result.table.values("table")[0] == "orders"
    assert result.finding.startswith("1 table fits") or "best: orders" in result.finding


async def test_names_the_columns_that_fit(ctx: ToolContext):
    result = await search_schema.call({"words": "customers by country"}, ctx)

    assert result.table.rows[0][:2] == ("customers", "Country Name, customer_id")


async def test_says_so_when_nothing_fits(ctx: ToolContext):
    result = await search_schema.call({"words": "unicorn"}, ctx)

    assert result.table.rows == ()
    assert "`list_tables`" in result.finding


async def test_gives_no_more_tables_than_asked_for(ctx: ToolContext):
    result = await search_schema.call({"words": "customer order product", "at_most": 2}, ctx)

    assert len(result.table.rows) == 2
