import asyncio

import pytest

from adapters.inmemory.chat_model import Held
from core.agent.config import AgentConfig
from core.domain.chat import AssistantMessage, ChatRequest, ToolMessage, UserMessage
from core.domain.errors import ConnectionUnusable
from core.domain.events import ToolCallFinished
from core.toolkit.args import NoArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from tests.core.agent.probes import Probes
from tests.core.agent.stage import Stage, call, calls, failed, kinds, query

COUNT = "SELECT COUNT(*) AS orders FROM orders"


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


async def test_tools_of_families_that_the_work_turns_to_are_told_of_later(stage: Stage):
    stage.script(
        calls(query("SELECT 1 AS a")),
        calls(query("SELECT 2 AS b")),
        calls(query("SELECT 3 AS c"), text="Let me check the schema and columns of the tables."),
        "Done.",
    )

    await stage.ask()

    first, last = (_texts(stage.requests[at]) for at in (0, -1))
    assert "- list_tables(" not in first
    assert "- list_tables(" in last
    assert stage.requests[-1].tools == stage.requests[0].tools


def _texts(request: ChatRequest) -> str:
    return "\n".join(message.text for message in request.messages)


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
