import json

import pytest

from core.agent.written_calls import calls_in

NAMES = frozenset({"run_query", "list_tables", "use_tool"})
SQL = {"sql": "SELECT count(*) AS n FROM orders"}
ONE = json.dumps({"name": "run_query", "arguments": SQL})


@pytest.mark.parametrize(
    "text",
    [
        ONE,
        f"```json\n{ONE}\n```",
        f"[{ONE}]",
        f"[TOOL_CALLS] [{ONE}]",
        f"<tool_call>\n{ONE}\n</tool_call>",
        f"I will count them.\n<tool_call>{ONE}</tool_call>",
        f"<tool_call>{ONE}",
        f"<|python_tag|>{ONE}<|eom_id|>",
        f"<function=run_query>{json.dumps(SQL)}</function>",
        json.dumps({"name": "run_query", "parameters": SQL}),
        json.dumps({"tool": "run_query", "arguments": json.dumps(SQL)}),
        json.dumps({"type": "function", "function": {"name": "run_query", "arguments": SQL}}),
    ],
)
def test_a_call_that_is_written_is_a_call(text: str):
    [call] = calls_in(text, NAMES)

    assert call.name == "run_query"
    assert json.loads(call.arguments) == SQL
    assert call.id


def test_several_calls_are_several():
    other = json.dumps({"name": "list_tables", "arguments": {}})

    calls = calls_in(f"<tool_call>{ONE}</tool_call>\n<tool_call>{other}</tool_call>", NAMES)

    assert [call.name for call in calls] == ["run_query", "list_tables"]
    assert len({call.id for call in calls}) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "There are 120 orders.",
        'The setting is {"name": "run_query"}.',
        json.dumps({"name": "drop_everything", "arguments": {}}),
        json.dumps({"orders": 120, "name": "Ada"}),
        json.dumps({"name": "run_query", "rows": 3}),
        f"Call it like this: {ONE}, and it counts.",
        "[1, 2, {}]",
        "[not json",
        "<tool_call>{" * 2_000,
    ],
)
def test_an_answer_is_no_call(text: str):
    assert calls_in(text, NAMES) == ()


def test_more_calls_than_anybody_means_are_not_all_taken():
    assert 0 < len(calls_in(f"<tool_call>{ONE}</tool_call>" * 200, NAMES)) <= 16
