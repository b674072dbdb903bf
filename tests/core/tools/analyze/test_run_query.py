import pandas as pd
import pytest
from sqlglot import transpile

from core.domain.errors import NotPossible
from core.domain.table import Column, ColumnKind, Table
from core.toolkit.context import ToolContext
from core.tools.analyze.run_query import describe, remarks, run_query
from tests.kit.shop_catalog import TIME, column

BY_STATUS = """
    WITH known AS (SELECT status, amount FROM orders WHERE amount IS NOT NULL)
    SELECT status, SUM(amount) AS revenue, COUNT(*) AS orders
    FROM known GROUP BY status ORDER BY status
"""


async def test_gives_the_rows_of_the_statement(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await run_query.call({"sql": BY_STATUS, "title": "Revenue by status"}, ctx)

    expected = shop["orders"].dropna(subset=["amount"]).groupby("status")["amount"]
    assert result.table.values("status") == tuple(expected.sum().index)
    assert result.table.values("revenue") == pytest.approx(tuple(expected.sum()))
    assert result.table.values("orders") == tuple(expected.count())
    assert result.finding == "4 rows: status, revenue, orders."


async def test_says_what_each_column_is_good_for(ctx: ToolContext):
    sql = """
        SELECT o.order_id AS number_of_it, o.ordered_at, o.order_day, o.amount, c.segment,
               p.description, o.amount > 50 AS big
        FROM orders o
        JOIN customers c ON c.customer_id = o.customer_id
        JOIN order_items i ON i.order_id = o.order_id
        JOIN products p ON p.product_id = i.product_id
    """

    result = await run_query.call({"sql": sql}, ctx)

    kinds = {each.name: each.kind for each in result.table.columns}
    assert kinds["number_of_it"] is ColumnKind.DIMENSION
    assert kinds["ordered_at"] is ColumnKind.TIME
    assert kinds["order_day"] is ColumnKind.TIME
    assert kinds["amount"] is ColumnKind.MEASURE
    assert kinds["segment"] is ColumnKind.DIMENSION
    assert kinds["description"] is ColumnKind.TEXT


async def test_says_where_the_rows_begin_and_end(ctx: ToolContext):
    sql = "SELECT month, target FROM monthly_targets ORDER BY month"

    result = await run_query.call({"sql": sql}, ctx)

    assert "month: first 2025-01, last 2026-06." in result.notes


async def test_warns_of_dates_that_are_kept_as_text(ctx: ToolContext):
    result = await run_query.call(
        {"sql": "SELECT order_day, signup_date FROM orders o JOIN customers c USING (customer_id)"},
        ctx,
    )

    warned = [note for note in result.notes if "dates as text" in note]
    assert len(warned) == 1
    assert warned[0].startswith("order_day ")


async def test_says_which_columns_have_gaps(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await run_query.call({"sql": "SELECT order_id, amount FROM orders"}, ctx)

    gaps = shop["orders"]["amount"].isna().sum()
    assert f"amount is NULL in {gaps} of 3,000 rows." in result.notes


async def test_says_that_no_row_fits(ctx: ToolContext):
    result = await run_query.call({"sql": "SELECT id, label FROM nothing_yet"}, ctx)

    assert result.finding == "No rows: id, label."
    assert result.notes == ("No row fits the statement's conditions.",)
    assert result.table.names == ("id", "label")


async def test_a_long_statement_is_read_like_a_short_one(ctx: ToolContext):
    days = ", ".join(f"'2025-01-{day % 31 + 1:02d}'" for day in range(600))

    result = await run_query.call(
        {"sql": f"SELECT order_id, amount FROM orders WHERE order_day IN ({days})"}, ctx
    )

    assert result.table.columns[0].kind is ColumnKind.DIMENSION
    assert result.table.columns[1].kind is ColumnKind.MEASURE


async def test_reads_odd_names(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    sql = 'SELECT SUM("売上") AS "合計", MAX("Größe") AS g FROM "Odd Names"'
    [own] = transpile(sql, read="postgres", write=ctx.dialect)

    result = await run_query.call({"sql": own}, ctx)

    frame = shop["Odd Names"]
    assert result.table.rows == ((int(frame["売上"].sum()), float(frame["Größe"].max())),)


@pytest.mark.parametrize(
    "sql", ["DELETE FROM orders", "SELECT 1; SELECT 2", "SELECT FROM WHERE", "hello there"]
)
async def test_refuses_what_is_not_one_select(ctx: ToolContext, sql: str):
    with pytest.raises(NotPossible):
        await run_query.call({"sql": sql}, ctx)


def table(*rows: tuple[str | float | None, ...], truncated: bool = False) -> Table:
    columns = (Column("month", ColumnKind.TIME), Column("revenue", ColumnKind.MEASURE))
    return Table(columns=columns, rows=rows, truncated=truncated)


@pytest.mark.parametrize(
    ("result", "finding"),
    [
        (table(), "No rows: month, revenue."),
        (table(("2025-01", 1.0)), "1 row: month, revenue."),
        (table(*[("2025-01", 1.0)] * 1200), "1,200 rows: month, revenue."),
        (
            table(*[("2025-01", 1.0)] * 2, truncated=True),
            "The first 2 rows of more: month, revenue.",
        ),
    ],
)
def test_the_finding_is_neutral(result: Table, finding: str):
    assert describe(result) == finding


def test_a_result_that_was_cut_off_says_what_to_do():
    rows = table(("2025-01", 1.0), ("2025-02", 2.0), truncated=True)

    assert any("aggregate or filter" in note for note in remarks(rows, {}))


def test_a_column_without_any_value_is_named():
    rows = table(("2025-01", None), ("2025-02", None))

    assert "revenue is NULL in every row." in remarks(rows, {})


def test_a_real_date_is_not_called_text():
    known = {"month": column("month", "DATE", TIME)}

    assert not [note for note in remarks(table(("2025-01-31", 1.0)), known) if "text" in note]
