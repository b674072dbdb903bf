import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments
from core.domain.table import ColumnKind
from core.toolkit.context import ToolContext
from core.tools.explore.get_distinct_values import (
    GetDistinctValuesArgs,
    build_query,
    get_distinct_values,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import CUSTOMERS
from tests.kit.tables import pairs


async def test_counts_each_value_and_null(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await get_distinct_values.call({"table": "customers", "column": "Country Name"}, ctx)

    countries = shop["customers"]["Country Name"]
    expected: dict[object, int] = dict(countries.value_counts().items())
    assert pairs(result.table, "value", "count") == {**expected, None: countries.isna().sum()}
    assert result.finding == "Country Name has 5 values, and NULL."


async def test_the_commonest_come_first(ctx: ToolContext):
    result = await get_distinct_values.call({"table": "orders", "column": "status"}, ctx)

    assert result.table.values("value") == ("paid", "shipped", "open", "refunded")


@pytest.mark.parametrize("part", ["côte", "CÔTE", "CÔTE D'IV"])
async def test_finds_part_of_a_value_whatever_the_letter_case(ctx: ToolContext, part: str):
    result = await get_distinct_values.call(
        {"table": "customers", "column": "Country Name", "contains": part}, ctx
    )

    assert result.table.values("value") == ("Côte d'Ivoire",)


async def test_finds_values_in_other_scripts(ctx: ToolContext):
    result = await get_distinct_values.call(
        {"table": "customers", "column": "name", "contains": "дмитрий", "limit": 500}, ctx
    )

    assert result.table.rows
    assert all("Дмитрий" in str(value) for value in result.table.values("value"))


async def test_letters_of_a_pattern_are_letters(ctx: ToolContext):
    result = await get_distinct_values.call(
        {"table": "customers", "column": "segment", "contains": "c_n%"}, ctx
    )

    assert result.table.rows == ()


async def test_names_the_nearest_values_when_none_fits(ctx: ToolContext):
    result = await get_distinct_values.call(
        {"table": "orders", "column": "status", "contains": "refnded"}, ctx
    )

    assert result.table.rows == ()
    assert any("'refunded'" in note for note in result.notes)


async def test_says_when_there_are_more_values_than_asked_for(ctx: ToolContext):
    result = await get_distinct_values.call(
        {"table": "orders", "column": "amount", "limit": 10}, ctx
    )

    assert len(result.table.rows) == 10
    assert result.table.truncated
    assert "more than" in result.finding


async def test_keeps_to_the_condition(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await get_distinct_values.call(
        {"table": "orders", "column": "status", "where": "amount < 0"}, ctx
    )

    refunds = int((shop["orders"]["amount"] < 0).sum())
    assert result.table.rows == (("refunded", refunds),)


async def test_an_empty_table_has_no_values(ctx: ToolContext):
    result = await get_distinct_values.call({"table": "nothing_yet", "column": "label"}, ctx)

    assert result.finding == "label has no values."


async def test_reads_columns_with_odd_names(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await get_distinct_values.call({"table": "Odd Names", "column": "group"}, ctx)

    assert pairs(result.table, "value", "count") == dict(
        shop["Odd Names"]["group"].value_counts().items()
    )


async def test_dates_stay_dates(ctx: ToolContext):
    result = await get_distinct_values.call({"table": "customers", "column": "signup_date"}, ctx)

    assert result.table.columns[0].kind is ColumnKind.TIME


async def test_refuses_a_condition_that_is_more_than_one(ctx: ToolContext):
    with pytest.raises(BadArguments, match="not one condition"):
        await get_distinct_values.call(
            {"table": "orders", "column": "status", "where": "1 = 1 LIMIT 3"}, ctx
        )


def test_groups_in_every_engine(snapshot: SnapshotAssertion):
    args = GetDistinctValuesArgs(table="customers", column="Country Name", where="customer_id > 10")
    [column] = [each for each in CUSTOMERS.columns if each.name == args.column]

    assert snapshot == in_each_dialect(
        lambda dialect: build_query(args, CUSTOMERS, column, dialect, part="50%")
    )
