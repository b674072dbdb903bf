import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace

import orjson
import pytest
from pydantic import SecretStr

from adapters.models.openai_protocol import OpenAIProtocolModel
from adapters.models.settings import OpenAIProtocolSettings
from adapters.models.sse import LONGEST_LINE
from core.domain.chat import ChatPiece, ChatReply, TextDelta, ToolCall
from core.domain.errors import ModelBusy, ModelRefused, ModelUnreachable
from core.domain.ids import ToolCallId
from core.ports.chat_model import ChatModel
from tests.conformance.chat_completions import ChatCompletionsContract, Opened
from tests.conformance.chat_model import (
    BOTH_WAYS,
    ChatModelContract,
    Way,
    asking,
    close,
    gather,
    pieces_of,
    reply_of,
    text_of,
)
from tests.kit.openai_server import OpenAIServer
from tests.kit.openai_stage import OpenAIStage
from tests.kit.openai_wire import Call, Failure, Raw, Reply, as_events, event

KEY = "sk-very-secret-1234"


@pytest.fixture
def settings(server: OpenAIServer) -> OpenAIProtocolSettings:
    return OpenAIProtocolSettings(
        base_url=server.url,
        model="analyst-1",
        api_key=SecretStr(KEY),
        input_price=2.0,
        output_price=8.0,
    )


@pytest.fixture
async def model(settings: OpenAIProtocolSettings) -> AsyncIterator[OpenAIProtocolModel]:
    model = OpenAIProtocolModel(settings)
    yield model
    await model.close()


class TestOpenAIProtocolModel(ChatModelContract):
    @pytest.fixture
    def stage(self, server: OpenAIServer) -> OpenAIStage:
        return OpenAIStage(server)


class TestChatCompletions(ChatCompletionsContract):
    @pytest.fixture
    async def opened(self, server: OpenAIServer) -> AsyncIterator[Opened]:
        async with AsyncExitStack() as stack:

            def open_with(**settings: float) -> ChatModel:
                given = OpenAIProtocolSettings.model_validate(
                    {"base_url": server.url, "model": "analyst-1", "api_key": KEY, **settings}
                )
                model = OpenAIProtocolModel(given)
                stack.push_async_callback(model.close)
                return model

            yield open_with


class TestOneAfterAnother:
    async def test_uses_one_connection_again_and_again(
        self, server: OpenAIServer, model: ChatModel
    ):
        server.queue(*[Reply(text=("One", " two."))] * 6)

        for _ in range(3):
            await pieces_of(model, asking("Count."))
            await model.complete(asking("Count."))

        assert len(server.connections) == 1

    async def test_uses_the_connection_again_after_a_refusal(
        self, server: OpenAIServer, model: ChatModel
    ):
        server.queue(Failure(429, {"error": {"message": "slow down"}}), Reply(text=("One.",)))

        with pytest.raises(ModelBusy):
            await model.complete(asking("Count."))
        await model.complete(asking("Count."))

        assert len(server.connections) == 1

    async def test_shows_a_piece_before_the_next_is_there(
        self, server: OpenAIServer, model: ChatModel
    ):
        server.queue(Reply(text=("One", " two."), hangs_after=2))

        stream = model.stream(asking("Count."))
        first = await anext(stream)
        await close(stream)

        assert first == TextDelta("One")

    async def test_a_reader_who_leaves_early_lets_go_of_the_connection(
        self, server: OpenAIServer, model: ChatModel
    ):
        server.queue(Reply(text=("One", " two."), hangs_after=2))
        stream = model.stream(asking("Count."))
        await anext(stream)

        await close(stream)

        await server.until(lambda server: server.let_go == 1)

    async def test_sixty_four_at_once_share_no_queue(self, server: OpenAIServer, model: ChatModel):
        together = asyncio.Barrier(64)
        server.queue(*[Reply(text=("One",), hangs_after=2)] * 64)

        async def first_piece() -> None:
            stream = model.stream(asking("Count."))
            await anext(stream)
            await together.wait()
            await close(stream)

        async with asyncio.TaskGroup() as tasks:
            for _ in range(64):
                tasks.create_task(first_piece())

        assert len(server.connections) == 64

    async def test_a_closed_model_says_so(self, model: OpenAIProtocolModel):
        await model.close()

        with pytest.raises(ModelUnreachable, match="closed"):
            await model.complete(asking("Count."))


