import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.artifact import LineChart
from core.domain.errors import BadArguments
from core.sql.builder import column_of
from core.toolkit.context import ToolContext
from core.toolkit.dates import Dated
from core.tools.quality.profile_nulls import ProfileNullsArgs, build_query, profile_nulls
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import ORDERS
from tests.kit.tables import pairs


async def test_counts_the_gaps_of_every_column(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await profile_nulls.call({"table": "orders"}, ctx)

    gaps = shop["orders"].isna()
    assert pairs(result.table, "column", "nulls") == gaps.sum().to_dict()
    assert pairs(result.table, "column", "null_share") == pytest.approx(gaps.mean().to_dict())
    assert set(result.table.values("rows")) == {len(gaps)}
    assert result.table.values("column")[0] == "discount"


async def test_looks_at_the_columns_asked_for(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await profile_nulls.call(
        {"table": "Odd Names", "columns": ["select", "Größe"], "where": "売上 < 500"}, ctx
    )

    frame = shop["Odd Names"]
    chosen = frame[frame["売上"] < 500]
    assert pairs(result.table, "column", "nulls") == {
        "select": chosen["select"].isna().sum(),
        "Größe": 0,
    }


async def test_shows_when_values_are_missing(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await profile_nulls.call({"table": "orders", "time_column": "ordered_at"}, ctx)

    orders = shop["orders"]
    dated = pd.DataFrame(
        {"month": orders["ordered_at"].dt.strftime("%Y-%m"), "gap": orders["amount"].isna()}
    )
    expected = dated.groupby("month")["gap"].mean().to_dict()
    found = {
        str(period)[:7]: share
        for column, period, _, _, share in result.table.rows
        if column == "amount"
    }
    assert found == pytest.approx(expected)
    assert set(result.table.values("column")) == {"amount", "customer_id", "discount", "quantity"}
    assert result.chart == LineChart(x="period", y="null_share", series="column")


async def test_periods_come_oldest_first(ctx: ToolContext):
    result = await profile_nulls.call(
        {"table": "orders", "columns": ["amount"], "time_column": "order_day", "grain": "quarter"},
        ctx,
    )

    periods = [str(period)[:10] for period in result.table.values("period")]
    assert periods == [
        "2025-01-01", "2025-04-01", "2025-07-01", "2025-10-01", "2026-01-01", "2026-04-01",
    ]  # fmt: skip


async def test_months_kept_as_text_are_periods(ctx: ToolContext):
    result = await profile_nulls.call(
        {"table": "monthly_targets", "time_column": "month", "grain": "year"}, ctx
    )

    assert result.table.rows == ()
    assert result.finding == "No column of monthly_targets has NULLs in 18 rows."


async def test_a_table_without_gaps_is_said_to_have_none(ctx: ToolContext):
    result = await profile_nulls.call({"table": "experiment"}, ctx)

    assert result.finding == "No column of experiment has NULLs in 2,000 rows."


async def test_an_empty_table_has_no_share(ctx: ToolContext):
    result = await profile_nulls.call({"table": "nothing_yet"}, ctx)

    assert result.finding == "nothing_yet has no rows to look at."
    assert set(result.table.values("null_share")) == {None}


async def test_an_empty_table_has_no_periods(ctx: ToolContext):
    result = await profile_nulls.call({"table": "nothing_yet", "time_column": "day"}, ctx)

    assert result.table.rows == ()


async def test_names_the_nearest_column(ctx: ToolContext):
    with pytest.raises(BadArguments, match="ordered_at"):
        await profile_nulls.call({"table": "orders", "time_column": "orderd_at"}, ctx)


def test_counts_by_period_in_every_engine(snapshot: SnapshotAssertion):
    args = ProfileNullsArgs(table="orders", where="status = 'paid'")
    columns = [each for each in ORDERS.columns if each.name in {"amount", "status"}]
    [time] = [each for each in ORDERS.columns if each.name == "ordered_at"]
    dated = Dated(name=time.name, value=column_of(time))

    assert snapshot == in_each_dialect(
        lambda dialect: build_query(args, ORDERS, columns, dialect, dated=dated)
    )


async def test_a_column_without_dates_makes_no_periods(ctx: ToolContext):
    with pytest.raises(BadArguments, match="status holds no dates"):
        await profile_nulls.call({"table": "orders", "time_column": "status"}, ctx)
