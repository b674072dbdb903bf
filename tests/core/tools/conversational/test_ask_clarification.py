import pytest

from core.domain.errors import BadArguments, ClarificationNeeded
from core.toolkit.context import ToolContext
from core.tools.conversational.ask_clarification import ask_clarification

QUESTION = "Which revenue do you mean?"


async def test_stops_the_run_with_question_and_options(ctx: ToolContext):
    with pytest.raises(ClarificationNeeded) as stopped:
        await ask_clarification.call(
            {"question": f" {QUESTION} ", "options": ["Paid orders", " All orders "]}, ctx
        )

    clarification = stopped.value.clarification
    assert clarification.question == QUESTION
    assert clarification.options == ("Paid orders", "All orders")


async def test_every_question_has_an_id_of_its_own(ctx: ToolContext):
    ids: set[str] = set()
    for _ in range(2):
        with pytest.raises(ClarificationNeeded) as stopped:
            await ask_clarification.call({"question": QUESTION, "options": ["a", "b"]}, ctx)
        ids.add(stopped.value.clarification.id)

    assert len(ids) == 2


@pytest.mark.parametrize(
    "options", [[], ["only one"], list("abcdef"), ["same", "SAME "], ["a", "x" * 76], ["a", ""]]
)
async def test_options_are_two_to_five_different_and_short(ctx: ToolContext, options: list[str]):
    with pytest.raises(BadArguments, match="options"):
        await ask_clarification.call({"question": QUESTION, "options": options}, ctx)


def test_is_offered_with_every_question():
    assert ask_clarification.always_on