class TestWhatIsSent:
    async def test_asks_at_the_address_with_the_key(self, server: OpenAIServer, model: ChatModel):
        server.queue(Reply(text=("One.",)))

        await model.complete(asking("Count."))

        [asked] = server.requests
        assert asked.path == "/v1/chat/completions"
        assert asked.headers["Authorization"] == f"Bearer {KEY}"
        assert asked.body["model"] == "analyst-1"

    async def test_asks_azure_at_the_whole_address_that_was_given(
        self, server: OpenAIServer, settings: OpenAIProtocolSettings
    ):
        address = f"{server.url}/deployments/d1/chat/completions?api-version=2026-01-01"
        model = OpenAIProtocolModel(settings.model_copy(update={"base_url": address}))
        server.queue(Reply(text=("One.",)))

        await model.complete(asking("Count."))
        await model.close()

        [asked] = server.requests
        assert asked.path == "/v1/deployments/d1/chat/completions"
        assert asked.query == "api-version=2026-01-01"

    @BOTH_WAYS
    async def test_asks_again_without_a_field_that_the_server_refuses_by_name(
        self, server: OpenAIServer, model: ChatModel, way: Way
    ):
        server.queue(
            unsupported("max_tokens", "Use 'max_completion_tokens' instead."),
            unsupported("temperature", "Only the default (1) value is supported."),
            Reply(text=("One.",)),
            Reply(text=("Two.",)),
        )

        first = await reply_of(model, asking("Count."), way=way)
        second = await reply_of(model, asking("Count."), way=way)

        assert (first.text, second.text) == ("One.", "Two.")
        assert len(server.requests) == 4
        for asked in server.requests[-2:]:
            assert asked.body["max_completion_tokens"] == 4096
            assert "max_tokens" not in asked.body
            assert "temperature" not in asked.body

    async def test_a_request_that_is_wrong_in_another_way_is_not_asked_again(
        self, server: OpenAIServer, model: ChatModel
    ):
        server.queue(Failure(400, {"error": {"message": "messages must alternate"}}))

        with pytest.raises(ModelRefused, match="messages must alternate"):
            await model.complete(asking("Count."))

        assert len(server.requests) == 1

    async def test_what_did_not_help_is_not_remembered(
        self, server: OpenAIServer, model: ChatModel
    ):
        refusal = Failure(400, {"error": {"message": "what is the temperature of this"}})
        server.queue(refusal, refusal, Reply(text=("One.",)))

        with pytest.raises(ModelRefused):
            await model.complete(asking("Count."))
        await model.complete(asking("Count."))

        assert server.requests[-1].body["temperature"] == 0.0


