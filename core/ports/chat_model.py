"""One language model."""

from collections.abc import AsyncIterator
from typing import Protocol

from core.domain.chat import ChatPiece, ChatReply, ChatRequest


class ChatModel(Protocol):
    """Kept honest by tests/conformance/chat_model.py, which every implementation runs.

    - `stream` yields TextDelta pieces and, last and exactly once, the whole ChatReply; the deltas
      joined are the reply's text. Tool calls come whole, in the reply only.
    - `complete` gives the same reply in one piece.
    - Both raise ModelBusy, ModelUnreachable or ModelRefused, and nothing else; a stream that
      breaks raises ModelUnreachable after the pieces it had. Closing the iterator early lets go
      of the connection.
    - They do not retry: the loop does, and shows it.
    """

    @property
    def name(self) -> str: ...

    def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]: ...

    async def complete(self, request: ChatRequest) -> ChatReply: ...
