import asyncio

import pytest

from core.domain.budget import Budget
from core.domain.chat import AssistantMessage, ChatReply, ToolCall, ToolMessage, UserMessage
from core.domain.events import TextWithdrawn, TextWritten
from core.toolkit.args import NoArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from tests.core.agent.probes import Probes, counted
from tests.core.agent.stage import Stage, call, calls, failed, finished, query

COUNT = "SELECT COUNT(*) AS orders FROM orders"


async def test_text_beside_tool_calls_was_a_thought(stage: Stage):
    stage.script(calls(query(COUNT), text="Let me count."), "There are 120 orders.")

    events = await stage.ask()

    written = [each.kind for each in events if isinstance(each, TextWritten | TextWithdrawn)]
    assert written[: written.index("text_withdrawn") + 1][-1] == "text_withdrawn"
    assert finished(events).text == "There are 120 orders."
    thought = stage.requests[1].messages[2]
    assert isinstance(thought, AssistantMessage)
    assert thought.text == "Let me count."


async def test_calls_of_one_step_run_side_by_side_and_come_back_in_their_order(
    stage: Stage, probes: Probes
):
    meeting = asyncio.Barrier(2)

    @tool(family=Family.ANALYZE, always_on=True)
    async def meet(_args: NoArgs, _ctx: ToolContext) -> ToolResult:
        """Wait for the other."""
        await meeting.wait()
        return counted("met", 41)

    @tool(family=Family.ANALYZE, always_on=True)
    async def meet_too(_args: NoArgs, _ctx: ToolContext) -> ToolResult:
        """Wait for the first."""
        await meeting.wait()
        return counted("met too", 42)

    stage.catalogue = probes.tools(meet, meet_too)
    stage.script(calls(call("meet_too", id_="a"), call("meet", id_="b")), "Both met.")

    await stage.ask()

    results = [each for each in stage.requests[-1].messages if isinstance(each, ToolMessage)]
    assert [each.call_id for each in results] == ["a", "b"]
    assert "met too" in results[0].text


