import pytest

from core.domain.errors import NotPossible
from core.toolkit.context import ToolContext
from core.tools.meta.show_lineage import show_lineage

SQL = """
    SELECT c.segment, SUM(o.amount) AS revenue
    FROM orders o JOIN customers c ON c.customer_id = o.customer_id
    WHERE o.status = 'paid' GROUP BY c.segment
"""


async def test_shows_tables_columns_filters_and_joins(ctx: ToolContext):
    result = await show_lineage.call({"sql": SQL}, ctx)

    assert result.table.rows == (
        ("table", "orders", "", ""),
        ("table", "customers", "", ""),
        ("column", "segment", "customers.segment", ""),
        ("column", "revenue", "orders.amount", "SUM(o.amount)"),
        (
            "join",
            "c",
            "customers.customer_id, orders.customer_id",
            "c.customer_id = o.customer_id",
        ),
        ("filter", "", "orders.status", "o.status = 'paid'"),
    )


async def test_sums_it_up(ctx: ToolContext):
    result = await show_lineage.call({"sql": SQL}, ctx)

    assert result.finding == "The answer has 2 columns from orders, customers, with 1 filter."


async def test_follows_a_column_through_named_subqueries(ctx: ToolContext):
    sql = "WITH a AS (SELECT amount * 2 AS twice FROM orders) SELECT twice AS it FROM a"

    result = await show_lineage.call({"sql": sql}, ctx)

    assert ("column", "it", "orders.amount", "amount * 2") in result.table.rows


async def test_refuses_what_is_not_one_select(ctx: ToolContext):
    with pytest.raises(NotPossible):
        await show_lineage.call({"sql": "SELECT 1; SELECT 2"}, ctx)
