from hypothesis import given
from hypothesis import strategies as st

from core.agent.context_limiter import answered, estimated_tokens, is_note, note, trim
from core.domain.chat import (
    AssistantMessage,
    ChatMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from core.domain.ids import ToolCallId

SYSTEM, QUESTION = SystemMessage("rules"), UserMessage("how many?")


def step(name: str, calls: int) -> list[ChatMessage]:
    ids = [ToolCallId(f"{name}{n}") for n in range(calls)]
    asked = AssistantMessage("", tuple(ToolCall(each, "run_query", "{}") for each in ids))
    return [asked, *(ToolMessage(each, "{}") for each in ids)]


def conversation(exchanges: int, steps: list[int]) -> list[ChatMessage]:
    before = [
        m for n in range(exchanges) for m in (UserMessage(f"q{n}"), AssistantMessage(f"a{n}"))
    ]
    after = [m for n, calls in enumerate(steps) for m in step(f"s{n}-", calls)]
    return [SYSTEM, *before, QUESTION, *after]


@given(
    st.integers(0, 10),
    st.lists(st.integers(1, 16), max_size=20),
    st.integers(3, 40),
)
def test_no_call_is_ever_parted_from_its_result(exchanges: int, steps: list[int], most: int):
    messages = conversation(exchanges, steps)

    left = trim(messages, at_most=most)

    assert answered(left)
    assert left[0] == SYSTEM
    assert QUESTION in left
    assert left == [each for each in messages if each in left]
    if steps:
        assert left[-1] == messages[-1]


@given(st.integers(0, 10), st.lists(st.integers(1, 3), max_size=30))
def test_keeps_within_the_limit_where_the_last_step_allows(exchanges: int, steps: list[int]):
    assert len(trim(conversation(exchanges, steps), at_most=40)) <= 40


def test_what_was_said_first_goes_first():
    messages = conversation(2, [2, 2])

    assert trim(messages, at_most=8) == [SYSTEM, QUESTION, *step("s0-", 2), *step("s1-", 2)]
    assert trim(messages, at_most=7) == [SYSTEM, QUESTION, *step("s1-", 2)]


def test_a_note_is_neither_question_nor_step():
    messages = [*conversation(0, [1]), note("Answer now.")]

    assert trim(messages, at_most=3) == messages
    assert is_note(messages[-1])
    assert not is_note(QUESTION)


def test_estimates_more_tokens_for_more_text():
    short = estimated_tokens([SYSTEM])

    assert estimated_tokens([SystemMessage("x" * 4_000)]) > short + 900
    assert estimated_tokens([SystemMessage("数" * 1_000)]) > short + 700
    assert estimated_tokens([SYSTEM], tools=500) == short + 500
