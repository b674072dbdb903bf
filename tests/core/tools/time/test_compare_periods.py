from datetime import date

import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Dialect, Query
from core.sql.builder import Grain, column_of
from core.toolkit.context import ToolContext
from core.toolkit.dates import Dated
from core.toolkit.measures import How, measure_of
from core.toolkit.sources import Source
from core.tools.time.compare_periods import (
    Against,
    ComparePeriodsArgs,
    Days,
    build_query,
    compare_periods,
    earlier_days,
    later_days,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.frames import by_group, chosen
from tests.kit.shop_catalog import shop_catalog
from tests.kit.tables import pairs, record

ORDERS = {"table": "orders", "time_column": "ordered_at", "measure": "amount"}


async def test_a_month_that_is_not_over_is_compared_with_the_same_days(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await compare_periods.call(ORDERS, ctx)

    orders = shop["orders"]
    june = chosen(orders, "'2026-06-01' <= order_day <= '2026-06-29'")["amount"].sum()
    may = chosen(orders, "'2026-05-01' <= order_day <= '2026-05-29'")["amount"].sum()
    figures = record(result.table)
    assert figures["measure"] == "total amount"
    assert figures["1 to 29 Jun 2026"] == pytest.approx(june)
    assert figures["1 to 29 May 2026"] == pytest.approx(may)
    assert figures["difference"] == pytest.approx(june - may)
    assert figures["change"] == pytest.approx(june / may - 1)
    assert result.notes == (
        "The period is not over on 2026-06-30, so both are counted up to the same day.",
    )


async def test_whole_months_are_compared_whole(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compare_periods.call({**ORDERS, "day": "2026-03-15"}, ctx)

    orders = shop["orders"]
    figures = record(result.table)
    assert figures["Mar 2026"] == pytest.approx(
        chosen(orders, "'2026-03-01' <= order_day <= '2026-03-31'")["amount"].sum()
    )
    assert figures["Feb 2026"] == pytest.approx(
        chosen(orders, "'2026-02-01' <= order_day <= '2026-02-28'")["amount"].sum()
    )
    assert not result.notes


async def test_compares_groups_with_a_year_ago(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compare_periods.call(
        {**ORDERS, "grain": "quarter", "day": "2026-02-01", "against": "year_ago", "by": "status"},
        ctx,
    )

    now = chosen(shop["orders"], "'2026-01-01' <= order_day <= '2026-03-31'")
    before = chosen(shop["orders"], "'2025-01-01' <= order_day <= '2025-03-31'")
    assert pairs(result.table, "status", "Q1 2026") == pytest.approx(
        by_group(now, "status", "amount")
    )
    assert pairs(result.table, "status", "Q1 2025") == pytest.approx(
        by_group(before, "status", "amount")
    )
    assert "The largest rise is " in result.finding


async def test_groups_through_a_key(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compare_periods.call(
        {**ORDERS, "day": "2026-03-15", "by": "customers.Country Name"}, ctx
    )

    orders = shop["orders"].merge(shop["customers"], on="customer_id", how="left")
    march = chosen(orders, "'2026-03-01' <= order_day <= '2026-03-31'")
    assert pairs(result.table, "Country Name", "Mar 2026") == pytest.approx(
        by_group(march, "Country Name", "amount")
    )


async def test_nothing_sold_is_zero_and_nothing_has_no_average(ctx: ToolContext):
    late = {**ORDERS, "day": "2026-03-15", "where": "ordered_at >= '2026-03-01'"}

    sums = await compare_periods.call(late, ctx)
    averages = await compare_periods.call({**late, "how": "average"}, ctx)

    assert record(sums.table)["Feb 2026"] == 0
    assert record(sums.table)["change"] is None
    assert record(averages.table)["Feb 2026"] is None
    assert record(averages.table)["difference"] is None


async def test_says_where_the_data_ends(ctx: ToolContext):
    with pytest.raises(NotPossible, match="day=2026-06-30"):
        await compare_periods.call({**ORDERS, "day": "2026-08-01"}, ctx)


async def test_hours_are_refused(ctx: ToolContext):
    with pytest.raises(BadArguments, match="Hours are too short"):
        await compare_periods.call({**ORDERS, "grain": "hour"}, ctx)


def days(first: str, last: str, grain: Grain) -> Days:
    return Days(date.fromisoformat(first), date.fromisoformat(last), grain)


@pytest.mark.parametrize(
    ("grain", "today", "last_row", "expected"),
    [
        (Grain.MONTH, "2026-06-12", "2026-06-12", ("2026-06-01", "2026-06-11")),
        (Grain.MONTH, "2026-06-01", "2026-06-01", ("2026-06-01", "2026-06-01")),
        (Grain.MONTH, "2026-06-25", "2026-06-10", ("2026-06-01", "2026-06-10")),
        (Grain.MONTH, "2026-06-25", "2026-06-23", ("2026-06-01", "2026-06-24")),
        (Grain.WEEK, "2026-06-25", "2026-06-25", ("2026-06-22", "2026-06-24")),
        (Grain.YEAR, "2026-06-25", "2026-06-25", ("2026-01-01", "2026-06-24")),
        (Grain.DAY, "2026-06-25", "2026-06-25", ("2026-06-25", "2026-06-25")),
    ],
)
def test_counts_the_days_that_have_passed(
    grain: Grain, today: str, last_row: str, expected: tuple[str, str]
):
    args = ComparePeriodsArgs(table="orders", time_column="ordered_at", grain=grain)

    found = later_days(args, today=date.fromisoformat(today), last_row=date.fromisoformat(last_row))

    assert found == days(*expected, grain)


@pytest.mark.parametrize(
    ("later", "against", "earlier"),
    [
        (("2026-03-01", "2026-03-31"), Against.PREVIOUS, ("2026-02-01", "2026-02-28")),
        (("2026-03-01", "2026-03-30"), Against.PREVIOUS, ("2026-02-01", "2026-02-28")),
        (("2026-03-01", "2026-03-12"), Against.PREVIOUS, ("2026-02-01", "2026-02-12")),
        (("2024-02-01", "2024-02-29"), Against.YEAR_AGO, ("2023-02-01", "2023-02-28")),
        (("2026-02-01", "2026-02-10"), Against.YEAR_AGO, ("2025-02-01", "2025-02-10")),
    ],
)
def test_compares_like_with_like(
    later: tuple[str, str], against: Against, earlier: tuple[str, str]
):
    assert earlier_days(days(*later, Grain.MONTH), against) == days(*earlier, Grain.MONTH)


def test_a_week_a_year_ago_has_the_same_weekdays():
    later = days("2026-06-22", "2026-06-24", Grain.WEEK)

    assert earlier_days(later, Against.YEAR_AGO) == days("2025-06-23", "2025-06-25", Grain.WEEK)


def query(dialect: Dialect) -> Query:
    source = Source.of(shop_catalog(dialect), "orders")
    args = ComparePeriodsArgs(
        table="orders",
        time_column="ordered_at",
        where="status = 'paid'",
        by="customers.Country Name",
    )
    later = days("2026-06-01", "2026-06-12", Grain.MONTH)
    return build_query(
        args,
        source,
        measure_of(source, "amount", How.SUM),
        Dated(name="ordered_at", value=column_of("ordered_at")),
        (earlier_days(later, Against.PREVIOUS), later),
        source.column("customers.Country Name"),
    )


def test_reads_both_periods_in_one_pass(snapshot: SnapshotAssertion):
    assert snapshot == in_each_dialect(query)
