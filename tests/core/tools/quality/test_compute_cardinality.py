import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.catalog import CatalogTable
from core.domain.errors import NotPossible
from core.toolkit.context import ToolContext
from core.tools.quality.compute_cardinality import (
    ComputeCardinalityArgs,
    Counts,
    build_commonest,
    build_query,
    compute_cardinality,
    role,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import CUSTOMERS, DIMENSION, column
from tests.kit.tables import pairs


@pytest.mark.parametrize("table", ["customers", "orders", "Odd Names", "products"])
async def test_counts_agree_with_pandas(
    ctx: ToolContext, shop: dict[str, pd.DataFrame], table: str
):
    result = await compute_cardinality.call({"table": table}, ctx)

    frame = shop[table]
    assert pairs(result.table, "column", "distinct") == frame.nunique().to_dict()
    assert pairs(result.table, "column", "distinct_share") == pytest.approx(
        (frame.nunique() / frame.count()).to_dict()
    )
    assert pairs(result.table, "column", "null_share") == pytest.approx(
        frame.isna().mean().to_dict()
    )


async def test_the_commonest_value_is_weighed_where_it_can_matter(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await compute_cardinality.call({"table": "orders"}, ctx)

    tops = pairs(result.table, "column", "top_share")
    shares = shop["orders"]["status"].value_counts(normalize=True)
    assert tops["status"] == pytest.approx(shares.iloc[0])
    assert tops["amount"] is None


async def test_says_what_a_column_can_serve_as(ctx: ToolContext):
    result = await compute_cardinality.call({"table": "customers"}, ctx)

    roles = pairs(result.table, "column", "role")
    assert roles["customer_id"] == "key"
    assert roles["name"] == "unique where filled"
    assert roles["segment"] == "category"
    assert roles["signup_date"] == "varied"
    assert result.finding == "customers: customer_id can serve as a key."


async def test_a_condition_can_make_a_column_constant(ctx: ToolContext):
    result = await compute_cardinality.call(
        {"table": "orders", "columns": ["status"], "where": "status = 'open'"}, ctx
    )

    assert result.table.values("role") == ("constant",)
    assert result.table.values("top_share") == (1.0,)
    assert "next to nothing is in status" in result.finding


async def test_an_empty_table_has_empty_columns(ctx: ToolContext):
    result = await compute_cardinality.call({"table": "nothing_yet"}, ctx)

    assert set(result.table.values("role")) == {"empty"}
    assert result.finding == "nothing_yet has no rows to look at."


@pytest.mark.parametrize(
    ("rows", "filled", "distinct", "top", "expected"),
    [
        (10, 0, 0, None, "empty"),
        (10, 10, 10, None, "key"),
        (10, 8, 8, None, "unique where filled"),
        (1, 1, 1, None, "key"),
        (10, 10, 1, None, "constant"),
        (1000, 1000, 3, 995, "nearly constant"),
        (1000, 1000, 3, 600, "category"),
        (1000, 1000, 51, 100, "varied"),
    ],
)
def test_roles_follow_from_the_counts(
    rows: int, filled: int, distinct: int, top: int | None, expected: str
):
    counts = Counts(
        column=column("x", "TEXT", DIMENSION), rows=rows, filled=filled, distinct=distinct
    )

    assert role(counts, top=top) == expected


async def test_values_that_cannot_be_compared_are_left_out(ctx: ToolContext):
    odd = CatalogTable(name="docs", columns=(column("body", "JSON", DIMENSION),))

    class Elsewhere(ToolContext):
        def table(self, name: str) -> CatalogTable:
            return odd

    elsewhere = Elsewhere(
        queries=ctx.queries, catalog=ctx.catalog, today=ctx.today, web=ctx.web, note=ctx.note
    )
    with pytest.raises(NotPossible, match="cannot be compared"):
        await compute_cardinality.call({"table": "docs"}, elsewhere)


def test_counts_in_every_engine(snapshot: SnapshotAssertion):
    args = ComputeCardinalityArgs(table="customers", where="customer_id > 10")

    assert snapshot == in_each_dialect(
        lambda dialect: build_query(args, CUSTOMERS, CUSTOMERS.columns, dialect)
    )


def test_looks_for_the_commonest_value_in_every_engine(snapshot: SnapshotAssertion):
    args = ComputeCardinalityArgs(table="customers", where="customer_id > 10")

    assert snapshot == in_each_dialect(
        lambda dialect: build_commonest(args, CUSTOMERS, CUSTOMERS.columns[1:2], dialect)
    )
