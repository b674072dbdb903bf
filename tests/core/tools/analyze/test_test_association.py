import pandas as pd
import pytest
from syrupy.assertion import SnapshotAssertion

from core.domain.errors import NotPossible
from core.domain.query import Dialect, Query
from core.domain.table import number
from core.stats.scipy_door import scipy_stats
from core.toolkit.context import ToolContext
from core.toolkit.sources import Source
from core.tools.analyze import test_association as association
from tests.kit.dialects import in_each_dialect
from tests.kit.shop_catalog import shop_catalog

EXPERIMENT = {"table": "experiment", "first": "variant", "second": "converted"}


async def test_agrees_with_scipy(ctx: ToolContext, shop: dict[str, pd.DataFrame]):
    result = await association.test_association.call(EXPERIMENT, ctx)

    visitors = shop["experiment"]
    cross = pd.crosstab(visitors["variant"], visitors["converted"])
    expected = scipy_stats().chi2_contingency(cross, correction=False)
    assert [
        number(count) for count in result.table.values("rows")
    ] == cross.to_numpy().ravel().tolist()
    assert result.table.values("expected") == pytest.approx(expected.expected_freq.ravel().tolist())
    v = (expected.statistic / len(visitors)) ** 0.5
    assert f"Cramér's V {v:.2f}, chi-square {expected.statistic:.1f} with 1 " in result.finding


async def test_pairs_that_never_occur_have_a_row(ctx: ToolContext):
    result = await association.test_association.call(
        {
            "table": "events",
            "first": "event",
            "second": "customer_id",
            "where": "customer_id <= 20",
        },
        ctx,
    )

    assert 0 in result.table.values("rows")
    assert sum(map(number, result.table.values("share"))) == pytest.approx(4.0)
    assert "so the p-value is a rough one." in result.notes[0]


async def test_unrelated_columns_are_said_to_be_so(ctx: ToolContext):
    result = await association.test_association.call(
        {"table": "customers", "first": "segment", "second": "newsletter"}, ctx
    )

    assert "are not clearly related" in result.finding


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"where": "variant = 'control'"}, "variant has fewer than two values"),
        ({"second": "visitor_id"}, "too many values"),
    ],
)
async def test_refuses_what_cannot_be_tested(ctx: ToolContext, wrong: dict[str, str], words: str):
    with pytest.raises(NotPossible, match=words):
        await association.test_association.call({**EXPERIMENT, **wrong}, ctx)


def test_counts_in_the_warehouse(snapshot: SnapshotAssertion):
    def build(dialect: Dialect) -> Query:
        source = Source.of(shop_catalog(dialect), "orders")
        args = association.TestAssociationArgs(table="orders", first="status", second="order_day")
        return association.build_query(
            args, source, source.column("status"), source.column("order_day")
        )

    assert snapshot == in_each_dialect(build)
