"""A stream of litellm, with what it would drop and without what it makes up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol, cast

from adapters.models.assembly import MOST_CHUNKS, plain_text
from adapters.models.litellm_loading import Streaming
from core.domain.chat import Json

_AT_A_STRETCH = 16  # chunks, of half a millisecond each


class _Delta(Protocol):
    content: Json
    refusal: str | None


class _Source(Protocol):
    def __aiter__(self) -> AsyncIterator[object]: ...

    async def close(self) -> None: ...


class _Placed:
    """A vendor's own stream on its way into litellm, its words put where litellm looks for them.

    It takes text from `content` only, and only as a string: refusals and text in parts are lost.
    While chunks come faster than it reads them, it lets nobody else run, and passes over empty
    ones for ever.
    """

    def __init__(self, source: _Source) -> None:
        self._source = source
        self._chunks = aiter(source)
        self._taken = 0

    def __aiter__(self) -> _Placed:
        return self

    async def __anext__(self) -> object:
        self._taken += 1
        if self._taken > MOST_CHUNKS:
            raise StopAsyncIteration
        if self._taken % _AT_A_STRETCH == 0:
            await asyncio.sleep(0)
        chunk = await anext(self._chunks)
        for choice in getattr(chunk, "choices", None) or ():
            delta = getattr(choice, "delta", None)
            refusal = getattr(delta, "refusal", None)
            content = cast("Json", getattr(delta, "content", None))
            if refusal or isinstance(content, list):
                placed = cast("_Delta", delta)
                placed.content, placed.refusal = plain_text(content) + plain_text(refusal), None
        return chunk

    async def close(self) -> None:
        await self._source.close()


def with_all_words(chunks: Streaming) -> Streaming:
    """Let litellm read a refusal and text in parts, where the vendor's stream has them."""
    source = chunks.completion_stream
    if hasattr(source, "__aiter__") and hasattr(source, "close"):
        chunks.completion_stream = _Placed(cast("_Source", source))
    return chunks


async def next_chunk(chunks: Streaming) -> dict[str, Json] | None:
    """Return the next chunk, None at the end; tokens that only litellm counted are left out."""
    chunk = await anext(aiter(chunks), None)
    if chunk is None:
        return None
    said = chunk.model_dump(warnings=False)
    if said.get("usage") and not any(getattr(each, "usage", None) for each in chunks.chunks):
        said["usage"] = None
    return said


def says_why_it_ends(chunks: Streaming) -> bool:
    """Whether the vendor did; litellm ends a stream that held nothing with a reason of its own."""
    return chunks.received_finish_reason is not None
