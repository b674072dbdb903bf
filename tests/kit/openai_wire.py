"""What a chat-completions server sends, as values and as bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import orjson

from core.domain.chat import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How an answer travels; delays in seconds, `..._after` in pieces.

    `hangs_after=0` with `sends_head=False` keeps even the head of the response back.
    """

    first_byte: float = 0.0
    between: float = 0.0
    cut_after: int | None = None
    hangs_after: int | None = None
    sends_head: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call; its arguments come in these pieces."""

    name: str
    arguments: tuple[str, ...]
    id: str = "call_1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Pace):
    """An answer in the protocol's own form, streamed or not as the client asks."""

    text: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    usage: tuple[int, int] | None = (10, 5)
    cached: int = 0
    finish: str | None = None
    model: str = "fake-1"
    done: bool = True
    ignores_stream: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw(Pace):
    """Bytes exactly as they are to be sent, one write each."""

    pieces: tuple[bytes, ...]
    content_type: str = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer with a status of its own; a body that is not bytes is sent as JSON."""

    status: int
    body: Json | bytes = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    content_type: str = "application/json"


def busy(retry_after: str | None = None) -> Failure:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Failure(429, {"error": {"message": "slow down", "code": "rate_limit"}}, headers)


def event(data: Json) -> bytes:
    return b"data: " + orjson.dumps(data) + b"\n\n"


@lru_cache(maxsize=256)
def as_events(reply: Reply) -> tuple[bytes, ...]:
    """Write a reply as server-sent events, one piece each."""
    pieces = [event(_chunk(reply, delta)) for delta in _deltas(reply)]
    pieces.append(event(_chunk(reply, {}, finish=_finish(reply))))
    if reply.usage is not None:
        pieces.append(
            event(
                {**_head(reply), "choices": [], "usage": _usage(*reply.usage, cached=reply.cached)}
            )
        )
    if reply.done:
        pieces.append(b"data: [DONE]\n\n")
    return tuple(pieces)


@lru_cache(maxsize=256)
def as_completion(reply: Reply) -> tuple[bytes, ...]:
    """Write a reply as one JSON object, in two pieces so that it can be cut."""
    message: dict[str, Json] = {"role": "assistant", "content": "".join(reply.text) or None}
    if reply.calls:
        message["tool_calls"] = [_call(call, "".join(call.arguments)) for call in reply.calls]
    body: dict[str, Json] = {
        **_head(reply, kind="chat.completion"),
        "choices": [{"index": 0, "message": message, "finish_reason": _finish(reply)}],
    }
    if reply.usage is not None:
        body["usage"] = _usage(*reply.usage, cached=reply.cached)
    whole = orjson.dumps(body)
    return whole[:40], whole[40:]


def _deltas(reply: Reply) -> Iterator[dict[str, Json]]:
    yield {"role": "assistant", "content": ""}
    for text in reply.text:
        yield {"content": text}
    for index, call in enumerate(reply.calls):
        first, *others = call.arguments
        yield {"tool_calls": [{"index": index, **_call(call, first)}]}
        for arguments in others:
            yield {"tool_calls": [{"index": index, "function": {"arguments": arguments}}]}


def _chunk(reply: Reply, delta: dict[str, Json], finish: str | None = None) -> Json:
    choice: dict[str, Json] = {"index": 0, "delta": delta, "finish_reason": finish}
    return {**_head(reply), "choices": [choice]}


def _head(reply: Reply, kind: str = "chat.completion.chunk") -> dict[str, Json]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_767_225_600, "model": reply.model}


def _call(call: Call, arguments: str) -> dict[str, Json]:
    function: Json = {"name": call.name, "arguments": arguments}
    return {"id": call.id, "type": "function", "function": function}


def _finish(reply: Reply) -> str:
    return reply.finish or ("tool_calls" if reply.calls else "stop")


def _usage(prompt: int, completion: int, *, cached: int) -> Json:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
