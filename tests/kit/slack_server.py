"""A strict Slack on this machine: Web API, Socket Mode and signed requests over real sockets."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import random
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlencode
from uuid import uuid4

import aiohttp
from aiohttp import web

from adapters.slack import limits
from tests.kit.slack_installs import Installing
from tests.kit.slack_things import Failure, File, Message, Refused
from tests.kit.slack_world import SIGNING_SECRET, TEAM, SlackWorld

Json = dict[str, Any]

_RETRIES = 4  # the first time, and three more


@dataclass(slots=True)
class SlackServer:
    """`http_address` is where events go as signed requests; without one they go to the socket."""

    world: SlackWorld
    http_address: str = ""
    install: Installing = field(default_factory=Installing)
    acknowledged: list[str] = field(default_factory=list[str])
    sockets: list[web.WebSocketResponse] = field(default_factory=list[web.WebSocketResponse])
    opened: int = 0
    late: list[str] = field(default_factory=list[str])  # kinds that were never acknowledged
    answer: Json = field(default_factory=Json)  # what the last acknowledgement said
    _events: int = 0

    @property
    def api(self) -> str:
        return f"{self.world.base}/api/"

    @property
    def worlds(self) -> list[SlackWorld]:
        return [self.world, *self.install.worlds.values()]

    def world_of(self, token: str, channel: str = "") -> SlackWorld:
        """Return the workspace that a token is for; one that is nobody's goes to the first."""
        theirs = [each for each in self.worlds if token in each.tokens]
        there = [each for each in theirs if channel in each.members]
        return next(iter([*there, *theirs]), self.world)

    def says(self, user: str, text: str, **more: Any) -> Json:
        """Put a person's message into a workspace and return its event."""
        world: SlackWorld = more.pop("world", self.world)
        channel = more.pop("channel", "C1")
        thread = more.pop("thread_ts", "")
        ts = world.next_ts()
        world.messages.append(Message(channel, ts, thread, user, text))
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
        world: SlackWorld = more.get("world", self.world)
        event = self.says(user, f"<@{world.bot_user}> {text}", **more)
        pair = [event, {**event, "type": "app_mention"}]
        random.shuffle(pair)
        for each in pair:
            await self.event(each, world=world)
        return event

    async def event(
        self, event: Json, *, event_id: str = "", retry: int = 0, world: SlackWorld | None = None
    ) -> int:
        """Deliver an event and return the status of its acknowledgement."""
        self._events += 1
        where = world or self.world
        payload = {
            "type": "event_callback",
            "team_id": where.team,
            "enterprise_id": where.enterprise or None,
            "api_app_id": "A1",
            "event_id": event_id or f"Ev{self._events}",
            "event": event,
            "authorizations": [
                {
                    "team_id": where.team,
                    "enterprise_id": where.enterprise or None,
                    "user_id": where.bot_user,
                    "is_bot": True,
                    "is_enterprise_install": bool(where.enterprise),
                }
            ],
        }
        return await self.deliver("events_api", payload, retry=retry)

    async def press(
        self,
        user: str,
        button: Mapping[str, Any],
        message: Message,
        *,
        expired: bool = False,
        world: SlackWorld | None = None,
    ) -> int:
        where = world or self.world
        payload = {
            "type": "block_actions",
            "user": {"id": user, "team_id": where.team},
            "team": {"id": where.team},
            "api_app_id": "A1",
            "channel": {"id": message.channel},
            "container": {
                "type": "message",
                "message_ts": message.ts,
                "channel_id": message.channel,
                "thread_ts": message.thread_ts,
            },
            "message": {"ts": message.ts, "thread_ts": message.thread_ts},
            "trigger_id": where.trigger(expired=expired),
            "response_url": where.response_url(user, message.channel, message),
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

    async def cut(self) -> None:
        """Break every connection off, with no word before."""
        for socket in self.open_sockets:
            await socket.close()

    @property
    def open_sockets(self) -> list[web.WebSocketResponse]:
        return [each for each in self.sockets if not each.closed]

    async def _pushed(self, kind: str, payload: Json, retry: int) -> int:
        """Push a payload; an event that is not acknowledged in time comes again, as Slack's do."""
        tries = _RETRIES if kind == "events_api" else 1
        for attempt in range(retry, retry + tries):
            await self.world.until(lambda _: bool(self.open_sockets))
            envelope = f"envelope-{uuid4()}"
            frame = {
                "envelope_id": envelope,
                "type": kind,
                "payload": payload,
                "accepts_response_payload": kind != "events_api",
                "retry_attempt": attempt,
                "retry_reason": "timeout" if attempt else "",
            }
            with suppress(ConnectionError, TimeoutError):
                await self.open_sockets[-1].send_json(frame)
                async with asyncio.timeout(limits.ACK_SECONDS):
                    await self.world.until(lambda _, id=envelope: id in self.acknowledged)
                return 200
        self.late.append(kind)
        return 0

    async def _posted(self, kind: str, payload: Json, retry: int) -> int:
        """Send a payload; an event that is not acknowledged in time comes again, as Slack's do."""
        body, content_type = _encoded(kind, payload)
        tries = _RETRIES if kind == "events_api" else 1
        for attempt in range(retry, retry + tries):
            headers = {"Content-Type": content_type, **signed(body)}
            if attempt:
                headers["X-Slack-Retry-Num"] = str(attempt)
                headers["X-Slack-Retry-Reason"] = "http_timeout"
            with suppress(TimeoutError):
                return await self.request(body, headers, seconds=limits.ACK_SECONDS)
        self.late.append(kind)
        return 0

    async def request(
        self, body: str, headers: Mapping[str, str], *, seconds: float | None = None
    ) -> int:
        """Send a request as it is, and return its status."""
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=seconds)) as session,
            session.post(self.http_address, data=body.encode(), headers=headers) as response,
        ):
            said = await response.text()
            self.answer = json.loads(said) if said.startswith("{") else {}
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
    app.router.add_post("/respond/{team}/{id}", doors.respond)
    app.router.add_get("/socket", doors.socket)
    app.router.add_get("/oauth/v2/authorize", doors.authorize)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.world.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    server.install.base = server.world.base
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
        method = request.match_info["method"]
        arguments = await _arguments(request)
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if method == "oauth.v2.access":
            response = await self._exchanged(request, arguments)
            await self.server.world.tell()
            return response
        world = self.server.world_of(token, str(arguments.get("channel", "")))
        waiting = world.failures[method]
        failure = waiting.popleft() if waiting else Failure()
        if failure.after:
            world.serve(method, arguments, token)
        response = await self._failed(request, method, arguments, failure)
        if response is None:
            response = self._served(world, method, arguments, token)
        await world.tell()
        if world is not self.server.world:
            await self.server.world.tell()
        return response

    async def authorize(self, request: web.Request) -> web.StreamResponse:
        raise web.HTTPFound(self.server.install.consented(request.query))

    async def _exchanged(self, request: web.Request, arguments: Json) -> web.Response:
        """Trade a code or a refresh token; the app proves itself by its secret."""
        failures = self.server.world.failures["oauth.v2.access"]
        failure = failures.popleft() if failures else Failure()
        if failure.seconds:
            await asyncio.sleep(failure.seconds)
        if failure.drops:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        self.server.world.calls.append(("oauth.v2.access", arguments))
        if failure.error:
            return web.json_response({"ok": False, "error": failure.error})
        try:
            header = request.headers.get("Authorization", "")
            return web.json_response(self.server.install.exchanged(header, arguments))
        except Refused as refused:
            return web.json_response(refused.body)

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

    def _served(self, world: SlackWorld, method: str, arguments: Json, token: str) -> web.Response:
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
        file = self._file(request)
        file.content = await request.read()
        return web.Response(text=f"OK - {len(file.content)}")

    async def respond(self, request: web.Request) -> web.StreamResponse:
        team = request.match_info["team"]
        world = next(each for each in self.server.worlds if each.team == team)
        try:
            world.respond(request.match_info["id"], await request.json())
        except Refused as refused:
            return web.Response(status=refused.status, text=refused.body["error"])
        await world.tell()
        await self.server.world.tell()
        return web.Response(text="ok")

    async def private(self, request: web.Request) -> web.StreamResponse:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        world = self.server.world_of(token)
        if token not in world.tokens or request.match_info["file"] not in world.files:
            return web.Response(text="<html>sign in</html>", content_type="text/html")
        return web.Response(body=self._file(request).content)

    def _file(self, request: web.Request) -> File:
        id = request.match_info["file"]
        return next(each.files[id] for each in self.server.worlds if id in each.files)

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
                self.server.answer = reply.get("payload") or {}
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
    if kind == "slash_commands":
        return urlencode(payload), "application/x-www-form-urlencoded"
    return urlencode({"payload": json.dumps(payload)}), "application/x-www-form-urlencoded"
