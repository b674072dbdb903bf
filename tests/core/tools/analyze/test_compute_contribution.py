import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Dialect
from core.toolkit.context import ToolContext
from core.toolkit.measures import How, measure_of
from core.toolkit.sources import Source
from core.tools.analyze.compute_contribution import (
    ComputeContributionArgs,
    build_few,
    build_query,
    build_ranked,
    compute_contribution,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.frames import by_group, chosen
from tests.kit.shop_catalog import shop_catalog

PAID = {"table": "orders", "by": "customer_id", "measure": "amount", "where": "amount > 0"}


async def test_shares_agree_with_pandas(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_contribution.call(PAID, ctx)

    totals = pd.Series(by_group(chosen(shop["orders"], "amount > 0"), "customer_id", "amount"))
    ranked = totals.sort_values(ascending=False)
    shares = ranked / ranked.sum()
    assert result.table.values("total_amount") == pytest.approx(ranked[:20].tolist())
    assert result.table.values("share") == pytest.approx(shares[:20].tolist())
    assert result.table.values("cumulative_share") == pytest.approx(shares.cumsum()[:20].tolist())
    assert result.table.truncated


@pytest.mark.parametrize("most", [0.5, 0.8])
async def test_counts_how_few_make_most_of_it(
    ctx: ToolContext, shop: dict[str, pd.DataFrame], most: float
):
    result = await compute_contribution.call({**PAID, "most": most}, ctx)

    totals = pd.Series(by_group(chosen(shop["orders"], "amount > 0"), "customer_id", "amount"))
    reached = totals.sort_values(ascending=False).cumsum() / totals.sum()
    few = int((reached < most).sum()) + 1
    assert result.finding.startswith(f"{few} of {len(totals)} values of customer_id (")
    assert f" make {most:.0%} of the total amount." in result.finding


async def test_counts_rows_without_a_measure(ctx: ToolContext):
    result = await compute_contribution.call({"table": "orders", "by": "status"}, ctx)

    assert result.table.values("cumulative_share")[-1] == pytest.approx(1.0)
    assert sum(value for value in result.table.values("rows") if isinstance(value, int)) == 3_000


async def test_a_negative_group_is_refused(ctx: ToolContext):
    with pytest.raises(NotPossible, match="is negative"):
        await compute_contribution.call(
            {"table": "orders", "by": "status", "measure": "amount"}, ctx
        )


async def test_averages_are_no_parts(ctx: ToolContext):
    with pytest.raises(BadArguments, match="no part of a total"):
        await compute_contribution.call({**PAID, "how": "average"}, ctx)


async def test_says_when_there_is_nothing(ctx: ToolContext):
    with pytest.raises(NotPossible, match="No label has"):
        await compute_contribution.call({"table": "nothing_yet", "by": "label"}, ctx)


def test_ranks_and_counts_in_the_warehouse(snapshot: SnapshotAssertion):
    args = ComputeContributionArgs(table="orders", by="status", measure="amount")

    def ranked(dialect: Dialect):
        source = Source.of(shop_catalog(dialect), "orders")
        measure = measure_of(source, "amount", How.SUM)
        return build_ranked(args, source, measure, source.column("status"))

    assert snapshot == in_each_dialect(lambda dialect: build_query(ranked(dialect)))
    assert snapshot == in_each_dialect(lambda dialect: build_few(ranked(dialect), most=0.8))
