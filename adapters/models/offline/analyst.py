"""The model that needs no account: a semantic parser that speaks the model port itself."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from functools import cached_property

import orjson

from adapters.models.offline.talk.moves import Move, Say
from core.domain.answer import Usage
from core.domain.chat import ChatPiece, ChatReply, ChatRequest, TextDelta, ToolCall
from core.domain.ids import ToolCallId, fresh_id

NAME = "offline/analyst"
_BYTES_A_TOKEN = 4


class OfflineAnalyst:
    """Answers by rules what a language model would answer by learning; fulfils ChatModel.

    It keeps nothing between calls but schemas that it has read, so one instance may serve any
    number of conversations at once. It never raises and never calls the network. What it thinks
    with is loaded with the first request, or before by `warm`.
    """

    @property
    def name(self) -> str:
        return NAME

    @cached_property
    def _next_move(self) -> Callable[[ChatRequest], Move]:
        from adapters.models.offline.deciding import Mind

        return Mind().next_move

    async def warm(self) -> None:
        """Load what it thinks with, off the event loop."""
        await asyncio.to_thread(lambda: self._next_move)

    async def close(self) -> None:
        """Nothing is open; here so that every model can be closed alike."""

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        reply = await self.complete(request)
        for piece in re.findall(r"\s*\S+|\s+$", reply.text):
            yield TextDelta(piece)
        yield reply

    async def complete(self, request: ChatRequest) -> ChatReply:
        # Reading a wide schema takes a while, and the loop serves others.
        move = await asyncio.to_thread(lambda: self._next_move(request))
        reply = _reply(move)
        usage = Usage(
            input_tokens=_tokens(request), output_tokens=len(reply.text) // _BYTES_A_TOKEN
        )
        return ChatReply(text=reply.text, tool_calls=reply.tool_calls, usage=usage, model=NAME)


def _reply(move: Move) -> ChatReply:
    if isinstance(move, Say):
        return ChatReply(text=move.text)
    calls = tuple(
        ToolCall(
            ToolCallId(f"call_{fresh_id()}"),
            call.tool,
            orjson.dumps(dict(call.arguments)).decode(),
        )
        for call in move.calls
    )
    return ChatReply(text="", tool_calls=calls)


def _tokens(request: ChatRequest) -> int:
    return sum(len(message.text) for message in request.messages) // _BYTES_A_TOKEN
