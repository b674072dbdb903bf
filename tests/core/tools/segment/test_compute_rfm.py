from datetime import date

import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Dialect, Query
from core.domain.table import number
from core.sql.builder import column_of
from core.toolkit.context import ToolContext
from core.toolkit.dates import Dated
from core.toolkit.measures import How, measure_of
from core.toolkit.sources import Source
from core.tools.segment.compute_rfm import build_query, compute_rfm
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import shop_catalog
from tests.kit.tables import pairs

ARGS = {
    "table": "orders",
    "customer": "customer_id",
    "time_column": "ordered_at",
    "measure": "amount",
}
AS_OF = pd.Timestamp("2026-06-30")


def fifths(values: pd.Series) -> pd.Series:
    """Deal rows into five tiles in the order of values and then of the index, as NTILE does."""
    ordered = values.sort_index().sort_values(kind="stable")
    size, more = divmod(len(ordered), 5)
    sizes = [size + (tile < more) for tile in range(5)]
    tiles = [tile + 1 for tile, count in enumerate(sizes) for _ in range(count)]
    return pd.Series(tiles, index=ordered.index)


def group_of(r: int, fm: int) -> str:
    if r >= 3 and fm >= 6:
        return "champions" if r >= 4 and fm >= 8 else "loyal"
    if r >= 3:
        return "new" if r >= 4 else "needs attention"
    return "at risk" if fm >= 6 else "lost"


def by_hand(orders: pd.DataFrame) -> pd.DataFrame:
    """Compute recency, frequency and money of each customer, with the group they make."""
    bought = orders.dropna(subset=["customer_id"]).groupby("customer_id")
    days = (AS_OF - bought["ordered_at"].max().dt.normalize()).dt.days
    each = pd.DataFrame(
        {"recency": days, "frequency": bought.size(), "money": bought["amount"].sum()}
    )
    # Equal days are told apart by the customer in ascending order, so the days are turned round.
    r = fifths(-each["recency"])
    fm = fifths(each["frequency"]) + fifths(each["money"])
    groups = [group_of(r[customer], fm[customer]) for customer in each.index]
    return each.assign(group=groups)


async def test_groups_agree_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_rfm.call(ARGS, ctx)

    each = by_hand(shop["orders"])
    grouped = each.groupby("group")
    assert pairs(result.table, "group", "customers") == grouped.size().to_dict()
    assert pairs(result.table, "group", "recency") == pytest.approx(
        grouped["recency"].mean().to_dict()
    )
    assert pairs(result.table, "group", "frequency") == pytest.approx(
        grouped["frequency"].mean().to_dict()
    )
    assert pairs(result.table, "group", "money") == pytest.approx(grouped["money"].sum().to_dict())


async def test_shares_add_up(ctx: ToolContext):
    result = await compute_rfm.call(ARGS, ctx)

    assert sum(map(number, result.table.values("share"))) == pytest.approx(1)
    assert sum(map(number, result.table.values("money_share"))) == pytest.approx(1)


async def test_looks_back_from_the_day_asked_for(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_rfm.call({**ARGS, "as_of": "2025-06-30"}, ctx)

    orders = shop["orders"]
    before = orders[orders["ordered_at"] < "2025-07-01"]
    assert sum(map(number, result.table.values("customers"))) == before["customer_id"].nunique()
    assert "up to 2025-06-30" in result.notes[0]


async def test_dates_kept_as_text_are_dates(ctx: ToolContext):
    by_time = await compute_rfm.call(ARGS, ctx)

    by_text = await compute_rfm.call({**ARGS, "time_column": "order_day"}, ctx)

    assert by_text.table.rows == by_time.table.rows


async def test_too_few_customers_say_nothing(ctx: ToolContext):
    with pytest.raises(NotPossible, match="customers bought up to 2026-06-30"):
        await compute_rfm.call({**ARGS, "where": "customer_id < 10"}, ctx)


async def test_money_has_to_be_a_number(ctx: ToolContext):
    with pytest.raises(BadArguments, match="status"):
        await compute_rfm.call({**ARGS, "measure": "status"}, ctx)


def test_scores_in_every_engine(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        return build_query(
            source,
            source.column("customer_id"),
            Dated(name="ordered_at", value=column_of("ordered_at")),
            measure_of(source, "amount", How.SUM),
            where="status = 'paid'",
            as_of=date(2026, 6, 30),
        )

    assert snapshot == in_each_dialect(build)
