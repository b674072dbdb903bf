import pytest

from core.agent.guided import GO_ON, is_guided, with_offer
from core.domain.answer import Answer
from core.domain.conversation import Exchange
from tests.core.agent.stage import ANN, Stage, calls, finished, query

ASKED = "Step by step: count the orders, then the customers, then the countries"
COUNTS = (
    calls(query("SELECT COUNT(*) AS orders FROM orders")),
    calls(query("SELECT COUNT(*) AS customers FROM customers")),
)
FIRST_TWO = "There are 120 orders and 3 customers. Shall I go on with the countries?"


async def test_two_steps_end_with_the_offer_to_go_on(stage: Stage):
    stage.script(*COUNTS, f"{FIRST_TWO}\nSuggestion: Orders by month")

    answer = finished(await stage.ask(ASKED))

    assert answer.text == FIRST_TWO
    assert answer.suggestions == (GO_ON, "Orders by month")
    assert "Do the first two steps only" in system_of(stage)


@pytest.mark.parametrize(
    "said", [GO_ON, "yes", "Yes, please.", "ok go on", "next", "Ready", "continue", "next step"]
)
async def test_taking_the_offer_is_led_on(stage: Stage, said: str):
    offered = Answer(text=FIRST_TWO, suggestions=(GO_ON,))
    stage.exchanges = (Exchange(question=ASKED, asked_by=ANN, answer=offered),)
    stage.script(
        calls(query("SELECT COUNT(DISTINCT country) AS countries FROM customers")),
        "There are 2 countries. That was the last step.",
    )

    answer = finished(await stage.ask(said))

    assert answer.suggestions == ()
    assert "or the next two, if the thread shows that some are done" in system_of(stage)


async def test_another_question_is_not_led_on(stage: Stage):
    offered = Answer(text=FIRST_TWO, suggestions=(GO_ON,))
    stage.exchanges = (Exchange(question=ASKED, asked_by=ANN, answer=offered),)

    assert not is_guided(stage.context("yes, but only Spain"))
    assert not is_guided(stage.context("next month's forecast"))


async def test_a_yes_without_an_offer_leads_nobody(stage: Stage):
    assert not is_guided(stage.context("yes"))


async def test_steps_in_other_words_are_none(stage: Stage):
    stage.script(*COUNTS, FIRST_TWO)

    answer = finished(await stage.ask("How many footsteps a day, and how many customers?"))

    assert answer.suggestions == ()


@pytest.mark.parametrize(
    ("text", "offers"),
    [("Shall I go on?", True), ("*Shall I go on?*", True), ("Why? Because.", False), ("", False)],
)
def test_only_a_text_that_asks_gets_the_offer(text: str, *, offers: bool):
    assert with_offer(text, ()) == ((GO_ON,) if offers else ())


def test_no_more_than_three_suggestions_are_shown():
    assert with_offer("Go on?", ("a", "b", "c")) == (GO_ON, "a", "b")


def system_of(stage: Stage) -> str:
    """Return all that the model was told in the first request of the loop."""
    return "\n".join(message.text for message in stage.requests[1].messages)
