import pytest

from core.agent.guided import ALL_DONE, GO_ON, steps_taken_up, with_offer
from core.domain.answer import Answer, Steps
from core.domain.conversation import Exchange
from tests.core.agent.stage import ANN, Stage, calls, finished, query

ASKED = "Count things step by step"
COUNTS = (
    calls(query("SELECT COUNT(*) AS orders FROM orders")),
    calls(query("SELECT COUNT(*) AS customers FROM customers")),
)
FIRST_TWO = "There are 120 orders and 3 customers. Shall I go on with the countries?"
NO_PLAN = "no plan"
OPEN = Steps(done=("count the orders",), ahead=("count the customers",))


def exchange(answer: Answer, question: str = ASKED) -> Exchange:
    return Exchange(question=question, asked_by=ANN, answer=answer)


async def test_steps_that_nobody_listed_end_with_the_offer_of_the_model(stage: Stage):
    stage.script(NO_PLAN, *COUNTS, f"{FIRST_TWO}\nSuggestion: Orders by month")

    answer = finished(await stage.ask(ASKED))

    assert answer.text == FIRST_TWO
    assert answer.suggestions == (GO_ON, "Orders by month")


async def test_a_model_that_would_go_on_without_end_is_held_after_two_steps(stage: Stage):
    stage.script(NO_PLAN, *COUNTS, FIRST_TWO)

    await stage.ask(ASKED)

    assert stage.requests[-1].tool_choice == "none"
    assert "two steps are done" in stage.requests[-1].messages[-1].text


@pytest.mark.parametrize(
    "said",
    [
        *(GO_ON, "yes", "Yes, please.", "ok go on", "next", "Ready", "continue", "next step"),
        *("yes, go on", "keep going", "please continue", "go on with the rest", "y", "next steps"),
    ],
)
async def test_taking_the_offer_takes_up_the_steps_that_are_left(stage: Stage, said: str):
    stage.exchanges = (exchange(Answer(text="…", steps=OPEN)),)

    assert steps_taken_up(stage.context(said)) == OPEN


@pytest.mark.parametrize("said", ["yes, but only Spain", "next month's forecast", "no", ""])
async def test_other_words_take_up_nothing(stage: Stage, said: str):
    stage.exchanges = (exchange(Answer(text="…", steps=OPEN)),)

    assert not steps_taken_up(stage.context(said)).ahead


async def test_continue_finds_the_steps_behind_another_question(stage: Stage):
    stage.exchanges = (exchange(Answer(text="…", steps=OPEN)), exchange(Answer(text="Madrid.")))

    assert steps_taken_up(stage.context("continue")) == OPEN
    assert not steps_taken_up(stage.context("yes")).ahead


async def test_steps_that_are_all_done_are_not_taken_up_again(stage: Stage):
    done = Steps(done=(*OPEN.done, *OPEN.ahead))
    stage.exchanges = (
        exchange(Answer(text="…", steps=OPEN)),
        exchange(Answer(text="", steps=done)),
    )

    answer = finished(await stage.ask("continue"))

    assert answer.text == ALL_DONE
    assert not stage.model.requests


async def test_an_offer_without_listed_steps_is_taken_up_too(stage: Stage):
    stage.exchanges = (exchange(Answer(text=FIRST_TWO, suggestions=(GO_ON,))),)
    stage.script(
        calls(query("SELECT COUNT(DISTINCT country) AS countries FROM customers")),
        "There are 2 countries. That was the last step.",
    )

    answer = finished(await stage.ask("yes"))

    assert answer.suggestions == ()
    assert "or the next two, if the thread shows that some are done" in "\n".join(
        message.text for message in stage.requests[0].messages
    )


@pytest.mark.parametrize(
    ("text", "offers"),
    [("Shall I go on?", True), ("*Shall I go on?*", True), ("Why? Because.", False), ("", False)],
)
def test_only_a_text_that_asks_gets_the_offer(text: str, *, offers: bool):
    assert with_offer(text, ()) == ((GO_ON,) if offers else ())


def test_no_more_than_three_suggestions_are_shown():
    assert with_offer("Go on?", ("a", "b", "c")) == (GO_ON, "a", "b")
