import pytest

from core.domain.answer import Usage

PRICED = Usage(input_tokens=10, output_tokens=2, usd=0.25)
UNPRICED = Usage(input_tokens=7, output_tokens=1, unpriced=True)


@pytest.mark.parametrize(
    ("usage", "cost", "words"),
    [
        (Usage(), 0.0, "no model cost"),
        (PRICED, 0.25, "$0.2500"),
        (UNPRICED, None, "model cost not known"),
        (PRICED + UNPRICED, None, "at least $0.2500"),
    ],
)
def test_a_cost_that_is_not_known_is_not_said_to_be_nothing(
    usage: Usage, cost: float | None, words: str
):
    assert (usage.cost, usage.cost_in_words) == (cost, words)


@pytest.mark.parametrize("usage", [PRICED, UNPRICED, Usage(unpriced=True)])
def test_nothing_used_adds_nothing(usage: Usage):
    assert Usage() + usage == usage + Usage() == usage


def test_everything_that_was_used_is_added():
    both = PRICED + UNPRICED

    assert (both.input_tokens, both.output_tokens, both.usd) == (17, 3, 0.25)