async def test_the_same_call_is_run_once_however_it_is_written(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools()
    stage.script(
        calls(
            call("count_things", '{"what": "x", "size": 1}'),
            call("count_things", '{"size": 1,   "what": "x"}'),
        ),
        calls(call("count_things", '{"size":1,"what":"x"}')),
        "x counts 41.",
    )

    await stage.ask()

    assert len(probes.ran) == 1
    first, second, third = stage.read()
    assert '"x",41' in first
    assert '"x",41' in second
    assert "made before" in second
    assert "made before" in third


async def test_a_model_that_repeats_itself_has_to_answer(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools()
    again = calls(call("count_things", {"what": "x"}))
    stage.script(again, again, again, "x counts 41.")

    answer = await stage.answer()

    assert answer.text == "x counts 41."
    assert [each.tool_choice for each in stage.requests] == ["auto", "auto", "auto", "none"]
    assert len(probes.ran) == 1


async def test_ids_that_occur_twice_or_not_at_all_are_made_anew(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools()
    stage.script(
        calls(
            call("count_things", {"what": "a"}, id_="same"),
            call("count_things", {"what": "bb"}, id_="same"),
        ),
        ChatReply(text="", tool_calls=(call("count_things", {"what": "ccc"}, id_="same"),)),
        "a counts 41.",
    )

    await stage.ask()

    messages = stage.requests[-1].messages
    asked = [c.id for m in messages if isinstance(m, AssistantMessage) for c in m.tool_calls]
    given = [m.call_id for m in messages if isinstance(m, ToolMessage)]
    assert asked == given
    assert len(set(asked)) == 3


async def test_fifty_calls_at_once_are_run_in_part_and_a_few_at_a_time(
    stage: Stage, probes: Probes
):
    stage.catalogue = probes.tools()
    fifty = [call("count_things", {"what": "x", "size": n}) for n in range(50)]
    stage.script(calls(*fifty), "x counts 41.")

    await stage.ask()

    results = stage.read()
    assert len(results) == 50
    assert len(probes.ran) == stage.config.calls_a_step
    assert probes.most_at_once <= stage.config.calls_at_once
    assert "at most 16 calls" in results[-1]


@pytest.mark.parametrize(
    ("question", "intent", "steps"),
    [
        ("sales?", '{"primary_intent": "analyze", "confidence": 1}', 15),
        ("a report", '{"primary_intent": "report", "confidence": 1}', 20),
        (
            "step by step",
            '{"primary_intent": "analyze", "confidence": 1, "one_at_a_time": true}',
            3,
        ),
    ],
)
async def test_stops_after_the_steps_that_such_a_question_may_take(
    stage: Stage, probes: Probes, question: str, intent: str, steps: int
):
    stage.catalogue = probes.tools()
    stage.script(
        *(calls(call("count_things", {"what": "x" * n})) for n in range(steps + 5)), intent=intent
    )

    answer = await stage.answer(question)

    assert len(stage.requests) == steps
    assert stage.requests[-1].tool_choice == "none"
    assert answer.warnings
    assert "x" * min(steps - 1, 3) in answer.text


async def test_the_last_step_has_no_tools_and_is_told_so(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools()
    stage.budget = Budget(steps=2)
    stage.script(calls(call("count_things", {"what": "x"})), "x counts 41.")

    answer = await stage.answer()

    last = stage.requests[-1]
    told = last.messages[-1]
    assert last.tool_choice == "none"
    assert isinstance(told, UserMessage)
    assert "last step" in told.text
    assert answer.text == "x counts 41."
    assert answer.warnings == ()


async def test_a_spent_budget_is_said_in_the_answer(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools()
    stage.budget = Budget(tool_calls=2)
    stage.script(
        calls(call("count_things", {"what": "a"}), call("count_things", {"what": "bb"})), "unheard"
    )

    answer = await stage.answer()

    assert "Stopped after 2 tool calls" in answer.warnings[0]
    assert "what: bb, value: 42" in answer.text
    assert answer.result is not None


async def test_time_that_runs_out_ends_in_an_answer(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools()
    stage.budget = Budget(seconds=10)

    def slowly(_: object) -> ChatReply:
        stage.clock.advance(9)
        return calls(call("count_things", {"what": "a"}))

    stage.script(slowly, "a counts 41.")

    answer = await stage.answer()

    assert stage.requests[-1].tool_choice == "none"
    assert answer.text == "a counts 41."


@pytest.mark.parametrize("empty", ["", " \n ", "Assumption: all orders count."])
async def test_an_empty_reply_is_asked_for_once_more(stage: Stage, empty: str):
    stage.script(calls(query(COUNT)), empty, "There are 120 orders.")

    answer = await stage.answer()

    told = stage.requests[-1].messages[-1]
    assert isinstance(told, UserMessage)
    assert "empty" in told.text
    assert answer.text == "There are 120 orders."


async def test_a_model_that_writes_nothing_is_spoken_for_by_its_results(stage: Stage):
    stage.script(calls(query(COUNT)), "", "")

    answer = await stage.answer()

    assert answer.text == "- orders: 120"
    assert "wrote no answer" in answer.warnings[0]
    assert answer.result is not None


async def test_no_text_and_no_results_is_an_honest_failure(stage: Stage):
    stage.script("", "")

    assert "no answer" in failed(await stage.ask()).reason


@pytest.mark.parametrize(
    "again",
    [
        call("drop_everything", {"now": True}),
        call("run_query", "{sql:"),
        call("run_query", {"statement": "SELECT 1"}),
        call("run_query", {"sql": "SELECT '" + "x" * 200_000 + "'"}),
    ],
    ids=["unknown", "no JSON", "other arguments", "too long"],
)
async def test_a_call_that_fails_again_and_again_is_not_borne_for_long(
    stage: Stage, again: ToolCall
):
    stage.script(*[calls(again)] * 15)

    end = failed(await stage.ask())

    assert len(stage.requests) <= 5
    assert stage.requests[-1].tool_choice == "none"
    assert end.reason.startswith("The model wrote no answer.")


async def test_calls_that_were_not_run_do_not_count(stage: Stage):
    many = [query(f"{COUNT} LIMIT {at}") for at in range(1, 51)]
    stage.script(calls(*many), "There are 120.")

    answer = finished(await stage.ask())

    assert (answer.text, answer.warnings) == ("There are 120.", ())


async def test_too_many_calls_again_and_again_are_not_borne_for_long(stage: Stage):
    many = [query(f"{COUNT} LIMIT {at}") for at in range(1, 51)]
    stage.script(*[calls(*many)] * 15)

    answer = finished(await stage.ask())

    assert len(stage.requests) <= 5
    assert len(answer.sql) == stage.config.calls_a_step
    assert answer.warnings[0].startswith("The model wrote no answer.")