class TestHowServersAnswer:
    async def test_prices_what_was_used(self, server: OpenAIServer, model: ChatModel):
        server.queue(Reply(text=("One.",), usage=(1_000_000, 500_000)))

        reply = await model.complete(asking("Count."))

        assert reply.usage.usd == pytest.approx(2.0 + 4.0)

    @BOTH_WAYS
    async def test_a_server_that_counts_nothing_is_no_error(
        self, server: OpenAIServer, model: ChatModel, way: Way
    ):
        server.queue(Reply(text=("One.",), usage=None))

        reply = await reply_of(model, asking("Count."), way=way)

        assert reply.usage.input_tokens == reply.usage.output_tokens == 0

    async def test_takes_a_whole_answer_where_a_stream_was_asked_for(
        self, server: OpenAIServer, model: ChatModel
    ):
        call = Call(name="look_up", arguments=("{}",))
        server.queue(Reply(text=("One", " two."), calls=(call,), ignores_stream=True))

        *deltas, reply = await pieces_of(model, asking("Count."))

        assert deltas == [TextDelta("One two.")]
        assert isinstance(reply, ChatReply)
        assert reply.tool_calls == (ToolCall(ToolCallId("call_1"), "look_up", "{}"),)

    async def test_takes_a_stream_that_ends_without_its_last_word(
        self, server: OpenAIServer, model: ChatModel
    ):
        server.queue(Reply(text=("One", " two."), done=False))

        assert text_of(await pieces_of(model, asking("Count."))) == "One two."

    async def test_takes_a_reply_whose_connection_breaks_after_its_end(
        self, server: OpenAIServer, model: ChatModel
    ):
        whole = Reply(text=("One.",))
        server.queue(replace(whole, cut_after=len(as_events(whole)) - 2))

        assert text_of(await pieces_of(model, asking("Count."))) == "One."

    @pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
    @pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
    async def test_takes_a_stream_cut_at_any_byte(
        self, server: OpenAIServer, model: ChatModel, size: int, line_end: bytes
    ):
        call = Call(name="look_up", arguments=('{"word"', ': "größe"}'))
        sent = b": wait\n\n" + b"".join(as_events(Reply(text=("Köln", " 🙂."), calls=(call,))))
        sent = sent.replace(b"\n", line_end)
        pieces = tuple(sent[at : at + size] for at in range(0, len(sent), size))
        server.queue(Raw(pieces=pieces))

        reply = (await pieces_of(model, asking("Count.")))[-1]

        assert isinstance(reply, ChatReply)
        assert reply.text == "Köln 🙂."
        assert reply.tool_calls[0].arguments == '{"word": "größe"}'
        assert reply.usage.input_tokens == 10

    async def test_joins_a_character_that_the_server_cut_in_half(
        self, server: OpenAIServer, model: ChatModel
    ):
        chunk = b'data: {"choices":[{"delta":{"content":"%s"}}]}\n\n'
        end = event({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        server.queue(Raw(pieces=(chunk % rb"a\ud83d", chunk % rb"\ude42b", end)))

        assert text_of(await pieces_of(model, asking("Count."))) == "a🙂b"

    async def test_an_error_within_the_stream_comes_after_the_text_before_it(
        self, server: OpenAIServer, model: ChatModel
    ):
        said = event({"choices": [{"delta": {"content": "One"}}]})
        error = event({"error": {"message": "too many requests", "code": 429}})
        server.queue(Raw(pieces=(said + error,)))
        got: list[ChatPiece] = []

        with pytest.raises(ModelBusy):
            await gather(model.stream(asking("Count.")), into=got)

        assert got == [TextDelta("One")]

    @pytest.mark.parametrize(
        "sent",
        [
            b"data: {not json}\n\n",
            b"data: 12\n\n",
            b'data: {"choices": {"delta": {}}}\n\n',
            b'data: {"choices": [{"delta": {"tool_calls": "look_up"}}]}\n\n',
            b'data: {"choices": [{"delta": {"tool_calls": ["look_up"]}}]}\n\n',
            b"data: [DONE]\n\n",
            b"<html><body>Welcome</body></html>",
            b"",
        ],
    )
    async def test_what_is_not_the_protocol_is_unreachable(
        self, server: OpenAIServer, model: ChatModel, sent: bytes
    ):
        server.queue(Raw(pieces=(sent,)))

        with pytest.raises(ModelUnreachable, match="does not speak chat-completions"):
            await pieces_of(model, asking("Count."))

    @pytest.mark.parametrize(
        "sent", [b"{not json}", b"[]", b'{"choices": []}', b'{"choices": [{"message": 1}]}', b""]
    )
    async def test_a_whole_answer_that_is_not_the_protocol_is_unreachable(
        self, server: OpenAIServer, model: ChatModel, sent: bytes
    ):
        server.queue(Raw(pieces=(sent,), content_type="application/json"))

        with pytest.raises(ModelUnreachable, match="does not speak chat-completions"):
            await model.complete(asking("Count."))

    async def test_an_error_in_place_of_an_answer_is_sorted(
        self, server: OpenAIServer, model: ChatModel
    ):
        said = b'{"error": {"message": "overloaded", "code": 529}}'
        server.queue(Raw(pieces=(said,), content_type="application/json"))

        with pytest.raises(ModelBusy):
            await model.complete(asking("Count."))

    async def test_a_line_without_end_is_unreachable(self, server: OpenAIServer, model: ChatModel):
        server.queue(Raw(pieces=(b"data: ", b"x" * LONGEST_LINE)))

        with pytest.raises(ModelUnreachable, match="without a line break"):
            await pieces_of(model, asking("Count."))

    @BOTH_WAYS
    async def test_a_stream_that_stops_in_a_tool_call_is_cut_off_and_its_call_is_kept(
        self, server: OpenAIServer, model: ChatModel, way: Way
    ):
        call = Call(name="look_up", arguments=('{"wo',))
        server.queue(Reply(calls=(call,), finish="length"))

        reply = await reply_of(model, asking("Count."), way=way)

        assert reply.cut_off
        assert reply.tool_calls[0].arguments == '{"wo'

    async def test_a_connection_that_breaks_in_a_tool_call_gives_none(
        self, server: OpenAIServer, model: ChatModel
    ):
        call = Call(name="look_up", arguments=('{"wo', 'rd": "x"}'))
        server.queue(Reply(calls=(call,), cut_after=2))

        with pytest.raises(ModelUnreachable, match="broke off"):
            await pieces_of(model, asking("Count."))

    @BOTH_WAYS
    async def test_a_content_filter_refuses(self, server: OpenAIServer, model: ChatModel, way: Way):
        server.queue(Reply(text=("One",), finish="content_filter"))

        with pytest.raises(ModelRefused, match="content filter"):
            await reply_of(model, asking("Count."), way=way)

    async def test_follows_no_redirect_because_the_key_would_go_along(
        self, server: OpenAIServer, model: ChatModel
    ):
        server.queue(Failure(307, None, {"Location": f"{server.url}/elsewhere"}))

        with pytest.raises(ModelRefused, match="set that as base_url"):
            await model.complete(asking("Count."))

        assert len(server.requests) == 1


def unsupported(field: str, words: str) -> Failure:
    said = f"Unsupported parameter: {field!r} is not supported with this model. {words}"
    return Failure(400, orjson.dumps({"error": {"message": said, "param": field}}))
