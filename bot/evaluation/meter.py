"""Counts what a model is asked and what its answers cost, also where the run ends without one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextvars import ContextVar
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


# What a question starts, in whatever task, counts on the meter that it began with.
_METER = ContextVar[Meter]("meter")


def begin_metering() -> Meter:
    """Return a new meter on which all counts from here on, in this task and those it starts."""
    meter = Meter()
    _METER.set(meter)
    return meter


@dataclass(frozen=True, slots=True)
class MeteredModel:
    """The model that it wraps, with every request counted on the meter of its question."""

    model: ChatModel

    @property
    def name(self) -> str:
        return self.model.name

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        meter = _meter()
        meter.calls += 1
        pieces = self.model.stream(request)
        try:
            async for piece in pieces:
                if isinstance(piece, ChatReply):
                    meter.usage += piece.usage
                yield piece
        finally:
            if isinstance(pieces, AsyncGenerator):
                await pieces.aclose()

    async def complete(self, request: ChatRequest) -> ChatReply:
        meter = _meter()
        meter.calls += 1
        reply = await self.model.complete(request)
        meter.usage += reply.usage
        return reply


def _meter() -> Meter:
    return _METER.get(None) or Meter()


def metered(app: App) -> App:
    """Return the application with every model of it counted, and none that stands in for it."""
    outside = replace(
        app.outside,
        last_resort=None,
        model=MeteredModel(app.outside.model),
        model_by_name={
            name: MeteredModel(each) for name, each in app.outside.model_by_name.items()
        },
        model_by_family={
            family: MeteredModel(each) for family, each in app.outside.model_by_family.items()
        },
    )
    return replace(app, outside=outside, turns=replace(app.turns, outside=outside))
