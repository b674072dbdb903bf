"""A strict Slack on this machine: Web API, Socket Mode and signed requests over real sockets."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import random
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlencode
from uuid import uuid4

import aiohttp
from aiohttp import web

from tests.kit.slack_world import (
    BOT_TOKEN,
    BOT_USER,
    SIGNING_SECRET,
    TEAM,
    Failure,
    Message,
    Refused,
    SlackWorld,
)

Json = dict[str, Any]


@dataclass(slots=True)
class SlackServer:
    """`http_address` is where events go as signed requests; without one they go to the socket."""

    world: SlackWorld
    http_address: str = ""
    acknowledged: list[str] = field(default_factory=list[str])
    sockets: list[web.WebSocketResponse] = field(default_factory=list[web.WebSocketResponse])
    opened: int = 0
    _events: int = 0

    @property
    def api(self) -> str:
        return f"{self.world.base}/api/"

    def says(self, user: str, text: str, **more: Any) -> Json:
        """Put a person's message into the workspace and return its event."""
        channel = more.pop("channel", "C1")
        thread = more.pop("thread_ts", "")
        ts = self.world.next_ts()
        self.world.messages.append(Message(channel, ts, thread, user, text))
        return {
            "type": "message",
            "channel": channel,
            "channel_type": "im" if channel.startswith("D") else "channel",
            "user": user,
            "text": text,
            "ts": ts,
            **({"thread_ts": thread} if thread else {}),
            **more,
        }

    async def asks(self, user: str, text: str, **more: Any) -> Json:
        """Let a person mention the bot: both events of it come, in any order."""
        event = self.says(user, f"<@{BOT_USER}> {text}", **more)
        pair = [event, {**event, "type": "app_mention"}]
        random.shuffle(pair)
        for each in pair:
            await self.event(each)
        return event

    async def event(self, event: Json, *, event_id: str = "", retry: int = 0) -> int:
        """Deliver an event and return the status of its acknowledgement."""
        self._events += 1
        payload = {
            "type": "event_callback",
            "team_id": TEAM,
            "api_app_id": "A1",
            "event_id": event_id or f"Ev{self._events}",
            "event": event,
            "authorizations": [{"team_id": TEAM, "user_id": BOT_USER, "is_bot": True}],
        }
        return await self.deliver("events_api", payload, retry=retry)

    async def press(
        self, user: str, button: Mapping[str, Any], message: Message, *, expired: bool = False
    ) -> int:
        payload = {
            "type": "block_actions",
            "user": {"id": user, "team_id": TEAM},
            "team": {"id": TEAM},
            "api_app_id": "A1",
            "channel": {"id": message.channel},
            "container": {
                "type": "message",
                "message_ts": message.ts,
                "channel_id": message.channel,
                "thread_ts": message.thread_ts,
            },
            "message": {"ts": message.ts, "thread_ts": message.thread_ts},
            "trigger_id": self.world.trigger(expired=expired),
            "actions": [
                {
                    "action_id": button["action_id"],
                    "value": button.get("value", ""),
                    "type": "button",
                    "action_ts": f"{time.time():.6f}",
                }
            ],
        }
        return await self.deliver("interactive", payload)

    async def submits(self, user: str, view: Json, words: str) -> int:
        state = {"values": {"words": {"text": {"type": "plain_text_input", "value": words}}}}
        payload = {
            "type": "view_submission",
            "team": {"id": TEAM},
            "user": {"id": user},
            "view": {**view, "id": "V1", "state": state},
        }
        return await self.deliver("interactive", payload)

    async def deliver(self, kind: str, payload: Json, *, retry: int = 0) -> int:
        if self.http_address:
            return await self._posted(kind, payload, retry)
        return await self._pushed(kind, payload, retry)

    async def disconnect(self) -> None:
        """Ask for a new connection, as Slack does every few hours."""
        await self.sockets[-1].send_json({"type": "disconnect", "reason": "refresh_requested"})

    async def _pushed(self, kind: str, payload: Json, retry: int) -> int:
        envelope = f"envelope-{uuid4()}"
        frame = {"envelope_id": envelope, "type": kind, "payload": payload, "retry_attempt": retry}
        await self.sockets[-1].send_json(frame)
        await self.world.until(lambda _: envelope in self.acknowledged)
        return 200

    async def _posted(self, kind: str, payload: Json, retry: int) -> int:
        body, content_type = _encoded(kind, payload)
        headers = {"Content-Type": content_type, **signed(body)}
        if retry:
            headers |= {"X-Slack-Retry-Num": str(retry), "X-Slack-Retry-Reason": "http_timeout"}
        return await self.request(body, headers)

    async def request(self, body: str, headers: Mapping[str, str]) -> int:
        """Send a request as it is, and return its status."""
        async with (
            aiohttp.ClientSession() as session,
            session.post(self.http_address, data=body.encode(), headers=headers) as response,
        ):
            return response.status


