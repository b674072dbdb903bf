import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments
from core.toolkit.context import ToolContext
from core.tools.quality.find_duplicates import (
    FindDuplicatesArgs,
    build_count,
    build_query,
    find_duplicates,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import CUSTOMERS


async def test_finds_rows_that_differ_in_their_key_only(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await find_duplicates.call({"table": "Odd Names"}, ctx)

    frame = shop["Odd Names"].drop(columns="Row ID")
    assert len(result.table.rows) == frame.duplicated().sum() == 10
    assert set(result.table.values("copies")) == {2}
    assert set(result.table.values("Größe")) == set(frame[frame.duplicated()]["Größe"])
    assert "10 sets of rows equal in" in result.finding
    assert "20 rows, 10 more than needed" in result.finding


async def test_finds_rows_equal_in_chosen_columns(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await find_duplicates.call(
        {"table": "orders", "columns": ["customer_id", "order_day"], "limit": 200}, ctx
    )

    sizes = shop["orders"].groupby(["customer_id", "order_day"], dropna=False).size()
    repeated = sizes[sizes > 1]
    assert result.finding == (
        f"orders has {len(repeated):,} sets of rows equal in customer_id, order_day:"
        f" {repeated.sum():,} rows, {repeated.sum() - len(repeated):,} more than needed."
    )
    assert result.table.values("copies")[0] == repeated.max()


async def test_keeps_to_the_limit_and_says_so(ctx: ToolContext):
    result = await find_duplicates.call(
        {"table": "orders", "columns": ["status", "quantity"], "limit": 3}, ctx
    )

    assert len(result.table.rows) == 3
    assert result.notes == ("Only the 3 largest sets are shown.",)


async def test_letter_case_and_signs_do_not_count_when_rows_are_nearly_equal(ctx: ToolContext):
    result = await find_duplicates.call(
        {"table": "customers", "columns": ["segment"], "nearly": True}, ctx
    )

    assert len(result.table.rows) == 3
    exact = await find_duplicates.call({"table": "products", "columns": ["title"]}, ctx)
    assert exact.finding == "No two rows of products are equal in title."


async def test_rows_without_any_value_are_no_duplicates(ctx: ToolContext):
    result = await find_duplicates.call(
        {"table": "orders", "columns": ["amount"], "where": "amount IS NULL"}, ctx
    )

    assert result.table.rows == ()


async def test_an_empty_table_has_no_duplicates(ctx: ToolContext):
    result = await find_duplicates.call({"table": "nothing_yet"}, ctx)

    assert result.finding == "No two rows of nothing_yet are equal in label, amount, day."


async def test_names_the_nearest_column(ctx: ToolContext):
    with pytest.raises(BadArguments, match="segment"):
        await find_duplicates.call({"table": "customers", "columns": ["segmnt"]}, ctx)


@pytest.mark.parametrize("nearly", [False, True])
def test_groups_in_every_engine(snapshot: SnapshotAssertion, *, nearly: bool):
    args = FindDuplicatesArgs(table="customers", where="customer_id > 10", nearly=nearly)

    assert snapshot == in_each_dialect(
        lambda dialect: build_query(args, CUSTOMERS, CUSTOMERS.columns[1:], dialect)
    )


def test_counts_the_sets_in_every_engine(snapshot: SnapshotAssertion):
    args = FindDuplicatesArgs(table="customers")

    assert snapshot == in_each_dialect(
        lambda dialect: build_count(args, CUSTOMERS, CUSTOMERS.columns[1:], dialect)
    )
