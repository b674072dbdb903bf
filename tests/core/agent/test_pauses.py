import pytest

from core.domain.chat import AssistantMessage, ToolMessage
from core.domain.decisions import Approval, Approved, Choice, Clarification, Clarified
from core.domain.events import ToolCallFinished
from tests.core.agent.probes import Probes, read_much
from tests.core.agent.stage import (
    ANN,
    Stage,
    asked,
    call,
    calls,
    finished,
    query,
)

COUNT = "SELECT COUNT(*) AS orders FROM orders"
ASK = call(
    "ask_clarification", {"question": "By what?", "options": ["revenue", "orders"]}, id_="ask"
)
UNSURE = """{"primary_intent": "analyze", "confidence": 0.5, "ambiguities":
 [{"question": "Best by what?", "options": ["revenue", "number of orders"]}]}"""


async def test_a_question_back_pauses_the_run_and_its_answer_goes_on(stage: Stage):
    stage.script(calls(ASK), calls(query(COUNT)), "There are 120 orders.")

    paused = asked(await stage.ask("best?"))
    assert isinstance(paused.decision, Clarification)
    assert paused.decision.options == ("revenue", "orders")
    answered = Clarified(decision=paused.decision.id, actor=ANN.id, text="orders")
    answer = finished(await stage.decide(answered))

    assert answer.text == "There are 120 orders."
    assert "The reader answered: orders" in stage.read()[0]
    assert await stage.paused.look(paused.decision.id) is None


async def test_what_ran_beside_the_question_is_kept(stage: Stage):
    stage.script(calls(ASK, query(COUNT, title="Orders")), "There are 120 orders.")

    paused = asked(await stage.ask("best?"))
    answer = finished(
        await stage.decide(Clarified(decision=paused.decision.id, actor=ANN.id, text="orders"))
    )

    messages = stage.requests[-1].messages
    calls_asked = {c.id for m in messages if isinstance(m, AssistantMessage) for c in m.tool_calls}
    assert calls_asked == {m.call_id for m in messages if isinstance(m, ToolMessage)}
    assert answer.result is not None
    assert answer.result.title == "Orders"
    assert [each.rows for each in answer.sql] == [1]


async def test_only_one_question_is_asked_at_a_time(stage: Stage):
    second = call("ask_clarification", {"question": "And when?", "options": ["2025", "2026"]})
    stage.script(calls(ASK, second), "Hello.")

    paused = asked(await stage.ask("best?"))
    assert isinstance(paused.decision, Clarification)
    assert paused.decision.question == "By what?"
    await stage.decide(Clarified(decision=paused.decision.id, actor=ANN.id, text="orders"))

    assert any("one question at a time" in text for text in stage.read())


async def test_asks_back_before_it_begins_when_the_question_has_two_meanings(stage: Stage):
    stage.script(calls(query(COUNT)), "There are 120 orders.", intent=UNSURE)

    paused = asked(await stage.ask("Who are our best customers?"))
    assert isinstance(paused.decision, Clarification)
    assert paused.decision.question == "Best by what?"
    assert stage.requests == []
    answer = finished(
        await stage.decide(
            Clarified(decision=paused.decision.id, actor=ANN.id, text="number of orders")
        )
    )

    assert answer.text == "There are 120 orders."
    assert "number of orders" in stage.read(0)[0]


async def test_the_steps_before_a_pause_count(stage: Stage):
    stage.script(calls(ASK), *(calls(query(f"SELECT {n} AS n")) for n in range(20)))

    paused = asked(await stage.ask("best?"))
    await stage.decide(Clarified(decision=paused.decision.id, actor=ANN.id, text="orders"))

    assert len(stage.requests) == stage.budget.steps


@pytest.fixture
async def costly(stage: Stage) -> Stage:
    stage.catalogue = Probes().tools(read_much)
    stage.script(calls(call("read_much", id_="much")))
    return stage


async def approval_of(stage: Stage) -> Approval:
    decision = asked(await stage.ask("all events?")).decision
    assert isinstance(decision, Approval)
    return decision


async def test_an_approved_query_runs_under_its_very_call(costly: Stage):
    approval = await approval_of(costly)
    costly.model.add("Much counts 99.")

    answer = finished(
        await costly.decide(Approved(decision=approval.id, actor=ANN.id, choice=Choice.APPROVE))
    )

    assert answer.text == "Much counts 99."
    assert answer.result is not None
    ran = [each for each in costly.events if isinstance(each, ToolCallFinished)]
    assert [(each.call_id, each.ok) for each in ran] == [("much", True)]


async def test_an_approval_is_for_one_call_only(costly: Stage):
    approval = await approval_of(costly)
    costly.model.add(calls(call("read_much", {"what": "more"})))

    events = await costly.decide(
        Approved(decision=approval.id, actor=ANN.id, choice=Choice.APPROVE)
    )

    assert isinstance(asked(events).decision, Approval)


async def test_the_model_hears_that_it_has_to_be_cheaper(costly: Stage):
    approval = await approval_of(costly)
    costly.model.add("It would be too much.")

    answer = finished(
        await costly.decide(Approved(decision=approval.id, actor=ANN.id, choice=Choice.CHEAPER))
    )

    assert answer.text == "It would be too much."
    assert "It reads 2 billion rows." in costly.read()[0]


async def test_words_instead_of_a_button_go_to_the_model(costly: Stage):
    approval = await approval_of(costly)
    costly.model.add("Only this year, then.")

    await costly.decide(Clarified(decision=approval.id, actor=ANN.id, text="only this year"))

    assert "only this year" in costly.read()[0]


async def test_a_cancelled_query_ends_the_turn_without_the_model(costly: Stage):
    approval = await approval_of(costly)
    before = len(costly.requests)

    answer = finished(
        await costly.decide(Approved(decision=approval.id, actor=ANN.id, choice=Choice.CANCEL))
    )

    assert answer.text.startswith("Cancelled")
    assert answer.refused
    assert len(costly.requests) == before


@pytest.mark.parametrize("choice", [Choice.APPROVE, Choice.CHEAPER])
async def test_a_button_that_does_not_fit_the_question_is_told_to_the_model(
    stage: Stage, choice: Choice
):
    stage.script(calls(ASK), "Then by revenue.")

    paused = asked(await stage.ask("best?"))
    answer = finished(
        await stage.decide(Approved(decision=paused.decision.id, actor=ANN.id, choice=choice))
    )

    assert answer.text == "Then by revenue."
    assert "chose none" in stage.read()[0]