def signed(body: str, *, secret: str = SIGNING_SECRET, age: float = 0.0) -> dict[str, str]:
    """Return the headers with which Slack proves that a body is from it."""
    timestamp = str(int(time.time() - age))
    base = f"v0:{timestamp}:{body}".encode()
    digest = hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": f"v0={digest}"}


@asynccontextmanager
async def slack_server() -> AsyncGenerator[SlackServer]:
    """Serve on a free port of this machine."""
    server = SlackServer(SlackWorld())
    app = web.Application(client_max_size=64 * 1024 * 1024)
    doors = _Doors(server)
    app.router.add_route("*", "/api/{method}", doors.api)
    app.router.add_post("/upload/{file}", doors.upload)
    app.router.add_get("/private/{file}", doors.private)
    app.router.add_get("/socket", doors.socket)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.world.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        for socket in server.sockets:
            await socket.close()
        await runner.cleanup()


@dataclass(frozen=True, slots=True)
class _Doors:
    server: SlackServer

    async def api(self, request: web.Request) -> web.StreamResponse:
        world, method = self.server.world, request.match_info["method"]
        arguments = await _arguments(request)
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        waiting = world.failures[method]
        failure = waiting.popleft() if waiting else Failure()
        if failure.after:
            world.serve(method, arguments, token)
        response = await self._failed(request, method, arguments, failure)
        if response is None:
            response = self._served(method, arguments, token)
        await world.tell()
        return response

    async def _failed(
        self, request: web.Request, method: str, arguments: Json, failure: Failure
    ) -> web.Response | None:
        if failure.seconds:
            await self.server.world.tell()
            await asyncio.sleep(failure.seconds)
        if failure.drops:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if not failure.error:
            return None
        self.server.world.calls.append((method, arguments))
        limited = failure.retry_after is not None
        headers = {"Retry-After": str(failure.retry_after)} if limited else {}
        body = {"ok": False, "error": failure.error}
        return web.json_response(body, status=429 if limited else 200, headers=headers)

    def _served(self, method: str, arguments: Json, token: str) -> web.Response:
        world = self.server.world
        scopes = {"x-oauth-scopes": ",".join(sorted(world.scopes))}
        try:
            return web.json_response(world.serve(method, arguments, token), headers=scopes)
        except Refused as refused:
            after = refused.body.pop("retry_after", None)
            headers = {"Retry-After": str(after)} if after else {}
            return web.json_response(refused.body, status=refused.status, headers=headers)

    async def upload(self, request: web.Request) -> web.StreamResponse:
        waiting = self.server.world.failures["upload"]
        if waiting and waiting.popleft().error:
            return web.Response(status=500)
        file = self.server.world.files[request.match_info["file"]]
        file.content = await request.read()
        return web.Response(text=f"OK - {len(file.content)}")

    async def private(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Bearer {BOT_TOKEN}":
            return web.Response(text="<html>sign in</html>", content_type="text/html")
        return web.Response(body=self.server.world.files[request.match_info["file"]].content)

    async def socket(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"type": "hello", "num_connections": 1})
        self.server.sockets.append(socket)
        self.server.opened += 1
        await self.server.world.tell()
        async for frame in socket:
            if frame.type is aiohttp.WSMsgType.TEXT:
                reply = cast("Json", json.loads(cast("str", frame.data)))
                self.server.acknowledged.append(reply["envelope_id"])
                await self.server.world.tell()
        return socket


async def _arguments(request: web.Request) -> Json:
    found: Json = dict(request.query)
    if request.content_type == "application/json" and request.can_read_body:
        return {**found, **await request.json()}
    found |= dict(await request.post()) if request.method == "POST" else {}
    for key in ("blocks", "view", "chunks"):
        if isinstance(found.get(key), str):
            found[key] = json.loads(found[key])
    return found


def _encoded(kind: str, payload: Json) -> tuple[str, str]:
    if kind == "events_api":
        return json.dumps(payload), "application/json"
    return urlencode({"payload": json.dumps(payload)}), "application/x-www-form-urlencoded"
