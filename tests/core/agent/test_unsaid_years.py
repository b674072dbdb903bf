"""A year that only a model has chosen is told to the reader."""

from core.domain.decisions import Clarification, Clarified
from core.domain.events import TurnFinished, TurnPaused
from tests.core.agent.stage import ANN, Stage, call, calls, query

IN_MARCH = "SELECT COUNT(*) AS n FROM orders WHERE day >= '2026-03-01' AND day < '2026-04-01'"
TOLD = "March is taken as March 2026, as no year was named"


async def test_a_year_that_the_model_took_by_itself_is_an_assumption(stage: Stage):
    stage.script(calls(query(IN_MARCH)), "There were 15 orders in March.")

    answer = await stage.answer("how many orders in March")

    assert answer.assumptions == (TOLD,)


async def test_a_year_that_the_model_states_itself_is_not_told_twice(stage: Stage):
    said = "Assumption: March means March 2026, the only one with data."
    stage.script(calls(query(IN_MARCH)), f"There were 15 orders.\n{said}")

    answer = await stage.answer("how many orders in March")

    assert answer.assumptions == ("March means March 2026, the only one with data.",)


async def test_a_year_that_was_asked_for_is_no_assumption(stage: Stage):
    asking = call("ask_clarification", {"question": "Which year?", "options": ["2025", "2026"]})
    stage.script(calls(asking), calls(query(IN_MARCH)), "There were 15 orders.")

    [*_, paused] = await stage.ask("how many orders in March")
    assert isinstance(paused, TurnPaused)
    assert isinstance(paused.decision, Clarification)
    pressed = Clarified(decision=paused.decision.id, actor=ANN.id, text="2026")
    [*_, end] = await stage.decide(pressed)

    assert isinstance(end, TurnFinished)
    assert end.answer.assumptions == ()
