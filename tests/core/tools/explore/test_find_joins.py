import pandas as pd
import pytest
from sqlglot import exp
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments
from core.domain.query import Dialect, Query
from core.domain.table import Table
from core.toolkit.context import ToolContext
from core.toolkit.joins import join_graph
from core.tools.explore.find_joins import build_query, condition_of, find_joins
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import CUSTOMERS, EVENTS, shop_catalog


def steps(table: Table) -> list[tuple[object, ...]]:
    names = ("from_table", "to_table", "multiplicity", "basis")
    return list(zip(*(table.values(name) for name in names), strict=True))


async def test_follows_foreign_keys_over_several_tables(ctx: ToolContext):
    result = await find_joins.call({"tables": ["customers", "products"]}, ctx)

    assert steps(result.table) == [
        ("customers", "orders", "one to many", "foreign key"),
        ("orders", "order_items", "one to many", "foreign key"),
        ("order_items", "products", "many to one", "foreign key"),
    ]
    assert result.finding == "customers joins products in 3 steps."


async def test_warns_of_a_step_that_repeats_rows(ctx: ToolContext):
    result = await find_joins.call({"tables": ["customers", "orders"]}, ctx)

    assert any("add up before joining" in note for note in result.notes)


async def test_warns_of_rows_whose_key_is_null(ctx: ToolContext):
    result = await find_joins.call({"tables": ["orders", "customers"]}, ctx)

    assert steps(result.table) == [("orders", "customers", "many to one", "foreign key")]
    assert result.notes == (
        "Path 1: orders.customer_id may be NULL; an inner join loses those rows.",
    )


async def test_checks_a_link_that_only_names_suggest_against_the_data(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await find_joins.call({"tables": ["events", "customers"]}, ctx)

    customers = shop["events"]["customer_id"]
    orphans = ~customers.isin(shop["customers"]["customer_id"])
    assert steps(result.table) == [("events", "customers", "many to one", "names")]
    assert result.table.values("unmatched") == (pytest.approx(orphans.mean()),)


async def test_says_that_nothing_connects_two_tables(ctx: ToolContext):
    result = await find_joins.call({"tables": ["orders", "experiment"]}, ctx)

    assert result.finding == "Nothing connects orders and experiment."
    assert result.table.rows == ()


async def test_its_conditions_run_as_they_are(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await find_joins.call({"tables": ["orders", "customers"]}, ctx)

    [condition] = result.table.values("condition")
    joined = (
        exp.select("COUNT(*)")
        .from_("orders")
        .join("customers", on=str(condition), dialect=ctx.dialect)
    )
    counted = await ctx.fetch(Query(joined))
    assert counted.rows == ((shop["orders"]["customer_id"].notna().sum(),),)


async def test_one_table_has_no_path(ctx: ToolContext):
    with pytest.raises(BadArguments, match="two different tables"):
        await find_joins.call({"tables": ["orders", "ORDERS"]}, ctx)


def test_conditions_quote_odd_names():
    catalog = shop_catalog(Dialect.MYSQL)
    tables = {table.qualified_name: table for table in catalog.tables}
    [[link]] = join_graph(catalog).paths("support.Refund Reasons", "orders")

    condition = condition_of(link, tables, Dialect.MYSQL)

    assert condition == "`Refund Reasons`.`order_id` = `orders`.`order_id`"


def test_looks_at_both_sides_in_every_engine(snapshot: SnapshotAssertion):
    [[link]] = join_graph(shop_catalog()).paths("events", "customers")

    assert snapshot == in_each_dialect(lambda _: build_query(link, EVENTS, CUSTOMERS))
