"""A model that plays a script and remembers what it was asked."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, replace

from core.domain.chat import ChatPiece, ChatReply, ChatRequest, TextDelta
from core.domain.errors import ModelError, ModelRefused, ModelUnreachable


@dataclass(frozen=True, slots=True)
class BrokenOff:
    """The stream shows `text` and then breaks."""

    text: str


@dataclass(frozen=True, slots=True)
class Held:
    """The reply comes when the event is set; until then the model is silent."""

    reply: ChatReply | str
    until: asyncio.Event


Answering = Callable[[ChatRequest], ChatReply | str]
Step = ChatReply | str | ModelError | BrokenOff | Held | Answering


class ScriptedModel:
    """Plays `script` step by step, one for each request, whether streamed or not.

    A string is a reply of that text. An error is raised. A function is asked with the request.
    A script that is over refuses, so that a run which asks too often is seen.
    """

    def __init__(self, script: Iterable[Step] = (), *, name: str = "scripted") -> None:
        self._name = name
        self._script = deque(script)
        self.requests: list[ChatRequest] = []
        self._asked = asyncio.Condition()

    @property
    def name(self) -> str:
        return self._name

    def add(self, *steps: Step) -> None:
        self._script.extend(steps)

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        step = await self._next(request)
        if isinstance(step, BrokenOff):
            for piece in in_pieces(step.text):
                yield TextDelta(piece)
            raise ModelUnreachable(f"The stream of {self._name} broke off.")
        for piece in in_pieces(step.text):
            yield TextDelta(piece)
        yield step

    async def complete(self, request: ChatRequest) -> ChatReply:
        step = await self._next(request)
        if isinstance(step, BrokenOff):
            raise ModelUnreachable(f"The answer of {self._name} broke off.")
        return step

    async def until_asked(self, times: int) -> None:
        """Wait until so many requests have come."""
        async with self._asked:
            await self._asked.wait_for(lambda: len(self.requests) >= times)

    async def _next(self, request: ChatRequest) -> ChatReply | BrokenOff:
        async with self._asked:
            self.requests.append(request)
            self._asked.notify_all()
        if not self._script:
            raise ModelRefused(f"The script has no reply to request {len(self.requests)}.")
        match self._script.popleft():
            case ModelError() as error:
                raise error
            case BrokenOff() as broken:
                return broken
            case Held(reply=reply, until=until):
                await until.wait()
                return self._whole(reply)
            case str() | ChatReply() as reply:
                return self._whole(reply)
            case answering:
                return self._whole(answering(request))

    def _whole(self, reply: ChatReply | str) -> ChatReply:
        whole = ChatReply(text=reply) if isinstance(reply, str) else reply
        return whole if whole.model else replace(whole, model=self._name)


def in_pieces(text: str) -> list[str]:
    """Part a text into words with the space before them, the way models stream."""
    return re.findall(r"\s*\S+|\s+$", text)
