"""Odd things that a chat-completions server may send, made piece by piece."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import orjson

from core.domain.chat import Json, JsonObject, ToolCall
from tests.kit.openai_wire import Failure, Raw, event


def in_bits(sent: bytes, size: int) -> Raw:
    """Cut bytes, and wait a moment after each bit so that it comes alone."""
    bits = tuple(sent[at : at + size] for at in range(0, len(sent), size))
    return Raw(pieces=bits, between=1e-6)


def chunk(delta: Json, *, finish: str | None = None, usage: tuple[int, int] | None = None) -> Json:
    said: dict[str, Json] = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_767_225_600,
        "model": "fake-1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    if usage is not None:
        prompt, completion = usage
        said["usage"] = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }
    return said


def stream_of(*deltas: Json, finish: str = "stop") -> Raw:
    events = [event(chunk(delta)) for delta in deltas]
    return Raw(pieces=(*events, event(chunk({}, finish=finish)), b"data: [DONE]\n\n"))


def whole(message: JsonObject) -> Json:
    said: Json = {"role": "assistant", **message}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_767_225_600,
        "model": "fake-1",
        "choices": [{"index": 0, "message": said, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def in_one_piece(said: Json) -> Raw:
    return Raw(pieces=(as_bytes(said),), content_type="application/json")


def as_bytes(said: Json) -> bytes:
    return orjson.dumps(said)


def call_delta(index: int, call: ToolCall, arguments: str) -> Json:
    function: Json = {"name": call.name, "arguments": arguments}
    return {
        "tool_calls": [{"index": index, "id": call.id, "type": "function", "function": function}]
    }


def mixed(first: str, second: str) -> list[Json]:
    """Give the arguments of two calls in turns, a letter each."""
    longest = max(len(first), len(second))
    turns = zip(first.ljust(longest, "\0"), second.ljust(longest, "\0"), strict=True)
    return [
        {"tool_calls": [{"index": index, "function": {"arguments": letter}}]}
        for pair in turns
        for index, letter in enumerate(pair)
        if letter != "\0"
    ]


def busy_for(seconds: int, *, as_date: bool) -> Failure:
    """Return a 429 that says when to come back: in seconds, or as a date beside the server's."""
    now = datetime.now(UTC).replace(microsecond=0)
    until = format_datetime(now + timedelta(seconds=seconds), usegmt=True)
    headers = {"Retry-After": until, "Date": format_datetime(now, usegmt=True)}
    if not as_date:
        headers = {"Retry-After": f"{seconds}"}
    return Failure(429, {"error": {"message": "slow down", "code": "rate_limit"}}, headers)
