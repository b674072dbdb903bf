"""The page and its small API: ask, follow, decide, stop, fetch a file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from aiohttp import ClientConnectionResetError, web

from adapters.web import sse
from adapters.web.assets import Asset, load_assets
from adapters.web.doors import TurnDeclined, WebDoors
from adapters.web.file_response import file_response
from adapters.web.guard import ENTRY_COOKIE, HEADERS, Guard, cookie_of, said
from adapters.web.inbound import READER_COOKIE, BadRequest, asked, decided, last_seen
from core.domain.ids import FileId, RunId, fresh_id

_A_YEAR = 365 * 86_400


def routes(
    doors: WebDoors, *, token: str | None = None, heartbeat: float = 15.0
) -> list[web.RouteDef]:
    """Return the page's routes; each of them guards itself, so they may stand beside others.

    With a `token` only those who know it get in; without one only this machine does. `heartbeat`
    is how many seconds a stream may be silent.
    """
    page = _Page(doors=doors, guard=Guard(token), heartbeat=heartbeat)
    opened, closed = page.guard.opened, page.guard.closed
    assets = [
        web.get(f"/page/{name}", opened(asset.serve))
        for name, asset in page.assets.items()
        if not name.endswith(".html")
    ]
    return [
        web.get("/", opened(page.index)),
        *assets,
        web.get("/healthz", healthz),
        web.get("/api/state", closed(page.state)),
        web.post("/api/turns", closed(page.start)),
        web.get("/api/runs/{run}/events", closed(page.events)),
        web.post("/api/runs/{run}/stop", closed(page.stop)),
        web.post("/api/decisions", closed(page.decide)),
        web.get("/api/files/{file}", closed(page.file)),
        web.route("*", "/api/{rest:.*}", closed(nothing_there)),
    ]


async def healthz(_request: web.Request) -> web.StreamResponse:
    """Say that the process serves; whoever starts and stops it asks by its address."""
    return web.json_response({"status": "ok"})


async def nothing_there(request: web.Request) -> web.StreamResponse:
    return said(404, f"There is no {request.method} {request.path} here.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    doors: WebDoors
    guard: Guard
    heartbeat: float
    assets: dict[str, Asset] = field(default_factory=load_assets)

    async def index(self, request: web.Request) -> web.StreamResponse:
        if self.guard.is_token(request.query.get("token", "")):
            return _entered(request)
        if not self.guard.knows(request):
            response = await self.assets["token.html"].serve(request)
            response.set_status(401)
            return response
        response = await self.assets["index.html"].serve(request)
        if READER_COOKIE not in request.cookies:
            _set_cookie(request, response, READER_COOKIE, fresh_id())
        return response

    async def state(self, _request: web.Request) -> web.StreamResponse:
        state = await self.doors.state()
        return web.json_response(
            text=state.model_dump_json(), headers={"Cache-Control": "no-store"}
        )

    async def start(self, request: web.Request) -> web.StreamResponse:
        message = await asked(request, self.doors.clock)
        try:
            turn = await self.doors.start(message)
        except TurnDeclined as error:
            if error.retry_after is None:
                raise BadRequest(str(error)) from error
            raise
        return await self._stream(request, turn.run, after=0)

    async def decide(self, request: web.Request) -> web.StreamResponse:
        turn = await self.doors.decide(await decided(request))
        return await self._stream(request, turn.run, after=0)

    async def events(self, request: web.Request) -> web.StreamResponse:
        return await self._stream(
            request, RunId(request.match_info["run"]), after=last_seen(request)
        )

    async def stop(self, request: web.Request) -> web.StreamResponse:
        stopped = await self.doors.stop(RunId(request.match_info["run"]))
        return web.json_response({"stopped": stopped})

    async def file(self, request: web.Request) -> web.StreamResponse:
        identity = FileId(request.match_info["file"])
        ref = await self.doors.files.find(identity)
        return file_response(ref, await self.doors.files.read(identity))

    async def _stream(self, request: web.Request, run: RunId, *, after: int) -> web.StreamResponse:
        """Send a run's events as they come; the run goes on when the reader hangs up.

        Raises:
            NotPossible: there is no such run; nothing was sent.
        """
        events = self.doors.runs.follow(run, after=after)
        response = web.StreamResponse(headers={**HEADERS, **sse.HEADERS, "X-Run-Id": run})
        async with aclosing(sse.frames(events, pause=self.heartbeat)) as frames:
            with suppress(ClientConnectionResetError):
                await _send(request, response, frames)
        return response


async def _send(
    request: web.Request, response: web.StreamResponse, frames: AsyncIterator[bytes]
) -> None:
    # Nothing is sent before the first frame, so that an unknown run can still be a 404.
    first = await anext(frames, b"")
    if not first:
        # A browser's EventSource asks again for ever unless it is told that nothing follows.
        response.set_status(204)
    await response.prepare(request)
    await response.write(first)
    async for each in frames:
        await response.write(each)
    await response.write_eof()


def _entered(request: web.Request) -> web.Response:
    """Give the browser its proof of the token and take the token out of the address."""
    token = request.query["token"]
    response = web.Response(status=303, headers={"Location": "/"})
    _set_cookie(request, response, ENTRY_COOKIE, cookie_of(token))
    return response


def _set_cookie(request: web.Request, response: web.StreamResponse, name: str, value: str) -> None:
    # "Lax" and not "Strict": a link in a chat must open the page for those who may see it.
    response.set_cookie(
        name,
        value,
        max_age=_A_YEAR,
        httponly=True,
        samesite="Lax",
        secure="https" in {request.scheme, request.headers.get("X-Forwarded-Proto")},
    )
