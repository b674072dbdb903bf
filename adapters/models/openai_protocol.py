"""A model behind any server that speaks chat-completions: OpenAI, Azure, vLLM, Ollama, gateways."""

from __future__ import annotations

from collections.abc import AsyncIterator

from adapters.models.exchange import Exchange, Patience, Server
from adapters.models.openai_errors import Complaint, Place, complaint, error_of
from adapters.models.openai_request import body, endpoint, headers, host, optional_fields
from adapters.models.openai_stream import ReplyStream, read_answer
from adapters.models.settings import OpenAIProtocolSettings
from core.domain.chat import ChatPiece, ChatReply, ChatRequest, TextDelta
from core.domain.errors import ModelUnreachable

_LONGEST_COMPLAINT = 64 * 1024
# Between the reason for stopping and the end of the stream comes the usage, and nothing slow.
_AFTER_FINISH_SECONDS = 2.0


class OpenAIProtocolModel:
    """Speaks to one model; its connections are kept until `close`.

    A server that refuses an optional field by name (newer models take no `max_tokens`, some no
    `temperature`) is asked again without it, and from then on at once: nothing was computed yet,
    so this is no retry.
    """

    def __init__(self, settings: OpenAIProtocolSettings) -> None:
        self._settings = settings
        self._place = Place(settings.model, host(settings.base_url), settings.key)
        self._refused = frozenset[str](settings.leave_out)
        self._server = Server(
            url=endpoint(settings.base_url),
            headers=headers(settings),
            proxy=settings.proxy,
            place=self._place,
            patience=Patience(
                connect=settings.connect_seconds,
                first_byte=settings.first_byte_seconds,
                between=settings.between_seconds,
                whole=settings.seconds,
            ),
        )

    @property
    def name(self) -> str:
        return self._settings.model

    async def warm(self) -> None:
        """Do nothing: there is nothing here that takes long."""

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        answer = await self._asked(request, streamed=True)
        try:
            if answer.is_json:
                reply = read_answer(await answer.read_all(), self._place, self._settings.usage)
                if reply.text:
                    yield TextDelta(reply.text)
                yield reply
                return
            incoming = ReplyStream(self._place)
            more, shown = True, 0
            while more:
                received = await _next_bytes(answer, incoming)
                text, failure = incoming.take(received)
                if text:
                    shown += len(text)
                    yield TextDelta(text)
                if failure is not None:
                    raise failure
                more = bool(received) and not (incoming.is_done or incoming.is_full)
            reply = incoming.reply(self._settings.usage)
            if not incoming.is_full:
                await answer.read_to_end()
            if rest := reply.text[shown:]:
                yield TextDelta(rest)
            yield reply
        finally:
            answer.let_go()

    async def complete(self, request: ChatRequest) -> ChatReply:
        answer = await self._asked(request, streamed=False)
        try:
            return read_answer(await answer.read_all(), self._place, self._settings.usage)
        finally:
            answer.let_go()

    async def close(self) -> None:
        await self._server.close()

    async def _asked(self, request: ChatRequest, *, streamed: bool) -> Exchange:
        """Return the answer to a request, in a form that the server takes."""
        refused = self._refused
        while True:
            written = body(request, self._settings, refused=refused, streamed=streamed)
            answer = await self._server.post(written)
            if 200 <= answer.status < 300:
                self._refused = refused
                return answer
            try:
                said = await _complaint(answer)
            finally:
                answer.let_go()
            sent = optional_fields(request, self._settings, refused=refused, streamed=streamed)
            unwanted = _unwanted_field(said, sent)
            if unwanted is None:
                raise error_of(said, self._place)
            refused |= {unwanted}


async def _next_bytes(answer: Exchange, incoming: ReplyStream) -> bytes:
    if not incoming.is_finished:
        return await answer.read()
    try:
        return await answer.read(within=_AFTER_FINISH_SECONDS)
    except ModelUnreachable:
        return b""


async def _complaint(answer: Exchange) -> Complaint:
    said = await answer.read_all(at_most=_LONGEST_COMPLAINT)
    return complaint(answer.status, answer.headers, said)


def _unwanted_field(said: Complaint, sent: dict[str, object]) -> str | None:
    """Name the optional field that a refusal is about, if it is about one."""
    if said.status not in {400, 422}:
        return None
    named = (name for name in sent if name == said.param or name in said.words)
    return next(named, None)
