import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import BadArguments, NotPossible
from core.domain.query import Dialect, Query
from core.stats.scipy_door import scipy_stats
from core.toolkit.context import ToolContext
from core.toolkit.sources import Source
from core.tools.analyze.compute_correlation import (
    UNRANKED,
    both,
    build_query,
    compute_correlation,
    ranks,
)
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import shop_catalog

MEASURES = ["amount", "discount", "quantity"]


@pytest.mark.parametrize(
    ("method", "function"), [("pearson", "pearsonr"), ("spearman", "spearmanr")]
)
async def test_every_pair_agrees_with_scipy(
    ctx: ToolContext, shop: dict[str, pd.DataFrame], method: str, function: str
):
    result = await compute_correlation.call(
        {"table": "orders", "measures": MEASURES, "method": method}, ctx
    )

    assert len(result.table.rows) == 3
    for first, second, r, n, p_value in result.table.rows:
        both_known = shop["orders"][[str(first), str(second)]].dropna().astype(float)
        expected = getattr(scipy_stats(), function)(both_known[first], both_known[second])
        assert n == len(both_known)
        assert r == pytest.approx(float(expected.statistic), abs=1e-9)
        assert p_value == pytest.approx(float(expected.pvalue), rel=1e-6, abs=1e-12)


async def test_the_strongest_pair_comes_first_and_is_the_finding(ctx: ToolContext):
    result = await compute_correlation.call(
        {"table": "orders", "measures": MEASURES, "method": "spearman"}, ctx
    )

    assert result.table.rows[0][:2] == ("amount", "discount")
    assert result.finding.startswith("Related: discount rises with amount (Spearman +0.")
    assert result.chart


async def test_large_values_keep_their_digits(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await compute_correlation.call(
        {"table": "Odd Names", "measures": ["select", "売上"]}, ctx
    )

    frame = shop["Odd Names"][["select", "売上"]].dropna()
    assert result.table.rows[0][2] == pytest.approx(frame["select"].corr(frame["売上"]), abs=1e-12)
    assert result.finding.startswith("select and 売上 are not clearly related")


async def test_a_measure_that_does_not_vary_has_no_correlation(ctx: ToolContext):
    result = await compute_correlation.call(
        {"table": "orders", "measures": ["amount", "quantity"], "where": "quantity = 2"}, ctx
    )

    assert result.table.rows[0][2] is None
    assert result.table.rows[0][4] is None
    assert "does not vary" in result.finding


@pytest.mark.parametrize(
    ("measures", "words"),
    [(["amount", "status"], "no measure"), (["amount", "AMOUNT"], "two different")],
)
async def test_what_does_not_fit_is_the_models_to_change(
    ctx: ToolContext, measures: list[str], words: str
):
    with pytest.raises(BadArguments, match=words):
        await compute_correlation.call({"table": "orders", "measures": measures}, ctx)


async def test_says_when_too_few_rows_have_both(ctx: ToolContext):
    with pytest.raises(NotPossible, match="Fewer than 3"):
        await compute_correlation.call(
            {"table": "orders", "measures": ["amount", "discount"], "where": "order_id = 1"}, ctx
        )


def test_correlates_in_the_warehouse(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        pair = source.column("amount"), source.column("order_id")
        paid = source.condition("status = 'paid'")
        rows = ranks(both(source, pair, paid, names=UNRANKED), source)
        return build_query(rows, source, (10.0, 20.0))

    assert snapshot == in_each_dialect(build)
