import pytest

from core.domain.events import ToolCallFinished, ToolCallStarted
from tests.core.agent.probes import Probes, be_rejected, failing
from tests.core.agent.stage import Stage, call, calls, query

COUNT = "SELECT COUNT(*) AS orders FROM orders"


async def test_a_tool_that_is_not_there_is_answered_with_the_nearest(stage: Stage):
    stage.script(calls(call("run_sql", {"sql": COUNT})), "Hello.")

    await stage.ask()

    [advice] = stage.read()
    assert "run_query" in advice
    assert not any(isinstance(each, ToolCallStarted) for each in stage.events)


@pytest.mark.parametrize(
    "written",
    [
        '```json\n{"what": "x"}\n```',
        '{"what": "x",}',
        "{'what': 'x'}",
        '{"what": "x"',
        '"{\\"what\\": \\"x\\"}"',
    ],
)
async def test_arguments_that_are_nearly_json_are_understood(
    stage: Stage, probes: Probes, written: str
):
    stage.catalogue = probes.tools()
    stage.script(calls(call("count_things", written)), "x counts 41.")

    await stage.ask()

    assert [each.what for each in probes.ran] == ["x"]


@pytest.mark.parametrize("written", ["what is x", "[1, 2]", "{" * 90_000, '{"x": ' + "1" * 200_000])
async def test_arguments_that_are_no_object_are_the_models_to_write_again(
    stage: Stage, probes: Probes, written: str
):
    stage.catalogue = probes.tools()
    stage.script(calls(call("count_things", written)), "Hello.")

    await stage.ask()

    [advice] = stage.read()
    assert '"error"' in advice
    assert probes.ran == []


async def test_arguments_that_do_not_fit_are_named(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools()
    stage.script(calls(call("count_things", {"what": "x", "colour": "red"})), "Hello.")

    await stage.ask()

    [advice] = stage.read()
    assert "colour" in advice
    assert [each.ok for each in stage.events if isinstance(each, ToolCallFinished)] == [False]


async def test_a_passing_failure_is_tried_again(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools(failing(2))
    stage.script(calls(call("reach_out")), "It reached 55.")

    answer = await stage.answer()

    assert answer.text == "It reached 55."
    assert len(stage.clock.slept) == 2


async def test_a_failure_that_stays_is_told_and_may_be_tried_again(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools(failing(3))
    stage.script(calls(call("reach_out")), calls(call("reach_out")), "It reached 55.")

    answer = await stage.answer()

    first, second = stage.read()
    assert "lock was not free" in first
    assert "55" in second
    assert answer.text == "It reached 55."


async def test_a_tool_that_breaks_does_not_end_the_turn(
    stage: Stage, probes: Probes, caplog: pytest.LogCaptureFixture
):
    stage.catalogue = probes.tools()
    stage.script(calls(call("break_down"), call("count_things", {"what": "x"})), "x counts 41.")

    answer = await stage.answer()

    assert answer.text == "x counts 41."
    assert "broke (error" in stage.read()[0]
    assert "ZeroDivisionError" in caplog.text
    assert "a mistake in a tool" not in str(stage.events)


async def test_the_words_of_the_database_reach_the_model_and_never_the_reader(
    stage: Stage, probes: Probes
):
    stage.catalogue = probes.tools(be_rejected)
    wrong = call("be_rejected", {"what": "SELECT SUM(amuont) FROM orders"})
    stage.script(calls(wrong), "I could not read that.")

    await stage.ask()

    [advice] = stage.read()
    assert "secret words" in advice
    assert "orders.amount" in advice
    assert "orders(" in advice
    assert "secret words" not in str(stage.events)


async def test_three_rejections_in_a_row_are_enough(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools(be_rejected)
    stage.script(*(calls(call("be_rejected", {"what": f"SELECT {n}"})) for n in range(3)), "No.")

    await stage.ask()

    advice = stage.read()
    assert "in a row" not in advice[1]
    assert "3 queries in a row were rejected" in advice[2]


async def test_an_end_beside_other_calls_is_a_contradiction(stage: Stage):
    stage.script(
        calls(query(COUNT), call("report_unanswerable", {"reason": "There is no such data."})),
        "There are 120 orders.",
    )

    answer = await stage.answer()

    assert not answer.refused
    assert answer.text == "There are 120 orders."
    assert "other calls were made" in stage.read()[1]


async def test_a_no_is_the_answer_as_it_was_said(stage: Stage):
    stage.script(calls(call("report_unanswerable", {"reason": "There is no weather here."})))

    answer = await stage.answer("Will it rain?")

    assert answer.refused
    assert answer.text == "There is no weather here."
    assert answer.result is None
