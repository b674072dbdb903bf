"""A ChatRequest as the chat-completions protocol writes it.

The same request always makes the same bytes, and a longer conversation begins with the bytes of
the shorter one, because a server charges less for a beginning that it has seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import cast
from urllib.parse import urlsplit, urlunsplit

import orjson

from adapters.models.settings import OpenAIProtocolSettings
from core.domain.chat import (
    AssistantMessage,
    ChatMessage,
    ChatRequest,
    Json,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSchema,
    UserMessage,
)

Refused = frozenset[str]
_MOST_WRITTEN = 1_000
_WRITTEN: dict[int, tuple[ToolSchema, orjson.Fragment]] = {}


def endpoint(base_url: str) -> str:
    """Return the whole address: what Ollama and others print as theirs lacks /v1."""
    parts = urlsplit(base_url)
    path = parts.path.rstrip("/")
    if not path.endswith("/chat/completions"):
        path = f"{path or '/v1'}/chat/completions"
    return urlunsplit(parts._replace(path=path, fragment=""))


def headers(settings: OpenAIProtocolSettings) -> dict[str, str]:
    """Return the headers of every request; Azure has a header of its own for the key."""
    sent = {
        "Content-Type": "application/json",
        # A compressed stream is held back until a block is full.
        "Accept-Encoding": "identity",
    }
    if settings.key:
        sent |= (
            {"api-key": settings.key}
            if host(settings.base_url).endswith(".azure.com")
            else {"Authorization": f"Bearer {settings.key}"}
        )
    return sent | {name: value.get_secret_value() for name, value in settings.headers.items()}


@lru_cache(maxsize=64)
def host(url: str) -> str:
    return urlsplit(url).hostname or url


def body(
    request: ChatRequest, settings: OpenAIProtocolSettings, *, refused: Refused, streamed: bool
) -> bytes:
    """Write the request without the fields that are in `refused`."""
    written: dict[str, object] = {"model": settings.model}
    if request.tools:
        written["tools"] = [_fragment(schema) for schema in request.tools]
    written["messages"] = messages(request.messages)
    if request.tools and request.tool_choice == "none":
        written["tool_choice"] = "none"
    if streamed:
        written["stream"] = True
    written |= optional_fields(request, settings, refused=refused, streamed=streamed)
    return as_bytes({**written, **settings.extra_body})


def optional_fields(
    request: ChatRequest, settings: OpenAIProtocolSettings, *, refused: Refused, streamed: bool
) -> dict[str, Json]:
    """Return the fields that a server may refuse and still answer without."""
    fields: dict[str, Json] = {"temperature": request.temperature}
    if request.json_only:
        fields["response_format"] = {"type": "json_object"}
    if streamed:
        fields["stream_options"] = {"include_usage": True}
    limit = next((name for name in _limits(settings) if name not in refused), None)
    if limit:
        fields[limit] = request.max_output_tokens
    return {name: value for name, value in fields.items() if name not in refused}


def _limits(settings: OpenAIProtocolSettings) -> tuple[str, str]:
    """Return the two names of the length limit, first the one that the server is likelier to take.

    OpenAI's newer models refuse the old name, and other servers pass over the new one in silence.
    """
    old, new = "max_tokens", "max_completion_tokens"
    return (new, old) if host(settings.base_url).endswith(".openai.com") else (old, new)


def tools(schemas: Iterable[ToolSchema]) -> list[Json]:
    return [_tool(schema) for schema in schemas]


def _fragment(schema: ToolSchema) -> orjson.Fragment:
    """Write a schema once: it is made at start, and goes along with every request."""
    known = _WRITTEN.get(id(schema))
    if known is None:
        if len(_WRITTEN) >= _MOST_WRITTEN:
            _WRITTEN.clear()
        # The schema is kept beside its text, so that no other one gets its id meanwhile.
        known = _WRITTEN[id(schema)] = (schema, orjson.Fragment(as_bytes(_tool(schema))))
    return known[1]


def _tool(schema: ToolSchema) -> dict[str, Json]:
    return {
        "type": "function",
        "function": {
            "name": schema.name,
            "description": schema.description,
            "parameters": cast("dict[str, Json]", schema.parameters),
        },
    }


def messages(said: Sequence[ChatMessage]) -> list[Json]:
    """Translate in order, with one system message at most, at the start.

    Many chat templates refuse a system message anywhere else, so a later one is a user's.
    """
    leading = [m.text for m in takewhile(lambda m: isinstance(m, SystemMessage), said)]
    first: list[Json] = [{"role": "system", "content": "\n\n".join(leading)}] if leading else []
    return first + [_message(message) for message in said[len(leading) :]]


def _message(message: ChatMessage) -> dict[str, Json]:
    match message:
        case SystemMessage() | UserMessage():
            return {"role": "user", "content": message.text}
        case ToolMessage():
            return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}
        case AssistantMessage(tool_calls=()):
            return {"role": "assistant", "content": message.text}
        case AssistantMessage():
            return {
                "role": "assistant",
                "content": message.text or None,
                "tool_calls": [_call(call) for call in message.tool_calls],
            }


def _call(call: ToolCall) -> dict[str, Json]:
    function: Json = {"name": call.name, "arguments": readable(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def readable(arguments: str) -> str:
    """Return the arguments, or an empty object for text that is none.

    Servers parse what is sent back to them and refuse the whole conversation over a broken call;
    what was wrong with it stands in the tool's answer.
    """
    try:
        parsed = orjson.loads(arguments)
    except ValueError:
        return "{}"
    return arguments if isinstance(parsed, dict) else "{}"


def as_bytes(written: Mapping[str, object]) -> bytes:
    """Write JSON; half a surrogate pair, which no encoding has, becomes a question mark."""
    try:
        json = orjson.dumps(written, default=_plain)
    except TypeError:
        json = orjson.dumps(_encodable(written), default=_plain)
    # Its buffer is up to four times as large, and a request is held until the model answers.
    return bytes(memoryview(json))


def _plain(value: object) -> object:
    """Write what JSON has no form for: any mapping as an object, the rest as text."""
    return dict(cast("Mapping[str, object]", value)) if isinstance(value, Mapping) else str(value)


def _encodable(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode("utf-8")
        case Mapping():
            given = cast("Mapping[str, object]", value)
            return {str(_encodable(name)): _encodable(inner) for name, inner in given.items()}
        case list() | tuple():
            return [_encodable(inner) for inner in cast("Sequence[object]", value)]
        case _:
            return value
