"""How every ChatModel fails that stands on a chat-completions server; see chat_completions.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.domain.chat import ChatPiece, ChatReply, ToolCall
from core.domain.errors import ModelBusy, ModelError, ModelRefused, ModelUnreachable
from core.domain.ids import ToolCallId
from core.ports.chat_model import ChatModel
from tests.conformance.chat_model import (
    BOTH_WAYS,
    LOOK_UP,
    Way,
    asking,
    assert_plain,
    gather,
    pieces_of,
    reply_of,
    text_of,
)
from tests.kit.openai_pieces import busy_for, call_delta, chunk, stream_of
from tests.kit.openai_server import OpenAIServer
from tests.kit.openai_wire import Failure, Raw, Reply, event

Opened = Callable[..., ChatModel]

CALL = ToolCall(ToolCallId("call_a"), "look_up", '{"word": "größe"}')


class FailingServerContract:
    """The subclass gives `opened`, which opens the model with settings of the test's choice."""

    @BOTH_WAYS
    @pytest.mark.parametrize("sends_head", [False, True])
    async def test_gives_up_on_a_server_that_says_nothing(
        self, server: OpenAIServer, opened: Opened, way: Way, *, sends_head: bool
    ):
        server.queue(Reply(text=("One",), sends_head=sends_head, hangs_after=0))

        await assert_unreachable(opened(first_byte_seconds=0.05), way)

    async def test_gives_up_on_a_stream_that_falls_silent(
        self, server: OpenAIServer, opened: Opened
    ):
        server.queue(Reply(text=("One", " two"), hangs_after=2))
        got: list[ChatPiece] = []

        stream = opened(between_seconds=0.3).stream(asking("Count."))
        with pytest.raises(ModelUnreachable) as caught:
            await gather(stream, into=got)

        assert text_of(got) == "One"
        assert_plain(caught.value)

    @BOTH_WAYS
    async def test_an_answer_takes_no_longer_than_is_set(
        self, server: OpenAIServer, opened: Opened, way: Way
    ):
        server.queue(Raw(pieces=(b": wait\n\n",) * 1_000, between=0.01))

        await assert_unreachable(opened(seconds=0.2), way)

    @BOTH_WAYS
    @pytest.mark.parametrize(
        "failure",
        [
            Failure(500, b"oops", content_type="text/plain"),
            Failure(502, b"<html><body>Bad gateway</body></html>", content_type="text/html"),
            Failure(500, b""),
            Failure(500, {"error": "out of memory"}),
        ],
    )
    async def test_an_error_of_the_server_is_unreachable(
        self, server: OpenAIServer, opened: Opened, way: Way, failure: Failure
    ):
        server.queue(failure)

        error = await assert_unreachable(opened(), way)

        assert "<html" not in str(error)

    @BOTH_WAYS
    @pytest.mark.parametrize("as_date", [False, True])
    async def test_says_when_to_come_back(
        self, server: OpenAIServer, opened: Opened, way: Way, *, as_date: bool
    ):
        server.queue(busy_for(7, as_date=as_date))

        with pytest.raises(ModelBusy) as caught:
            await reply_of(opened(), asking("Count."), way=way)

        assert caught.value.retry_after == 7.0
        assert_plain(caught.value)

    @BOTH_WAYS
    @pytest.mark.parametrize(
        ("page", "content_type"),
        [
            (b"<html><body>Please log in.</body></html>", "text/html"),
            (b"Please log in.", "text/plain"),
            (b"", "application/json"),
            (b"{}", "application/json"),
            (b'{"choices": []}', "application/json"),
            (b'{"choices": null}', "application/json"),
            (b'["no"]', "application/json"),
        ],
    )
    async def test_what_is_no_answer_is_unreachable(
        self, server: OpenAIServer, opened: Opened, way: Way, page: bytes, content_type: str
    ):
        server.queue(Raw(pieces=(page,), content_type=content_type))

        error = await assert_unreachable(opened(), way)

        assert "<html" not in str(error)

    @pytest.mark.parametrize("sent", [b"data: {nonsense\n\n", b"data: 12\n\n", b"data: [DONE]\n\n"])
    async def test_a_stream_of_nonsense_is_unreachable(
        self, server: OpenAIServer, opened: Opened, sent: bytes
    ):
        server.queue(Raw(pieces=(sent,)))

        await assert_unreachable(opened(), "stream")

    @BOTH_WAYS
    async def test_a_connection_that_is_reset_is_unreachable(
        self, server: OpenAIServer, opened: Opened, way: Way
    ):
        server.queue(replace(Reply(text=("One", " two")), cut_after=1))

        await assert_unreachable(opened(), way)

    @BOTH_WAYS
    async def test_a_content_filter_refuses(self, server: OpenAIServer, opened: Opened, way: Way):
        server.queue(Reply(text=("One",), finish="content_filter"))

        with pytest.raises(ModelRefused) as caught:
            await reply_of(opened(), asking("Count."), way=way)

        assert "content filter" in str(caught.value)
        assert_plain(caught.value)

    async def test_an_error_within_a_stream_comes_after_the_text_before_it(
        self, server: OpenAIServer, opened: Opened
    ):
        error = event({"error": {"message": "too many requests", "code": 429}})
        server.queue(Raw(pieces=(event(chunk({"content": "One"})), error)))
        got: list[ChatPiece] = []

        with pytest.raises(ModelBusy):
            await gather(opened().stream(asking("Count.")), into=got)

        assert text_of(got) == "One"

    async def test_arguments_without_end_are_cut_off(self, server: OpenAIServer, opened: Opened):
        piece = event(chunk(call_delta(0, CALL, "x" * 50_000)))
        server.queue(Raw(pieces=(piece,) * 10_000))

        reply = (await pieces_of(opened(), asking("Count.", LOOK_UP)))[-1]

        assert isinstance(reply, ChatReply)
        assert reply.cut_off
        assert len(reply.tool_calls[0].arguments) < 3_000_000

    async def test_calls_without_end_are_cut_off(self, server: OpenAIServer, opened: Opened):
        call = CALL
        pieces = tuple(
            event(chunk(call_delta(at, replace(call, id=ToolCallId(f"call_{at}")), "{}")))
            for at in range(1_000)
        )
        server.queue(Raw(pieces=pieces, hangs_after=len(pieces)))

        reply = (await pieces_of(opened(), asking("Count.", LOOK_UP)))[-1]

        assert isinstance(reply, ChatReply)
        assert reply.cut_off
        assert 0 < len(reply.tool_calls) <= 64

    async def test_no_name_is_longer_than_names_are(self, server: OpenAIServer, opened: Opened):
        huge = ToolCall(ToolCallId("i" * 100_000), "n" * 100_000, "{}")
        server.queue(stream_of(call_delta(0, huge, "{}"), finish="tool_calls"))

        reply = (await pieces_of(opened(), asking("Count.", LOOK_UP)))[-1]

        assert isinstance(reply, ChatReply)
        assert len(reply.tool_calls[0].name) <= 200
        assert len(reply.tool_calls[0].id) <= 200


async def assert_unreachable(model: ChatModel, way: Way) -> ModelError:
    with pytest.raises(ModelUnreachable) as caught:
        await reply_of(model, asking("Count."), way=way)
    assert_plain(caught.value)
    return caught.value
