"""Whatever tools answer, a turn ends with a sentence after few steps."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.models.offline.analyst import OfflineAnalyst
from core.domain.chat import AssistantMessage, ChatMessage, ToolMessage, UserMessage
from tests.kit.offline_shop import shop
from tests.kit.offline_talk import request, result_text, schema_text, system

MOST_STEPS = 20
TOOLS = (
    "get_schema", "list_tables", "get_distinct_values", "run_query", "correlate_query",
    "ask_clarification", "report_unanswerable",
)  # fmt: skip
WHOLE = schema_text(shop())
QUESTIONS = st.sampled_from(
    [
        "how many customers are there", "revenue by channel last month", "top products",
        "correlation between list price and quantity", "why did revenue fall in March 2025?",
        "what drove the drop in revenue in March 2025", "what is our churn rate?",
        "support tickets by churn in 2025", "overall revenue in 2025", "show the SQL", "why?",
        "list all tables", "customers from Atlantis", "only Spain", "delete everything", "hello",
        "orders per month", "average time to ship", "who are our best customers", "by month",
        "customers that ordered in 2024 but not in 2025", "share of orders by channel",
    ]
)  # fmt: skip
CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**60), 2**60), st.floats(-1e300, 1e300),
    st.text(max_size=12), st.lists(st.integers(0, 9), max_size=2), st.just({}), st.just("2025-12-31"),
)  # fmt: skip
ROWS = st.lists(st.one_of(st.lists(CELLS, max_size=9), CELLS), max_size=6)
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "finding": st.one_of(st.text(max_size=30), st.just("3 columns of a, b and 7 more."), CELLS),
        "columns": st.one_of(
            st.lists(
                st.sampled_from(["table", "column", "type", "kind", "key", "values", "n"]),
                max_size=9,
            ),
            CELLS,
        ),
        "rows": st.one_of(ROWS, CELLS),
        "row_count": st.one_of(st.integers(-5, 10**9), CELLS),
        "truncated": CELLS,
        "notes": st.one_of(
            st.lists(
                st.sampled_from(["x: cut", "ask for them by name: a, b, c and 4 more.", ""]),
                max_size=3,
            ),
            CELLS,
        ),
        "error": CELLS,
    },
)
NAMES = st.sampled_from(
    [
        "customers",
        "orders",
        "id",
        "name",
        "ended_on",
        "status",
        "amount",
        "",
        " ",
        "a.b",
        "日本",
        "x" * 80,
    ]
)
KEYS = st.one_of(
    st.sampled_from(["", "primary", "-> .", "primary -> customers.id"]),
    st.tuples(NAMES, NAMES).map(lambda ends: f"-> {ends[0]}.{ends[1]}"),
)
KINDS = st.sampled_from(["time", "measure", "dimension", "text", "", "INTEGER", "DATE", "BOOLEAN"])
SCHEMA_ROWS = st.lists(
    st.tuples(NAMES, NAMES, KINDS, KINDS, KEYS, st.booleans(), st.sampled_from(["", "a | b", "0 | 1"]), NAMES),
    min_size=1,
    max_size=14,
)  # fmt: skip
COLUMNS = ("table", "column", "type", "kind", "key", "nullable", "values", "comment")
MIXED_ROWS = st.lists(st.lists(st.one_of(NAMES, CELLS), max_size=9), max_size=8)
RESULTS = st.one_of(
    MIXED_ROWS.map(lambda rows: result_text(COLUMNS, rows)),
    MIXED_ROWS.map(lambda rows: result_text(("a", "b", "c", "d", "e"), rows)),
    SCHEMA_ROWS.map(lambda rows: result_text(COLUMNS, rows)),
    BODIES.map(lambda body: orjson.dumps(body, option=orjson.OPT_NON_STR_KEYS).decode()),
    st.text(max_size=40),
    st.integers(0, len(WHOLE)).map(lambda end: WHOLE[:end]),
    st.just(WHOLE),
    st.just('{"error": "the connection was lost"}'),
    st.just("[[]]"),
)


async def steps_until_end(
    question: str, earlier: Sequence[str], results: Sequence[str]
) -> tuple[int, str]:
    """Run a turn whose tools answer with these results, over and over."""
    analyst = OfflineAnalyst()
    messages: list[ChatMessage] = [system()]
    for each in earlier:
        messages += [UserMessage(each), AssistantMessage("There are 3.")]
    messages.append(UserMessage(question))
    given_so_far = 0
    for step in range(1, MOST_STEPS + 1):
        reply = await analyst.complete(request(messages, TOOLS))
        ends = any(c.name in {"ask_clarification", "report_unanswerable"} for c in reply.tool_calls)
        if not reply.tool_calls or ends:
            return step, reply.text or reply.tool_calls[0].arguments
        messages.append(AssistantMessage(reply.text, reply.tool_calls))
        for call in reply.tool_calls:
            messages.append(ToolMessage(call.id, results[given_so_far % len(results)]))
            given_so_far += 1
    raise AssertionError(f"no end after {MOST_STEPS} steps")


@pytest.mark.parametrize(
    "schema",
    [
        result_text(COLUMNS, [("orders", "id", {"a": 1}, [2], "", True, "", "")]),
        result_text(COLUMNS, [(), ("orders",)]),
        result_text(("nothing", "of", "use"), [("orders", "id", "INTEGER")]),
        "[[]]",
    ],
    ids=["cells that hold others", "rows too short", "other columns", "no object"],
)
async def test_a_schema_of_another_form_ends_the_turn(schema: str):
    steps, said = await steps_until_end("how many orders are there", (), [schema])

    assert steps <= MOST_STEPS
    assert said.strip()


async def test_a_coefficient_that_is_no_number_is_none():
    odd = result_text(("first", "second", "correlation", "n", "p_value"), [("x", "y", "z", 3, 1)])
    question = "correlation between list price of products and product id of products"

    steps, said = await steps_until_end(question, (), [WHOLE, odd])

    assert steps <= MOST_STEPS
    assert said.strip()


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
@given(
    question=st.one_of(QUESTIONS, st.text(max_size=60)),
    earlier=st.lists(st.one_of(QUESTIONS, st.text(max_size=30)), max_size=3),
    results=st.lists(RESULTS, min_size=1, max_size=8),
)
async def test_a_turn_ends_with_a_sentence_whatever_the_tools_answer(
    question: str, earlier: list[str], results: list[str]
):
    steps, said = await steps_until_end(question, earlier, results)

    assert steps <= MOST_STEPS
    assert said.strip()
