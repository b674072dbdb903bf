import tracemalloc
from decimal import Decimal
from itertools import pairwise
from types import MappingProxyType

import orjson
import pytest
from pydantic import SecretStr
from syrupy.assertion import SnapshotAssertion

from adapters.models.openai_request import body, endpoint, headers
from adapters.models.settings import OpenAIProtocolSettings
from core.domain.chat import (
    AssistantMessage,
    ChatMessage,
    ChatRequest,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSchema,
    UserMessage,
)
from core.domain.ids import ToolCallId
from tests.conformance.chat_model import LOOK_UP

SETTINGS = OpenAIProtocolSettings(
    base_url="https://models.example/v1", model="analyst-1", api_key=SecretStr("sk-secret")
)
CALL = ToolCall(ToolCallId("call_a"), "look_up", '{"word": "churn"}')
TURN: tuple[ChatMessage, ...] = (
    SystemMessage("You are an analyst."),
    SystemMessage("Today: 2026-11-30"),
    UserMessage("What is churn in Köln?"),
    AssistantMessage("", (CALL,)),
    ToolMessage(CALL.id, '{"finding": "Churn is 4 %."}'),
    SystemMessage("Answer now."),
    AssistantMessage("It is 4 %."),
    UserMessage("And before?"),
)


def test_a_whole_conversation_is_written_like_this(snapshot: SnapshotAssertion):
    request = ChatRequest(messages=TURN, tools=(LOOK_UP,), tool_choice="none", json_only=True)

    assert pretty(written(request)) == snapshot


def test_the_same_request_makes_the_same_bytes():
    assert written(ChatRequest(messages=TURN)) == written(ChatRequest(messages=TURN))


def test_a_longer_conversation_begins_with_the_shorter_one():
    lengths = range(3, len(TURN) + 1)

    bodies = [written(ChatRequest(messages=TURN[:n], tools=(LOOK_UP,))) for n in lengths]

    for shorter, longer in pairwise(bodies):
        said = shorter[: shorter.index(b'],"stream"')]
        assert longer.startswith(said)


@pytest.mark.parametrize("arguments", ["", "{", '{"word": "ch', "[1]", '"churn"', "null"])
def test_a_call_whose_arguments_nobody_can_read_goes_back_without_them(arguments: str):
    call = ToolCall(ToolCallId("call_a"), "look_up", arguments)

    sent = orjson.loads(written(ChatRequest(messages=(AssistantMessage("", (call,)),))))

    assert sent["messages"][0]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_half_a_character_is_not_sent():
    sent = orjson.loads(written(ChatRequest(messages=(UserMessage("a\ud83db"),))))

    assert sent["messages"][0]["content"] == "a?b"


def test_any_mapping_may_be_a_schema():
    tool = ToolSchema("look_up", "Look.", MappingProxyType({"type": "object"}))

    sent = orjson.loads(written(ChatRequest(messages=TURN, tools=(tool,))))

    assert sent["tools"][0]["function"]["parameters"] == {"type": "object"}


def test_what_a_vendor_wants_besides_is_sent_along():
    wanted = {"reasoning_effort": "low", "threshold": Decimal("0.5")}
    settings = SETTINGS.model_copy(update={"extra_body": wanted})

    sent = orjson.loads(
        body(ChatRequest(messages=TURN), settings, refused=frozenset(), streamed=False)
    )

    assert (sent["reasoning_effort"], sent["threshold"]) == ("low", "0.5")


def test_fields_can_be_left_out():
    every = frozenset(
        {"temperature", "max_tokens", "max_completion_tokens", "response_format", "stream_options"}
    )

    sent = orjson.loads(
        body(ChatRequest(messages=TURN, json_only=True), SETTINGS, refused=every, streamed=True)
    )

    assert sent.keys() == {"model", "messages", "stream"}


def test_openai_gets_the_name_of_the_limit_that_its_newer_models_take():
    openai = SETTINGS.model_copy(update={"base_url": "https://api.openai.com/v1"})

    sent = orjson.loads(
        body(ChatRequest(messages=TURN), openai, refused=frozenset(), streamed=False)
    )

    assert sent["max_completion_tokens"] == 4096
    assert "max_tokens" not in sent


@pytest.mark.parametrize(
    ("base_url", "address"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
        ("https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"),
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/chat/completions"),
        ("http://[::1]:8000/", "http://[::1]:8000/v1/chat/completions"),
        ("https://g.example/openai/api", "https://g.example/openai/api/chat/completions"),
        (
            "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
            "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
        ),
        ("https://g.example/v1?team=a", "https://g.example/v1/chat/completions?team=a"),
    ],
)
def test_finds_the_whole_address(base_url: str, address: str):
    assert endpoint(base_url) == address


def test_azure_gets_its_key_in_a_header_of_its_own():
    azure = SETTINGS.model_copy(update={"base_url": "https://x.openai.azure.com/openai/v1"})

    sent = headers(azure)

    assert sent["api-key"] == "sk-secret"
    assert "Authorization" not in sent


def test_a_server_without_a_key_gets_none_and_headers_of_its_own():
    sent = headers(
        SETTINGS.model_copy(update={"api_key": None, "headers": {"X-Team": SecretStr("data")}})
    )

    assert "Authorization" not in sent
    assert sent["X-Team"] == "data"


def written(request: ChatRequest) -> bytes:
    return body(request, SETTINGS, refused=frozenset(), streamed=True)


def pretty(sent: bytes) -> str:
    return orjson.dumps(orjson.loads(sent), option=orjson.OPT_INDENT_2).decode()


def test_a_request_that_waits_for_its_answer_holds_little_more_than_its_bytes():
    request = ChatRequest(messages=(SystemMessage("Look at the tables. " * 700), *TURN))
    written(request)  # what is made once is made
    tracemalloc.start()
    try:
        held = [written(request) for _ in range(20)]
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert taken < 1.2 * sum(map(len, held))
