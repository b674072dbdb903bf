from __future__ import annotations

import json
import re

import pytest

from core.agent.offer import ToolSchemas
from core.agent.on_demand import USE_TOOL, lines_of
from core.domain.chat import AssistantMessage, ToolCall, ToolSchema
from core.domain.decisions import Approved, Choice
from core.domain.events import ToolCallFinished, ToolCallStarted
from core.toolkit.family import Family
from core.toolkit.tool import AnyTool
from tests.core.agent.probes import Probes, read_much
from tests.core.agent.stage import ANN, EVERY_TOOL, Stage, asked, call, calls, finished

SCHEMAS = ToolSchemas.of(EVERY_TOOL)
ON_DEMAND = [tool for tool in EVERY_TOOL if not tool.always_on]
COUNT_ALL = {"table": "orders"}


def wrapped(tool: str, arguments: object, *, id_: str = "") -> ToolCall:
    return call(USE_TOOL, {"tool": tool, "arguments": arguments}, id_=id_)


def weight(schemas: list[ToolSchema]) -> int:
    return sum(len(json.dumps([s.name, s.description, s.parameters])) for s in schemas)


@pytest.mark.parametrize("family", Family)
def test_what_a_question_is_offered_is_a_fifth_of_all_tools(family: Family):
    assert SCHEMAS.runner is not None
    always = [SCHEMAS.by_name[tool.name] for tool in EVERY_TOOL if tool.always_on]
    declared = [*(each for each in always if each.name != "web_search"), SCHEMAS.runner]

    offered = weight(declared) + len(SCHEMAS.listed([family]))

    assert offered <= weight(list(SCHEMAS.by_name.values())) / 5


@pytest.mark.parametrize("tool", ON_DEMAND, ids=lambda tool: tool.name)
def test_a_line_names_every_argument_and_which_are_needed(tool: AnyTool):
    line = SCHEMAS.lines[tool.name]

    takes = re.sub(r"\{.*?\}", "", line.partition("(")[2])
    for name, field in tool.args.model_fields.items():
        found = re.search(rf"(?:^|, ){name}(\??)", takes)
        assert found is not None
        assert bool(found[1]) is not field.is_required()


def test_a_line_says_which_values_an_argument_takes():
    [line] = lines_of(
        [
            ToolSchema(
                "mix",
                "Mix them.\nUse it often.",
                {
                    "properties": {
                        "kinds": {"type": "array", "items": {"enum": ["a", "b"]}},
                        "rules": {
                            "type": "array",
                            "items": {"type": "object", "properties": {"to": {}, "at": {}}},
                        },
                        "names": {"type": "array", "items": {"type": "string"}},
                        "most": {"type": "integer"},
                    },
                    "required": ["kinds"],
                },
            )
        ]
    ).values()

    assert line == "- mix(kinds=[a|b], rules?=[{to, at}], names?=[text], most?=integer): Mix them."


@pytest.mark.parametrize(
    "written",
    [
        {"tool": "count_rows", "arguments": COUNT_ALL},
        {"tool": "count_rows", "arguments": json.dumps(COUNT_ALL)},
        {"tool": "count_rows", **COUNT_ALL},
    ],
)
async def test_a_tool_run_through_another_is_shown_and_told_as_itself(
    stage: Stage, written: object
):
    stage.script(calls(call(USE_TOOL, written, id_="one")), "There are 120 orders.")

    answer = await stage.answer()

    assert "120" in stage.read(1)[0]
    assert answer.text == "There are 120 orders."
    [started] = [each for each in stage.events if isinstance(each, ToolCallStarted)]
    [ended] = [each for each in stage.events if isinstance(each, ToolCallFinished)]
    assert (started.tool, ended.tool, ended.ok) == ("count_rows", "count_rows", True)
    [said] = [m for m in stage.requests[-1].messages if isinstance(m, AssistantMessage)]
    assert said.tool_calls[0].name == USE_TOOL


async def test_a_call_is_the_same_whichever_way_it_was_made(stage: Stage):
    stage.script(
        calls(call("count_rows", COUNT_ALL)),
        calls(wrapped("count_rows", COUNT_ALL)),
        "There are 120 orders.",
    )

    await stage.ask()

    assert "made before" in stage.read(2)[1]


async def test_a_tool_called_without_what_it_needs_tells_all_about_itself_once(stage: Stage):
    stage.script(
        calls(wrapped("compute_growth", {})), calls(wrapped("compute_growth", {"table": 1})), "No."
    )

    await stage.ask()

    first, second = (json.loads(text)["error"] for text in stage.read(2))
    schema = SCHEMAS.by_name["compute_growth"]
    assert json.dumps(schema.parameters, separators=(",", ":"), ensure_ascii=False) in first
    assert schema.description in first
    assert schema.description not in second


@pytest.mark.parametrize(
    ("written", "advice"),
    [
        ({"tool": "compute_magic", "arguments": {}}, "compute_magic"),
        ({"arguments": {"table": "orders"}}, "takes one object"),
        ({"tool": "count_rows", "arguments": [1]}, "takes one object"),
        ("{", "takes one object"),
        ("nonsense", "takes one object"),
    ],
)
async def test_a_call_that_names_no_tool_is_answered_with_advice(
    stage: Stage, written: object, advice: str
):
    stage.script(calls(call(USE_TOOL, written)), "I cannot.")

    await stage.ask()

    assert advice in stage.read(1)[0]


async def test_an_approved_query_goes_on_under_the_call_that_wraps_it(stage: Stage):
    stage.catalogue = Probes().tools(read_much)
    stage.script(calls(wrapped("read_much", {}, id_="much")))
    decision = asked(await stage.ask("all events?")).decision
    stage.model.add("Much counts 99.")

    answer = finished(
        await stage.decide(Approved(decision=decision.id, actor=ANN.id, choice=Choice.APPROVE))
    )

    assert answer.text == "Much counts 99."
    ran = [each for each in stage.events if isinstance(each, ToolCallFinished)]
    assert [(each.call_id, each.tool, each.ok) for each in ran] == [("much", "read_much", True)]


async def test_the_end_of_a_run_wrapped_beside_other_calls_is_not_taken(stage: Stage):
    refusing = {"reason": "no such data", "missing": "ages"}
    stage.script(
        calls(call("count_rows", COUNT_ALL), wrapped("report_unanswerable", refusing)),
        "There are 120 orders.",
    )

    answer = await stage.answer()

    assert not answer.refused
    assert any("ends the run" in text for text in stage.read(1))
