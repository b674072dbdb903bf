import json

from core.agent.guided import GO_ON
from core.domain.answer import Answer, Steps
from core.domain.chat import UserMessage
from core.domain.conversation import Exchange
from core.domain.decisions import Clarified
from core.domain.errors import ModelRefused
from core.domain.events import PlanChanged, TextWritten
from core.domain.plan import TaskState
from tests.core.agent.stage import ANN, Stage, asked, call, calls, failed, finished, query

ASKED = "1. count the orders 2. count the customers 3. count the countries 4. list the countries"
STEPS = ("count the orders", "count the customers", "count the countries", "list the countries")
ORDERS = (calls(query("SELECT COUNT(*) AS orders FROM orders")), "There are 120 orders.")
CUSTOMERS = (calls(query("SELECT COUNT(*) AS people FROM customers")), "There are 3 customers.")
COUNTRIES = (
    calls(query("SELECT COUNT(DISTINCT country) AS countries FROM customers")),
    "There are 2 countries.",
)
NAMES = (calls(query("SELECT DISTINCT country FROM customers")), "They are Norway and Spain.")
FIRST_TWO = (
    "**1. Count the orders**\nThere are 120 orders.\n\n"
    "**2. Count the customers**\nThere are 3 customers.\n\n"
    "Next: **3. Count the countries** (2 steps are left). Shall I go on?"
)


def questions(stage: Stage) -> list[str]:
    """Return the last thing that was said to the model in each request of a step."""
    said = ([m.text for m in r.messages if isinstance(m, UserMessage)] for r in stage.requests)
    return list(dict.fromkeys(texts[-1] for texts in said))


def remember(stage: Stage, question: str, answer: Answer) -> None:
    stage.exchanges = (
        *stage.exchanges,
        Exchange(question=question, asked_by=ANN, answer=answer),
    )


async def test_two_steps_are_taken_and_the_rest_is_offered(stage: Stage):
    stage.script(*ORDERS, *CUSTOMERS)

    answer = finished(await stage.ask(ASKED))

    assert answer.text == FIRST_TWO
    assert answer.suggestions == (GO_ON,)
    assert answer.steps == Steps(done=STEPS[:2], ahead=STEPS[2:])
    assert questions(stage) == list(STEPS[:2])
    assert [shown.title for shown in answer.shown] == [
        "1. Count the orders",
        "2. Count the customers",
    ]
    assert "".join(e.text for e in stage.events if isinstance(e, TextWritten)) == FIRST_TWO
    plans = [event.tasks for event in stage.events if isinstance(event, PlanChanged)]
    assert [line.state for line in plans[-1]] == [TaskState.DONE, TaskState.DONE]


async def test_going_on_takes_the_next_two_and_knows_what_was_found(stage: Stage):
    stage.script(*ORDERS, *CUSTOMERS)
    remember(stage, ASKED, finished(await stage.ask(ASKED)))
    stage.model.requests.clear()
    stage.model.add(*COUNTRIES, *NAMES)

    answer = finished(await stage.ask(GO_ON))

    assert answer.text == (
        "**3. Count the countries**\nThere are 2 countries.\n\n"
        "**4. List the countries**\nThey are Norway and Spain."
    )
    assert answer.suggestions == ()
    assert answer.steps == Steps(done=STEPS)
    first, *_, last = stage.requests
    assert "There are 3 customers." in "".join(m.text for m in first.messages)
    assert "There are 2 countries." in "".join(m.text for m in last.messages)


async def test_a_model_that_would_take_every_step_at_once_is_asked_for_one(stage: Stage):
    stage.script(*ORDERS, *CUSTOMERS)

    await stage.ask(ASKED)

    assert not [m for r in stage.requests for m in r.messages if "countries" in m.text]


async def test_steps_that_only_the_model_hears_are_led_as_well(stage: Stage):
    heard = json.dumps({"one_at_a_time": True, "steps": list(STEPS[:3])})
    stage.script(*ORDERS, *CUSTOMERS, intent=heard)

    answer = finished(await stage.ask("Primero los pedidos, luego los clientes, luego los países"))

    assert answer.steps.ahead == STEPS[2:3]


async def test_steps_that_nobody_listed_are_those_of_a_plan(stage: Stage):
    tasks = [
        {"id": "c", "question": STEPS[2], "families": ["analyze"], "needs": ["b"]},
        {"id": "b", "question": STEPS[1], "families": ["analyze"], "needs": ["a"]},
        {"id": "a", "question": STEPS[0], "families": ["analyze"]},
    ]
    stage.script(json.dumps({"tasks": tasks}), *ORDERS, *CUSTOMERS)

    answer = finished(await stage.ask("Take me through the shop step by step"))

    assert answer.steps == Steps(done=STEPS[:2], ahead=STEPS[2:3])


async def test_a_step_that_fails_is_offered_again(stage: Stage):
    stage.script(*ORDERS, ModelRefused("The model does not take this request."))

    answer = finished(await stage.ask(ASKED))

    assert answer.steps == Steps(done=STEPS[:1], ahead=STEPS[1:])
    assert answer.warnings == ("Step 2 failed: The model does not take this request.",)
    assert answer.text.startswith("**1. Count the orders**\nThere are 120 orders.\n\nNext: **2. ")


async def test_a_first_step_that_fails_fails_the_turn(stage: Stage):
    stage.script(ModelRefused("The model does not take this request."))

    assert failed(await stage.ask(ASKED)).reason == "The model does not take this request."


async def test_a_step_without_an_answer_holds_nobody_up(stage: Stage):
    stage.script(calls(call("report_unanswerable", {"reason": "No orders here."})), *CUSTOMERS)

    answer = finished(await stage.ask(ASKED))

    assert "**1. Count the orders**\nNo orders here." in answer.text
    assert not answer.refused
    assert answer.steps.done == STEPS[:2]


async def test_a_step_that_asks_back_goes_on_and_the_rest_is_still_offered(stage: Stage):
    options = ["all", "of this year"]
    asking = calls(call("ask_clarification", {"question": "Which customers?", "options": options}))
    stage.script(*ORDERS, asking)
    decision = asked(await stage.ask(ASKED)).decision
    stage.model.add(*CUSTOMERS)

    answer = finished(await stage.decide(Clarified(decision=decision.id, actor=ANN.id, text="all")))

    assert answer.text == FIRST_TWO
    assert answer.suggestions == (GO_ON,)
    assert answer.steps == Steps(done=STEPS[:2], ahead=STEPS[2:])
    assert len(answer.sql) == 2
