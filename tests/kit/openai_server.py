"""A chat-completions server over real HTTP that says what it is told to.

In a test it is an async context manager on a free loopback port. For measurements it is a process
of its own, see `main`.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, cast

import orjson
from aiohttp import web

from core.domain.chat import Json, JsonObject
from tests.kit.openai_wire import Call, Failure, Pace, Raw, Reply, as_completion, as_events

Answer = Reply | Failure | Raw


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came."""

    path: str
    query: str
    headers: Mapping[str, str]
    raw: bytes
    body: JsonObject


Responding = Callable[[Asked], Answer]


@dataclass(slots=True)
class OpenAIServer:
    """Plays its queue, then `respond`; a request that neither answers gets a 500.

    `let_go` counts the clients that left before their answer was whole.
    """

    respond: Responding | None = None
    requests: list[Asked] = field(default_factory=list[Asked])
    connections: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    let_go: int = 0
    remembers: bool = True
    _queue: deque[Answer | Responding] = field(default_factory=deque[Answer | Responding])
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _runner: web.AppRunner | None = None
    _port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    def queue(self, *answers: Answer | Responding) -> None:
        self._queue.extend(answers)

    async def until(self, holds: Callable[[OpenAIServer], bool]) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: holds(self))

    async def start(self, port: int = 0) -> None:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/{path:.*}", self._serve)
        self._runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self._port = cast("tuple[str, int]", self._runner.addresses[0])[1]

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        asked = Asked(
            path=request.path,
            query=request.query_string,
            headers=request.headers,
            raw=raw,
            body=cast("JsonObject", orjson.loads(raw)),
        )
        if self.remembers:
            await self._remember(asked, request)
        try:
            return await _send(self._answer(asked), request, asked)
        except (asyncio.CancelledError, ConnectionError):
            await asyncio.shield(self._count_as_gone())
            raise

    async def _remember(self, asked: Asked, request: web.Request) -> None:
        if request.transport is not None:
            self.connections.add(
                cast("tuple[str, int]", request.transport.get_extra_info("peername"))
            )
        async with self._changed:
            self.requests.append(asked)
            self._changed.notify_all()

    async def _count_as_gone(self) -> None:
        async with self._changed:
            self.let_go += 1
            self._changed.notify_all()

    def _answer(self, asked: Asked) -> Answer:
        if self._queue:
            queued = self._queue.popleft()
            return queued(asked) if callable(queued) else queued
        if self.respond is not None:
            return self.respond(asked)
        return Failure(500, {"error": {"message": "the script is over"}})


async def _send(answer: Answer, request: web.Request, asked: Asked) -> web.StreamResponse:
    match answer:
        case Failure():
            return web.Response(
                status=answer.status,
                headers=dict(answer.headers),
                body=answer.body if isinstance(answer.body, bytes) else orjson.dumps(answer.body),
                content_type=answer.content_type,
            )
        case Raw():
            return await _send_pieces(
                answer, answer.pieces, request, content_type=answer.content_type
            )
        case Reply():
            if asked.body.get("stream") and not answer.ignores_stream:
                return await _send_pieces(answer, as_events(answer), request)
            return await _send_pieces(
                answer, as_completion(answer), request, content_type="application/json"
            )


async def _send_pieces(
    answer: Raw | Reply,
    pieces: tuple[bytes, ...],
    request: web.Request,
    *,
    content_type: str = "text/event-stream",
) -> web.StreamResponse:
    if answer.first_byte:
        await asyncio.sleep(answer.first_byte)
    if not answer.sends_head:
        await _forever()
    response = web.StreamResponse(headers={"Content-Type": content_type})
    await response.prepare(request)
    for number, piece in enumerate(pieces):
        await _keep_pace(answer, number)
        if number == answer.cut_after:
            break
        await response.write(piece)
    await _keep_pace(answer, len(pieces))
    if answer.cut_after is not None and request.transport is not None:
        request.transport.abort()
    await response.write_eof()
    return response


async def _keep_pace(pace: Pace, number: int) -> None:
    if number == pace.hangs_after:
        await _forever()
    if number and pace.between:
        await asyncio.sleep(pace.between)


async def _forever() -> None:
    await asyncio.Event().wait()


def play(script: Sequence[Reply]) -> Responding:
    """Answer by how often the model has spoken since the last question; any number at once."""

    def respond(asked: Asked) -> Answer:
        spoken = 0
        for message in reversed(cast("list[JsonObject]", asked.body["messages"])):
            if message["role"] == "user":
                break
            spoken += message["role"] == "assistant"
        return script[min(spoken, len(script) - 1)]

    return respond


def read_script(steps: object, pace: Pace) -> list[Reply]:
    """Read `[{"calls": [{"name": ..., "arguments": {...}}]}, {"text": ...}]`; a word is a chunk."""
    return [
        Reply(
            text=tuple(re.findall(r"\s*\S+", step.get("text", ""))),
            calls=tuple(
                Call(
                    id=f"call_{number}_{place}",
                    name=call["name"],
                    arguments=(orjson.dumps(call["arguments"]).decode(),),
                )
                for place, call in enumerate(step.get("calls", []))
            ),
            first_byte=pace.first_byte,
            between=pace.between,
        )
        for number, step in enumerate(cast("list[Any]", steps))
    ]


A_TURN: list[Json] = [
    {
        "calls": [
            {"name": "list_tables", "arguments": {}},
            {"name": "get_schema", "arguments": {"tables": ["orders"]}},
        ]
    },
    {"calls": [{"name": "run_query", "arguments": {"sql": "SELECT count(*) FROM orders"}}]},
    {"text": " ".join(["word"] * 60)},
]


def main() -> None:
    """Serve until the process is ended; the first line printed is the address.

    `python -m tests.kit.openai_server --port 0 --first-byte 0.2 --script turn.json`
    """
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--first-byte", type=float, default=0.0, help="seconds")
    parser.add_argument("--between", type=float, default=0.0, help="seconds between two chunks")
    parser.add_argument("--script", type=Path, help="JSON, see read_script; default: three steps")
    given = parser.parse_args()
    steps = orjson.loads(given.script.read_bytes()) if given.script else A_TURN
    script = read_script(steps, Pace(first_byte=given.first_byte, between=given.between))
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve_alone(given.port, play(script)))


async def _serve_alone(port: int, respond: Responding) -> None:
    server = OpenAIServer(respond=respond, remembers=False)
    await server.start(port)
    sys.stdout.write(f"{server.url}\n")
    sys.stdout.flush()
    await _forever()


if __name__ == "__main__":
    main()
