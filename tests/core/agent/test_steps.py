import asyncio

import pytest

from adapters.inmemory.chat_model import Held
from core.agent.config import AgentConfig
from core.domain.budget import Budget
from core.domain.chat import AssistantMessage, ChatReply, ToolMessage, UserMessage
from core.domain.errors import ConnectionUnusable
from core.domain.events import TextWithdrawn, TextWritten, ToolCallFinished, ToolCallStarted
from core.toolkit.args import NoArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from tests.core.agent.probes import Probes, be_rejected, counted, failing
from tests.core.agent.stage import Stage, call, calls, failed, finished, kinds, query

COUNT = "SELECT COUNT(*) AS orders FROM orders"


@pytest.fixture
def probes() -> Probes:
    return Probes()


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
            5,
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
    assert "xxx" in answer.text


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


async def test_a_conversation_that_grows_too_long_has_to_end(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools()
    stage.config = AgentConfig(most_tokens=3_000)
    stage.script(
        *(calls(call("count_things", {"what": "x" * n}), text="y" * 3_000) for n in range(2)),
        "There is 1.",
    )

    answer = await stage.answer()

    assert stage.requests[-1].tool_choice == "none"
    assert answer.text == "There is 1."


async def test_forty_messages_are_never_exceeded_and_no_call_loses_its_result(
    stage: Stage, probes: Probes
):
    stage.catalogue = probes.tools()
    many = [
        calls(*(call("count_things", {"what": "x", "size": 10 * n + k}) for k in range(5)))
        for n in range(10)
    ]
    stage.script(*many, "x counts 41.")

    await stage.ask("How many x?")

    for request in stage.requests:
        messages = request.messages
        asked = {c.id for m in messages if isinstance(m, AssistantMessage) for c in m.tool_calls}
        given = {m.call_id for m in messages if isinstance(m, ToolMessage)}
        assert asked == given
        assert len(messages) <= 40
        assert messages[1] == UserMessage("How many x?")


async def test_tools_of_families_that_the_work_turns_to_are_offered_later(stage: Stage):
    stage.script(
        calls(query("SELECT 1 AS a")),
        calls(query("SELECT 2 AS b")),
        calls(query("SELECT 3 AS c"), text="Let me check the schema and columns of the tables."),
        "Done.",
    )

    await stage.ask()

    first = {each.name for each in stage.requests[0].tools}
    last = {each.name for each in stage.requests[-1].tools}
    assert "list_tables" not in first
    assert first < last
    assert "list_tables" in last


async def test_a_stop_cancels_the_run_and_what_it_waits_for(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools()
    stage.script(calls(call("wait_for_ever"), call("count_things", {"what": "x"})))
    stop = asyncio.Event()

    async with asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(stage.ask(stop=stop))
        await probes.begun.wait()
        stop.set()

    end = failed(asking.result())
    assert end.stopped
    assert probes.cancelled == 1
    assert "Stopped." in [e.summary for e in stage.events if isinstance(e, ToolCallFinished)]


async def test_a_stop_while_the_model_thinks_ends_the_run(stage: Stage):
    stop = asyncio.Event()
    stage.script(Held("never", until=asyncio.Event()))

    async with asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(stage.ask(stop=stop))
        await stage.model.until_asked(2)
        stop.set()

    assert failed(asking.result()).stopped


async def test_a_stop_that_comes_before_the_run_ends_it_at_once(stage: Stage):
    stop = asyncio.Event()
    stop.set()
    stage.script(Held("never", until=asyncio.Event()))

    assert failed(await stage.ask(stop=stop)).stopped


async def test_whoever_leaves_early_ends_the_run(stage: Stage, probes: Probes):
    stage.catalogue = probes.tools()
    stage.script(calls(call("wait_for_ever")))
    events = stage.agent.run(stage.context("?"))

    seen = [await anext(events), await anext(events)]
    await probes.begun.wait()
    await events.aclose()

    assert kinds(seen) == ["turn_started", "tool_call_started"]
    assert probes.cancelled == 1


async def test_a_run_never_raises(stage: Stage, caplog: pytest.LogCaptureFixture):
    def broken(_: object) -> str:
        raise ZeroDivisionError("a mistake in an adapter")

    stage.script(broken)

    end = failed(await stage.ask())

    assert end.error_id in end.reason
    assert "a mistake" not in end.reason
    assert not end.stopped
    assert "ZeroDivisionError" in caplog.text


async def test_what_columns_mean_is_said_with_the_first_result_only(stage: Stage):
    stage.script(
        calls(call("get_schema", {"tables": ["orders"]})),
        calls(call("get_schema", {"tables": ["customers"]})),
        "Done.",
    )

    await stage.ask()

    first, second = stage.read()
    assert '"meaning":"one row a column' in first
    assert "meaning" not in second
    [schema] = [each for each in stage.requests[0].tools if each.name == "get_schema"]
    assert "Returns" not in schema.description


async def test_what_only_an_operator_can_mend_is_told_to_the_model(stage: Stage, probes: Probes):
    @tool(family=Family.ANALYZE, always_on=True)
    async def open_door(_args: NoArgs, _ctx: ToolContext) -> ToolResult:
        """Open a door that is locked."""
        raise ConnectionUnusable("The password of shop is no longer valid.")

    stage.catalogue = probes.tools(open_door)
    stage.script(calls(call("open_door")), "The connection has to be mended.")

    await stage.ask()

    assert "no longer valid" in stage.read()[0]
