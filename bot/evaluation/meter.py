"""Counts what a model is asked and what its answers cost, also where the run ends without one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field, replace

from bot.bootstrap import App
from core.domain.answer import Usage
from core.domain.chat import ChatPiece, ChatReply, ChatRequest
from core.ports.chat_model import ChatModel


@dataclass(slots=True)
class Meter:
    """`calls` are requests that were sent; `usage` is of the replies that came."""

    calls: int = 0
    usage: Usage = field(default_factory=Usage)

    def reset(self) -> None:
        self.calls, self.usage = 0, Usage()


@dataclass(frozen=True, slots=True)
class MeteredModel:
    """The model that it wraps, with every request counted."""

    model: ChatModel
    meter: Meter

    @property
    def name(self) -> str:
        return self.model.name

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        self.meter.calls += 1
        pieces = self.model.stream(request)
        try:
            async for piece in pieces:
                if isinstance(piece, ChatReply):
                    self.meter.usage += piece.usage
                yield piece
        finally:
            if isinstance(pieces, AsyncGenerator):
                await pieces.aclose()

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.meter.calls += 1
        reply = await self.model.complete(request)
        self.meter.usage += reply.usage
        return reply


def metered(app: App) -> tuple[App, Meter]:
    """Return the application with every model of it counted."""
    meter = Meter()
    outside = replace(
        app.outside,
        model=MeteredModel(app.outside.model, meter),
        model_by_name={
            name: MeteredModel(each, meter) for name, each in app.outside.model_by_name.items()
        },
        model_by_family={
            family: MeteredModel(each, meter)
            for family, each in app.outside.model_by_family.items()
        },
    )
    return replace(app, outside=outside, turns=replace(app.turns, outside=outside)), meter
