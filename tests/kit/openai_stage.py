"""The contract's stage over real HTTP: a chat-completions server says what is told."""

from __future__ import annotations

import re
from typing import cast

from core.domain.chat import ChatReply, JsonObject
from tests.kit.openai_server import Asked, OpenAIServer
from tests.kit.openai_wire import Call, Failure, Reply, busy


class OpenAIStage:
    def __init__(self, server: OpenAIServer) -> None:
        self._server = server

    def says(self, reply: ChatReply) -> None:
        self._server.queue(as_sent(reply))

    def echoes(self) -> None:
        self._server.queue(echo)

    def breaks_after(self, text: str) -> None:
        # One piece more than the text: the first carries the role.
        words = in_words(text)
        self._server.queue(Reply(text=(*words, "and"), cut_after=len(words) + 1))

    def hangs(self) -> None:
        self._server.queue(Reply(text=("never",), sends_head=False))

    def is_busy(self, *, retry_after: float) -> None:
        self._server.queue(busy(f"{retry_after:g}"))

    def is_down(self) -> None:
        self._server.queue(Failure(500, {"error": {"message": "out of memory"}}))

    def refuses(self) -> None:
        self._server.queue(Failure(401, {"error": {"message": "Incorrect API key: sk-secret-1"}}))

    async def until_asked(self, times: int) -> None:
        await self._server.until(lambda server: len(server.requests) >= times)


def as_sent(reply: ChatReply) -> Reply:
    """Cut a reply into what a server would send: words, and arguments in pieces."""
    usage = (reply.usage.input_tokens, reply.usage.output_tokens)
    return Reply(
        text=in_words(reply.text),
        calls=tuple(
            Call(id=call.id, name=call.name, arguments=in_threes(call.arguments))
            for call in reply.tool_calls
        ),
        usage=usage if any(usage) else (10, 5),
        finish="length" if reply.cut_off else None,
    )


def echo(asked: Asked) -> Reply:
    messages = cast("list[JsonObject]", asked.body["messages"])
    return Reply(text=in_words(cast("str", messages[-1]["content"])))


def in_words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\s*\S+|\s+$", text))


def in_threes(text: str) -> tuple[str, ...]:
    return tuple(text[at : at + 3] for at in range(0, len(text), 3)) or ("",)
