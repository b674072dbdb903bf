"""The contract's stage for a scripted model: what is told becomes its script."""

from __future__ import annotations

import asyncio

from adapters.inmemory.chat_model import BrokenOff, Held, ScriptedModel
from core.domain.chat import ChatReply, ChatRequest
from core.domain.errors import ModelBusy, ModelRefused, ModelUnreachable


class ScriptedStage:
    def __init__(self, model: ScriptedModel) -> None:
        self._model = model

    def says(self, reply: ChatReply) -> None:
        self._model.add(reply)

    def echoes(self) -> None:
        self._model.add(last_text)

    def breaks_after(self, text: str) -> None:
        self._model.add(BrokenOff(text))

    def hangs(self) -> None:
        self._model.add(Held("never", until=asyncio.Event()))

    def is_busy(self, *, retry_after: float) -> None:
        self._model.add(ModelBusy("The model is busy.", retry_after=retry_after))

    def is_down(self) -> None:
        self._model.add(ModelUnreachable("The model does not answer."))

    def refuses(self) -> None:
        self._model.add(ModelRefused("The model does not take the key."))

    async def until_asked(self, times: int) -> None:
        await self._model.until_asked(times)


def last_text(request: ChatRequest) -> str:
    message = request.messages[-1]
    return message.text
