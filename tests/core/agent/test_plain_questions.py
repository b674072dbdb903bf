import pytest

from core.domain.answer import Answer
from core.domain.conversation import Exchange
from core.toolkit.family import Family
from tests.core.agent.stage import ANN, Stage, calls, query

COUNT = "SELECT COUNT(*) AS orders FROM orders"


@pytest.mark.parametrize(
    ("question", "family"),
    [
        ("How many orders are there?", Family.ANALYZE),
        ("how many customers do we have in total", Family.ANALYZE),
        ("Which tables are there?", Family.EXPLORE),
        ("Hello!", Family.CONVERSATIONAL),
        ("Thank you very much", Family.CONVERSATIONAL),
    ],
)
async def test_the_model_is_not_asked_what_such_a_question_means(
    stage: Stage, question: str, family: Family
):
    stage.model.add("Hello.")

    await stage.ask(question)

    [request] = stage.model.requests
    assert not request.json_only
    assert ("- compute_top_n(" in request.messages[0].text) is (family is Family.ANALYZE)


@pytest.mark.parametrize(
    "question",
    [
        "How many orders are there in Spain?",
        "How many active customers are there?",
        "How many people are there?",
        "How many orders are there by country",
        "Hello, how many orders are there?",
        "Which tables are there with missing values?",
        "How many orders",
    ],
)
async def test_of_every_other_question_it_is_asked(stage: Stage, question: str):
    stage.script("Hello.")

    await stage.ask(question)

    assert stage.model.requests[0].json_only


async def test_a_thread_or_memory_may_give_the_words_another_meaning(stage: Stage):
    stage.exchanges = (Exchange(question="Only Spain", asked_by=ANN, answer=Answer(text="Ok.")),)
    stage.script(calls(query(COUNT)), "There are 120 orders.")
    await stage.ask("How many orders are there?")
    assert stage.model.requests[0].json_only

    stage.exchanges, stage.memory = (), "orders: only paid ones"
    stage.model.requests.clear()
    stage.script(calls(query(COUNT)), "There are 120 orders.")
    await stage.ask("How many orders are there?")
    assert stage.model.requests[0].json_only
