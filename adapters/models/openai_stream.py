"""A streamed answer of the chat-completions protocol, read as its bytes come."""

from __future__ import annotations

import json
from typing import cast

import orjson

from adapters.models.assembly import Assembly, Pricing
from adapters.models.openai_errors import Place, complaint_in, error_of
from adapters.models.sse import EventSplitter, LineTooLong
from core.domain.chat import ChatReply, Json
from core.domain.errors import ModelError, ModelUnreachable


class ReplyStream:
    """Takes bytes as they come and gives the text in them, and at the end the reply."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._events = EventSplitter()
        self._assembly = Assembly(host=place.host, model=place.model)
        self.is_done = False

    @property
    def is_finished(self) -> bool:
        """Whether the reply is whole, so that a server which breaks off now takes nothing away."""
        return self.is_done or self._assembly.is_finished

    @property
    def is_full(self) -> bool:
        """Whether the server sends more than any answer has, so that nothing more is taken."""
        return self._assembly.is_full

    def take(self, received: bytes) -> tuple[str, ModelError | None]:
        """Return the text that has come, and the error that came after it, if one did.

        What arrived together is given together: that saves everybody work and nobody waits.
        """
        try:
            events = self._events.feed(received) if received else self._events.flush()
        except LineTooLong as error:
            return "", self._not_the_protocol(str(error))
        return self._take_events(events)

    def _take_events(self, events: list[bytes]) -> tuple[str, ModelError | None]:
        texts: list[str] = []
        for event in events:
            if event == b"[DONE]":
                self.is_done = True
                break
            try:
                texts.append(self._take_event(event))
            except ModelError as error:
                return "".join(texts), error
            if self.is_full:
                break
        return "".join(texts), None

    def _take_event(self, event: bytes) -> str:
        try:
            chunk: Json = orjson.loads(event)
        except ValueError:
            chunk = self._odd_json(event)
        if not isinstance(chunk, dict):
            raise self._not_the_protocol("an event is no object")
        # Nearly every chunk is none, and there are many.
        if ("error" in chunk or chunk.get("object") == "error") and (said := complaint_in(chunk)):
            raise error_of(said, self._place)
        return self._assembly.take(chunk)

    def _odd_json(self, event: bytes) -> Json:
        try:
            return read_json(event)
        except ValueError:
            raise self._not_the_protocol("an event is no JSON") from None

    def reply(self, pricing: Pricing) -> ChatReply:
        """Return the whole reply.

        Raises:
            ModelUnreachable: the stream ended before the answer did, or holds none.
            ModelRefused: a content filter stopped it.
        """
        if self._assembly.has_spoken and not self.is_finished:
            raise ModelUnreachable(f"{self._place.host} broke off in the middle of its answer.")
        return self._assembly.reply(pricing)

    def _not_the_protocol(self, why: str) -> ModelUnreachable:
        return ModelUnreachable(f"{self._place.host} does not speak chat-completions: {why}.")


def read_answer(body: bytes, place: Place, pricing: Pricing) -> ChatReply:
    """Read an answer that came in one piece.

    Raises:
        ModelError: it holds none.
    """
    assembly = Assembly(host=place.host, model=place.model)
    try:
        answer = read_json(body)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise ModelUnreachable(
            f"{place.host} does not speak chat-completions: the answer is no JSON object."
        )
    if (complaint := complaint_in(answer)) is not None:
        raise error_of(complaint, place)
    assembly.take_whole(answer)
    return assembly.reply(pricing)


def read_json(text: bytes) -> Json:
    """Read JSON, even where it holds half a character, which orjson refuses.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        return cast("Json", orjson.loads(text))
    except orjson.JSONDecodeError:
        return cast("Json", json.loads(text.decode("utf-8", "replace")))
