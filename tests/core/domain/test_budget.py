import pytest

from core.domain.answer import Usage
from core.domain.budget import Budget, Spend


@pytest.mark.parametrize(
    ("spend", "bound"),
    [
        (Spend(), None),
        (Spend(steps=3), "3 steps"),
        (Spend(seconds=10), "10 seconds"),
        (Spend(usage=Usage(input_tokens=600, output_tokens=400)), "1,000 tokens"),
        (Spend(usage=Usage(usd=0.5)), "$0.50"),
        (Spend(tool_calls=4), "4 tool calls"),
    ],
)
def test_names_the_bound_that_is_reached(spend: Spend, bound: str | None):
    budget = Budget(steps=3, seconds=10, tokens=1_000, usd=0.5, tool_calls=4)

    assert spend.exceeded(budget) == bound


def test_a_step_adds_its_usage():
    spend = Spend().after_step(Usage(input_tokens=1, usd=0.1)).after_step(Usage(output_tokens=2))

    assert spend.steps == 2
    assert spend.usage == Usage(input_tokens=1, output_tokens=2, usd=0.1)
