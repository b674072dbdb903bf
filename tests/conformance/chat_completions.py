"""What every ChatModel does that stands on a chat-completions server, however odd the server is.

The subclass gives `opened`, which opens the model with settings of the test's choice.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.domain.chat import ChatPiece, ChatReply, Json, ToolCall
from core.domain.ids import ToolCallId
from tests.conformance.chat_model import (
    BOTH_WAYS,
    LOOK_UP,
    Way,
    asking,
    pieces_of,
    reply_of,
    text_of,
)
from tests.conformance.failing_server import FailingServerContract, Opened
from tests.kit.openai_pieces import (
    as_bytes,
    call_delta,
    chunk,
    in_bits,
    in_one_piece,
    mixed,
    stream_of,
    whole,
)
from tests.kit.openai_server import OpenAIServer
from tests.kit.openai_wire import Call, Raw, Reply, as_events, event

SAID = "Köln sold 12 %, 🙂 more."
CALLS = (
    ToolCall(ToolCallId("call_a"), "look_up", '{"word": "größe"}'),
    ToolCall(ToolCallId("call_b"), "look_up", '{"word": "churn"}'),
)
PRICES = {"input_price": 2.0, "output_price": 8.0, "cached_input_price": 0.5}
ENDS = (b"\n", b"\r\n", b"\r")


class ChatCompletionsContract(FailingServerContract):
    """Add nothing to pass; what a server may do is the same whoever reads it."""

    @BOTH_WAYS
    async def test_costs_what_the_prices_say(self, server: OpenAIServer, opened: Opened, way: Way):
        server.queue(Reply(text=("One.",), usage=(1_000_000, 500_000), cached=400_000))

        reply = await reply_of(opened(**PRICES), asking("Count."), way=way)

        assert reply.usage.cost == pytest.approx(0.6 * 2.0 + 0.4 * 0.5 + 0.5 * 8.0)

    @BOTH_WAYS
    @pytest.mark.parametrize(
        ("prices", "usage"), [({}, (1_000, 500)), (PRICES, None)], ids=["no price", "no count"]
    )
    async def test_a_cost_that_nobody_knows_is_unknown(
        self,
        server: OpenAIServer,
        opened: Opened,
        way: Way,
        prices: Mapping[str, float],
        usage: tuple[int, int] | None,
    ):
        server.queue(Reply(text=("One.",), usage=usage))

        reply = await reply_of(opened(**prices), asking("Count."), way=way)

        assert reply.usage.cost is None

    @BOTH_WAYS
    async def test_a_model_may_be_free(self, server: OpenAIServer, opened: Opened, way: Way):
        server.queue(Reply(text=("One.",)))

        free = opened(input_price=0.0, output_price=0.0)
        reply = await reply_of(free, asking("Count."), way=way)

        assert reply.usage.cost == 0.0

    @pytest.mark.parametrize("line_end", ENDS[:2])
    @pytest.mark.parametrize("size", [1, 3, 64])
    async def test_takes_a_stream_cut_anywhere(
        self, server: OpenAIServer, opened: Opened, size: int, line_end: bytes
    ):
        sent = whole_stream().replace(b"\n", line_end)
        server.queue(in_bits(sent, size))

        reply = (await pieces_of(opened(), asking("Count.", LOOK_UP)))[-1]

        assert_is_what_was_said(reply)

    async def test_takes_many_events_in_one_packet_and_comments_between(
        self, server: OpenAIServer, opened: Opened
    ):
        noisy = whole_stream().replace(b"data:", b": still here\n\ndata:")
        server.queue(Raw(pieces=(noisy,)))

        reply = (await pieces_of(opened(), asking("Count.", LOOK_UP)))[-1]

        assert_is_what_was_said(reply)

    async def test_joins_arguments_that_come_in_turns(self, server: OpenAIServer, opened: Opened):
        first, second = CALLS
        deltas = [
            *(call_delta(at, call, "") for at, call in enumerate(CALLS)),
            *mixed(first.arguments, second.arguments),
        ]
        server.queue(stream_of(*deltas, finish="tool_calls"))

        reply = (await pieces_of(opened(), asking("Count.", LOOK_UP)))[-1]

        assert isinstance(reply, ChatReply)
        assert reply.tool_calls == CALLS

    async def test_takes_a_stream_without_its_last_word(self, server: OpenAIServer, opened: Opened):
        server.queue(Reply(text=("One", " two."), done=False))

        assert text_of(await pieces_of(opened(), asking("Count."))) == "One two."

    async def test_takes_the_count_beside_the_last_piece(
        self, server: OpenAIServer, opened: Opened
    ):
        pieces = [event(chunk({"content": "One."})), event(chunk({}, finish="stop", usage=(7, 3)))]
        server.queue(Raw(pieces=(*pieces, b"data: [DONE]\n\n")))

        reply = (await pieces_of(opened(), asking("Count.")))[-1]

        assert isinstance(reply, ChatReply)
        assert (reply.usage.input_tokens, reply.usage.output_tokens) == (7, 3)

    @BOTH_WAYS
    async def test_a_server_that_counts_nothing_is_no_error(
        self, server: OpenAIServer, opened: Opened, way: Way
    ):
        server.queue(Reply(text=("One.",), usage=None))

        reply = await reply_of(opened(), asking("Count."), way=way)

        assert reply.text == "One."
        assert (reply.usage.input_tokens, reply.usage.output_tokens) == (0, 0)

    @BOTH_WAYS
    @pytest.mark.parametrize("content_type", ["text/plain", "application/octet-stream"])
    async def test_takes_an_answer_that_goes_by_a_wrong_name(
        self, server: OpenAIServer, opened: Opened, way: Way, content_type: str
    ):
        sent = whole_stream() if way == "stream" else as_bytes(whole({"content": SAID}))
        server.queue(Raw(pieces=(sent,), content_type=content_type))

        reply = await reply_of(opened(), asking("Count."), way=way)

        assert reply.text == SAID

    @BOTH_WAYS
    async def test_a_refusal_in_words_is_the_text(
        self, server: OpenAIServer, opened: Opened, way: Way
    ):
        said: dict[str, Json] = {"content": None, "refusal": "I must not say."}
        server.queue(stream_of(said) if way == "stream" else in_one_piece(whole(said)))

        reply = await reply_of(opened(), asking("Count."), way=way)

        assert reply.text == "I must not say."

    async def test_takes_text_in_parts_and_leaves_thinking_out(
        self, server: OpenAIServer, opened: Opened
    ):
        parts: list[Json] = [
            {"type": "thinking", "thinking": "Is it two?"},
            {"type": "text", "text": "There are "},
            {"type": "text", "text": "two."},
        ]
        server.queue(stream_of({"content": parts}))

        assert text_of(await pieces_of(opened(), asking("Count."))) == "There are two."

    @BOTH_WAYS
    async def test_reasoning_beside_the_text_is_no_text(
        self, server: OpenAIServer, opened: Opened, way: Way
    ):
        said: dict[str, Json] = {"content": "Two.", "reasoning_content": "Is it two, or 99?"}
        server.queue(stream_of(said) if way == "stream" else in_one_piece(whole(said)))

        reply = await reply_of(opened(), asking("Count."), way=way)

        assert reply.text == "Two."

    @BOTH_WAYS
    async def test_a_call_that_a_length_limit_cut_is_kept_and_said_to_be_cut(
        self, server: OpenAIServer, opened: Opened, way: Way
    ):
        call = Call(name="look_up", arguments=('{"wo',))
        server.queue(Reply(calls=(call,), finish="length"))

        reply = await reply_of(opened(), asking("Count.", LOOK_UP), way=way)

        assert reply.cut_off
        assert reply.tool_calls[0].arguments == '{"wo'


def assert_is_what_was_said(reply: ChatPiece) -> None:
    assert isinstance(reply, ChatReply)
    assert reply.text == SAID
    assert reply.tool_calls == CALLS
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (10, 5)


def whole_stream() -> bytes:
    calls = tuple(Call(id=each.id, name=each.name, arguments=(each.arguments,)) for each in CALLS)
    return b"".join(as_events(Reply(text=("Köln sold", " 12 %, 🙂 more."), calls=calls)))
