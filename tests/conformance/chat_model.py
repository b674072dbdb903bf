"""What every ChatModel does. Subclass it next to the implementation; add nothing to pass."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Literal, Protocol, cast

import pytest

from core.domain.answer import Usage
from core.domain.chat import (
    AssistantMessage,
    ChatMessage,
    ChatPiece,
    ChatReply,
    ChatRequest,
    SystemMessage,
    TextDelta,
    ToolCall,
    ToolMessage,
    ToolSchema,
    UserMessage,
)
from core.domain.errors import ModelBusy, ModelError, ModelRefused, ModelUnreachable
from core.domain.ids import ToolCallId
from core.ports.chat_model import ChatModel

Way = Literal["stream", "complete"]
BOTH_WAYS = pytest.mark.parametrize("way", ["stream", "complete"])

LOOK_UP = ToolSchema(
    name="look_up",
    description="Look a word up.",
    parameters={
        "type": "object",
        "properties": {"word": {"type": "string", "description": "What to look up."}},
        "required": ["word"],
    },
)


class Stage(Protocol):
    """What stands behind the model under test: what it is told comes next, in order."""

    def says(self, reply: ChatReply) -> None: ...

    def echoes(self) -> None:
        """Make the text of the last message the next reply."""
        ...

    def breaks_after(self, text: str) -> None: ...

    def hangs(self) -> None:
        """Take the next request and never answer it."""
        ...

    def is_busy(self, *, retry_after: float) -> None: ...

    def is_down(self) -> None: ...

    def refuses(self) -> None: ...

    async def until_asked(self, times: int) -> None: ...


class ChatModelContract:
    """The subclass gives a `stage` fixture and a `model` fixture that stands on it."""

    async def test_streams_text_and_then_the_whole_reply_once(self, stage: Stage, model: ChatModel):
        stage.says(ChatReply(text="Orders rose by 12 %,\nmost of it in Köln 🙂."))

        pieces = await pieces_of(model, asking("How did orders go?"))

        *deltas, reply = pieces
        assert isinstance(reply, ChatReply)
        assert all(isinstance(delta, TextDelta) and delta.text for delta in deltas)
        assert deltas
        assert text_of(deltas) == reply.text == "Orders rose by 12 %,\nmost of it in Köln 🙂."
        assert not reply.tool_calls
        assert not reply.cut_off

    async def test_completes_with_the_reply_that_it_would_have_streamed(
        self, stage: Stage, model: ChatModel
    ):
        said = ChatReply(text="Three.", usage=Usage(input_tokens=40, output_tokens=2))
        stage.says(said)
        stage.says(said)

        streamed = (await pieces_of(model, asking("How many?")))[-1]
        completed = await model.complete(asking("How many?"))

        assert completed == streamed
        assert completed.text == "Three."

    @BOTH_WAYS
    async def test_gives_tool_calls_whole_and_in_their_order(
        self, stage: Stage, model: ChatModel, way: Way
    ):
        calls = (
            ToolCall(ToolCallId("call_a"), "look_up", '{"word": "churn rate"}'),
            ToolCall(ToolCallId("call_b"), "look_up", '{"word": "größe \\"net\\""}'),
        )
        stage.says(ChatReply(text="Let me look.", tool_calls=calls))

        reply = await reply_of(model, asking("What is churn?", LOOK_UP), way=way)

        assert reply.text == "Let me look."
        assert reply.tool_calls == calls

    @BOTH_WAYS
    async def test_passes_broken_arguments_on_for_the_loop_to_judge(
        self, stage: Stage, model: ChatModel, way: Way
    ):
        broken = ToolCall(ToolCallId("call_a"), "look_up", '{"word": "chu')
        stage.says(ChatReply(text="", tool_calls=(broken,)))

        reply = await reply_of(model, asking("What is churn?", LOOK_UP), way=way)

        assert reply.text == ""
        assert reply.tool_calls == (broken,)

    @BOTH_WAYS
    async def test_an_empty_answer_is_a_reply_without_text(
        self, stage: Stage, model: ChatModel, way: Way
    ):
        stage.says(ChatReply(text=""))

        reply = await reply_of(model, asking("How many?"), way=way)

        assert (reply.text, reply.tool_calls) == ("", ())

    @BOTH_WAYS
    async def test_half_an_object_is_passed_on_for_the_reader_to_judge(
        self, stage: Stage, model: ChatModel, way: Way
    ):
        stage.says(ChatReply(text='{"intent": "expl', cut_off=True))

        reply = await reply_of(model, asking("Answer in JSON."), way=way)

        assert reply.text == '{"intent": "expl'
        assert reply.cut_off

    @BOTH_WAYS
    async def test_counts_what_was_used_and_names_the_model(
        self, stage: Stage, model: ChatModel, way: Way
    ):
        stage.says(ChatReply(text="Three.", usage=Usage(input_tokens=40, output_tokens=2)))

        reply = await reply_of(model, asking("How many?"), way=way)

        assert (reply.usage.input_tokens, reply.usage.output_tokens) == (40, 2)
        assert reply.model
        assert model.name

    @BOTH_WAYS
    async def test_says_when_a_length_limit_ended_the_answer(
        self, stage: Stage, model: ChatModel, way: Way
    ):
        stage.says(ChatReply(text="The three largest are", cut_off=True))

        reply = await reply_of(model, asking("Which?"), way=way)

        assert reply.cut_off
        assert reply.text == "The three largest are"

    @BOTH_WAYS
    async def test_takes_a_whole_conversation_with_tools_and_odd_text(
        self, stage: Stage, model: ChatModel, way: Way
    ):
        call = ToolCall(ToolCallId("call_a"), "look_up", '{"word": "churn"}')
        stage.says(ChatReply(text="It is 4 %."))
        messages = (
            SystemMessage("You are an analyst."),
            UserMessage("What is churn? \ud83d\x00 \u2028"),
            AssistantMessage("", (call,)),
            ToolMessage(call.id, '{"finding": "Churn is 4 %."}'),
        )

        reply = await reply_of(model, ChatRequest(messages=messages, tools=(LOOK_UP,)), way=way)

        assert reply.text == "It is 4 %."

    async def test_takes_a_request_for_nothing_but_json(self, stage: Stage, model: ChatModel):
        stage.says(ChatReply(text='{"intent": "explore"}'))

        reply = await model.complete(
            ChatRequest(messages=(UserMessage("Answer in JSON."),), json_only=True)
        )

        assert reply.text == '{"intent": "explore"}'

    @BOTH_WAYS
    async def test_a_busy_model_says_when_to_come_back(
        self, stage: Stage, model: ChatModel, way: Way
    ):
        stage.is_busy(retry_after=7.0)

        with pytest.raises(ModelBusy) as caught:
            await reply_of(model, asking("How many?"), way=way)

        assert caught.value.retry_after == 7.0
        assert_plain(caught.value)

    @BOTH_WAYS
    async def test_a_model_that_is_down_is_unreachable(
        self, stage: Stage, model: ChatModel, way: Way
    ):
        stage.is_down()

        with pytest.raises(ModelUnreachable) as caught:
            await reply_of(model, asking("How many?"), way=way)

        assert_plain(caught.value)

    @BOTH_WAYS
    async def test_a_refused_request_is_told_apart(self, stage: Stage, model: ChatModel, way: Way):
        stage.refuses()

        with pytest.raises(ModelRefused) as caught:
            await reply_of(model, asking("How many?"), way=way)

        assert_plain(caught.value)

    async def test_a_stream_that_breaks_raises_after_the_pieces_it_had(
        self, stage: Stage, model: ChatModel
    ):
        stage.breaks_after("Orders rose")
        got: list[ChatPiece] = []

        with pytest.raises(ModelUnreachable):
            await gather(model.stream(asking("How did orders go?")), into=got)

        assert text_of(got) == "Orders rose"

    async def test_an_answer_that_breaks_is_unreachable(self, stage: Stage, model: ChatModel):
        stage.breaks_after("Orders rose")

        with pytest.raises(ModelUnreachable):
            await model.complete(asking("How did orders go?"))

    async def test_does_not_retry(self, stage: Stage, model: ChatModel):
        stage.is_down()
        stage.says(ChatReply(text="Three."))

        with pytest.raises(ModelUnreachable):
            await model.complete(asking("How many?"))

        assert (await model.complete(asking("How many?"))).text == "Three."

    async def test_a_reader_who_leaves_early_leaves_no_trace(self, stage: Stage, model: ChatModel):
        stage.says(ChatReply(text="One two three four."))
        stage.says(ChatReply(text="Five."))

        stream = model.stream(asking("Count."))
        first = await anext(stream)
        await close(stream)

        assert isinstance(first, TextDelta)
        assert text_of(await pieces_of(model, asking("Go on."))) == "Five."

    async def test_a_cancelled_request_is_cancelled_and_the_next_is_answered(
        self, stage: Stage, model: ChatModel
    ):
        stage.hangs()
        stage.says(ChatReply(text="Three."))
        waiting = asyncio.create_task(model.complete(asking("How many?")))
        await stage.until_asked(1)

        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

        assert (await model.complete(asking("How many?"))).text == "Three."

    async def test_conversations_at_once_do_not_mix(self, stage: Stage, model: ChatModel):
        questions = [f"question {number}, asked among others" for number in range(8)]
        for _ in questions:
            stage.echoes()

        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(pieces_of(model, asking(q))) for q in questions]

        assert [text_of(task.result()) for task in running] == questions


def asking(question: str, *tools: ToolSchema) -> ChatRequest:
    messages: tuple[ChatMessage, ...] = (SystemMessage("You count."), UserMessage(question))
    return ChatRequest(messages=messages, tools=tools)


async def pieces_of(model: ChatModel, request: ChatRequest) -> list[ChatPiece]:
    pieces = [piece async for piece in model.stream(request)]
    replies = [piece for piece in pieces if isinstance(piece, ChatReply)]
    assert replies == pieces[-1:], "the whole reply comes last, and once"
    assert replies[0].text == text_of(pieces)
    return pieces


async def gather(stream: AsyncIterator[ChatPiece], *, into: list[ChatPiece]) -> None:
    async for piece in stream:
        into += [piece]


async def reply_of(model: ChatModel, request: ChatRequest, *, way: Way) -> ChatReply:
    if way == "complete":
        return await model.complete(request)
    reply = (await pieces_of(model, request))[-1]
    assert isinstance(reply, ChatReply)
    return reply


def text_of(pieces: list[ChatPiece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, TextDelta))


async def close(stream: object) -> None:
    """Close a stream; each is an async generator, although the port promises an iterator only."""
    await cast(Closing, stream).aclose()


class Closing(Protocol):
    async def aclose(self) -> None: ...


def assert_plain(error: ModelError) -> None:
    """One sentence that may be shown: no traceback, no address of an object, no key."""
    sentence = str(error)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    assert "sk-" not in sentence
