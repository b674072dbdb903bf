import pytest

from core.domain.errors import NotPossible
from core.domain.query import CostEstimate
from core.toolkit.context import ToolContext
from core.tools.meta.estimate_cost import describe, estimate_cost
from tests.kit.tables import record


async def test_tells_what_would_be_read_without_running_it(ctx: ToolContext):
    before = len(ctx.queries.executed)

    result = await estimate_cost.call({"sql": "SELECT * FROM orders, customers"}, ctx)

    figures = record(result.table)
    assert figures["confidence"] in {"exact", "upper_bound", "estimate", "unknown"}
    assert len(ctx.queries.executed) == before


async def test_refuses_what_may_not_run(ctx: ToolContext):
    with pytest.raises(NotPossible):
        await estimate_cost.call({"sql": "DELETE FROM orders"}, ctx)


@pytest.mark.parametrize(
    ("estimate", "finding"),
    [
        (
            CostEstimate(rows=1_200_000, bytes=5e9, usd=0.025, confidence="exact"),
            "It would read 1,200,000 rows, 5,000,000,000 bytes, 0.03 US dollars (exact).",
        ),
        (
            CostEstimate(rows=10, seconds=1.25, confidence="estimate"),
            "It would read 10 rows, 1.2 seconds (the planner's estimate).",
        ),
        (CostEstimate(), "This database does not say what the statement would read."),
    ],
)
def test_says_it_in_one_sentence(estimate: CostEstimate, finding: str):
    assert describe(estimate) == finding
