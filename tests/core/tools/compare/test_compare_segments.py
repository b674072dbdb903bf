import math

import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Dialect, Query
from core.domain.table import number
from core.toolkit.context import ToolContext
from core.toolkit.sources import Source
from core.tools.compare.compare_segments import (
    CompareSegmentsArgs,
    Spread,
    build_query,
    compare_segments,
    effect_size,
    size_of,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import shop_catalog
from tests.kit.tables import pairs, record

EXPERIMENT = {"table": "experiment", "column": "variant", "measures": ["revenue"]}


def cohens_d(a: pd.Series, b: pd.Series) -> float:
    pooled = ((len(a) - 1) * a.var() + (len(b) - 1) * b.var()) / (len(a) + len(b) - 2)
    return (a.mean() - b.mean()) / math.sqrt(pooled)


async def test_means_and_effect_agree_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compare_segments.call(
        {**EXPERIMENT, "first": "treatment", "second": "control"}, ctx
    )

    frame = shop["experiment"]
    a = frame[frame["variant"] == "treatment"]["revenue"]
    b = frame[frame["variant"] == "control"]["revenue"]
    row = record(result.table)
    assert row["first_mean"] == pytest.approx(a.mean())
    assert row["second_mean"] == pytest.approx(b.mean())
    assert row["change"] == pytest.approx(a.mean() / b.mean() - 1)
    assert row["effect_size"] == pytest.approx(cohens_d(a, b))
    assert row["size"] == "negligible"
    assert (row["first_rows"], row["second_rows"]) == (len(a), len(b))


async def test_nulls_do_not_count(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compare_segments.call(
        {"table": "orders", "column": "status", "first": "paid", "second": "refunded"}, ctx
    )

    orders = shop["orders"]
    paid = orders[orders["status"] == "paid"]
    assert set(result.table.values("measure")) == {"amount", "discount", "quantity"}
    assert pairs(result.table, "measure", "first_rows") == {
        name: paid[name].count() for name in ("amount", "discount", "quantity")
    }
    assert pairs(result.table, "measure", "first_mean")["quantity"] == pytest.approx(
        paid["quantity"].dropna().astype(float).mean()
    )


async def test_the_largest_effect_comes_first(ctx: ToolContext):
    result = await compare_segments.call(
        {"table": "orders", "column": "status", "first": "paid", "second": "refunded"}, ctx
    )

    effects = [abs(number(effect)) for effect in result.table.values("effect_size")]
    assert effects == sorted(effects, reverse=True)
    assert result.finding.startswith("Where status is paid, ")


async def test_without_a_second_value_all_others_are_the_second_group(
    ctx: ToolContext, shop: dict[str, pd.DataFrame]
):
    result = await compare_segments.call(
        {"table": "orders", "column": "status", "first": "paid", "measures": ["amount"]}, ctx
    )

    orders = shop["orders"]
    others = orders[orders["status"] != "paid"]["amount"]
    assert record(result.table)["second_rows"] == others.count()
    assert record(result.table)["second_mean"] == pytest.approx(others.mean())


async def test_groups_may_be_of_a_looked_up_column(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compare_segments.call(
        {
            "table": "orders",
            "column": "customers.segment",
            "first": "consumer",
            "second": "Business",
            "measures": ["amount"],
        },
        ctx,
    )

    joined = shop["orders"].merge(shop["customers"], on="customer_id")
    consumers = joined[joined["segment"] == "consumer"]["amount"]
    assert record(result.table)["first_mean"] == pytest.approx(consumers.mean())


async def test_refuses_a_group_without_rows(ctx: ToolContext):
    with pytest.raises(NotPossible, match="status is paied"):
        await compare_segments.call({"table": "orders", "column": "status", "first": "paied"}, ctx)


async def test_says_when_there_are_too_few_values(ctx: ToolContext):
    result = await compare_segments.call(
        {"table": "orders", "column": "order_id", "first": "1", "measures": ["amount"]}, ctx
    )

    assert result.finding == "Nothing can be compared where order_id is 1: too few values."
    assert record(result.table)["size"] == ""


async def test_refuses_a_table_without_a_measure(ctx: ToolContext):
    with pytest.raises(NotPossible, match="events has no measure"):
        await compare_segments.call({"table": "events", "column": "event", "first": "cart"}, ctx)


async def test_refuses_a_table_without_rows(ctx: ToolContext):
    with pytest.raises(NotPossible, match="No row fits"):
        await compare_segments.call({"table": "nothing_yet", "column": "label", "first": "a"}, ctx)


async def test_refuses_text_as_a_measure(ctx: ToolContext):
    with pytest.raises(BadArguments, match="status is no measure"):
        await compare_segments.call(
            {"table": "orders", "column": "status", "first": "paid", "measures": ["status"]}, ctx
        )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Spread(rows=1, mean=1.0, deviation=None), Spread(rows=9, mean=2.0, deviation=1.0)),
        (Spread(rows=0, mean=None, deviation=None), Spread(rows=9, mean=2.0, deviation=1.0)),
        (Spread(rows=5, mean=1.0, deviation=0.0), Spread(rows=9, mean=2.0, deviation=0.0)),
    ],
)
def test_an_effect_needs_values_that_vary(first: Spread, second: Spread):
    assert effect_size(first, second) is None


@pytest.mark.parametrize(
    ("effect", "size"),
    [(None, ""), (0.0, "negligible"), (-0.2, "small"), (0.79, "medium"), (-3.0, "large")],
)
def test_sizes_have_names(effect: float | None, size: str):
    assert size_of(effect) == size


def test_counts_in_every_engine(snapshot: SnapshotAssertion):
    args = CompareSegmentsArgs(
        table="orders", column="status", first="it's", measures=("amount",), where="order_id > 1"
    )

    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        return build_query(args, source, [source.column("amount")])

    assert snapshot == in_each_dialect(build)
