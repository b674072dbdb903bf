"""What the goals compare with: a turn spoken by hand, with nothing of the product in it.

A turn is what the scripted server plays: two tool calls, one tool call, a text of 60 words. The
tools here answer at once with a fixed text of the size that a small result has.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import httpx
import orjson

Message = dict[str, Any]
Ask = Callable[[list[Message]], Awaitable[Message]]

SYSTEM = "You are an analyst. Answer with the tools that you have. " * 40
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "Does what its name says, on the tables of the connection.",
            "parameters": {"type": "object", "properties": {"sql": {"type": "string"}}},
        },
    }
    for name in ("list_tables", "get_schema", "run_query", "sample_rows", "count_rows")
]
RESULT = orjson.dumps({"columns": ["count"], "rows": [[n] for n in range(20)]}).decode()
QUESTION = "How many orders are there?"


async def turn(ask: Ask) -> str:
    """Play one turn to its end and return the text."""
    messages: list[Message] = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": QUESTION},
    ]
    while True:
        message = await ask(messages)
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for call in message["tool_calls"]:
            orjson.loads(call["function"]["arguments"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": RESULT})


def _body(messages: list[Message], *, stream: bool) -> bytes:
    return orjson.dumps({"model": "m", "messages": messages, "tools": TOOLS, "stream": stream})


_HEADERS = {"content-type": "application/json"}


def ask_httpx(client: httpx.AsyncClient, url: str) -> Ask:
    """Ask without streaming: the loop that most people would write first."""

    async def ask(messages: list[Message]) -> Message:
        answer = await client.post(
            f"{url}/chat/completions", content=_body(messages, stream=False), headers=_HEADERS
        )
        return orjson.loads(answer.content)["choices"][0]["message"]

    return ask


def ask_aiohttp_streaming(session: aiohttp.ClientSession, url: str) -> Ask:
    """Ask with streaming, by the least that can be done: the limit."""

    async def ask(messages: list[Message]) -> Message:
        text: list[str] = []
        calls: dict[int, dict[str, Any]] = {}
        async with session.post(
            f"{url}/chat/completions", data=_body(messages, stream=True), headers=_HEADERS
        ) as answer:
            async for line in answer.content:
                if line.startswith(b"data: {"):
                    _take(orjson.loads(line[6:]), text, calls)
        message: Message = {"role": "assistant", "content": "".join(text)}
        return {**message, "tool_calls": list(calls.values())} if calls else message

    return ask


def _take(event: dict[str, Any], text: list[str], calls: dict[int, dict[str, Any]]) -> None:
    for choice in event["choices"]:
        delta = choice["delta"]
        if delta.get("content"):
            text.append(delta["content"])
        for piece in delta.get("tool_calls") or ():
            call = calls.setdefault(
                piece["index"],
                {
                    "id": piece.get("id"),
                    "type": "function",
                    "function": {"name": "", "arguments": ""},
                },
            )
            call["id"] = call["id"] or piece.get("id")
            for part in ("name", "arguments"):
                call["function"][part] += piece.get("function", {}).get(part) or ""
