"""The page at which a password is typed, behind a link that works once.

Whoever has the link may type one password for one attempt to connect, and learns no more than where
it leads. Looking at the page changes nothing, for programs look at links too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template
from urllib.parse import urlsplit

from aiohttp import web

from adapters.web.assets import Asset, load_assets
from adapters.web.guard import HEADERS, OWN_NAMES, SAFE_METHODS, Handler, host_name
from core.domain.errors import StateUnusable

_LONGEST_SECRET = 2_000
_LONGEST_BODY = 16 * 1024
_FORM = "application/x-www-form-urlencoded"
_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
}
_GONE = ("This link is used up", "It works once, and for some minutes only. Ask for a new one.")
_AWAY = ("Not now", "Nothing can be kept at the moment. Please try again in a minute.")
_TAKEN = (
    "Thank you",
    "The database is being tried now. You are told in the chat how it goes; close this page.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretAsked:
    """What a password is for: the connection's name, and where its database is."""

    name: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretDoors:
    """The way from the page into the application.

    - `waiting` says what the secret behind a token is for; None where nothing waits for one.
    - `receive` takes it, once; False where nothing waited for it.
    """

    waiting: Callable[[str], Awaitable[SecretAsked | None]]
    receive: Callable[[str, str], Awaitable[bool]]


def secret_routes(doors: SecretDoors, *, public_url: str) -> list[web.RouteDef]:
    """Return the routes below `/secrets`, for browsers that come by the public address."""
    page = _SecretPage(doors=doors, public_url=public_url, style=load_assets()["style.css"])
    return [
        web.get("/secrets/page/style.css", page.styled),
        web.get("/secrets/{token}", page.guarded(page.shown)),
        web.post("/secrets/{token}", page.guarded(page.taken)),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _SecretPage:
    doors: SecretDoors
    public_url: str
    style: Asset

    async def styled(self, request: web.Request) -> web.StreamResponse:
        return await self.style.serve(request)

    def guarded(self, handler: Handler) -> Handler:
        """Answer what is not for us, or cannot be kept, with a page that says so."""

        async def answered(request: web.Request) -> web.StreamResponse:
            if refusal := self._refusal(request):
                return self._said(403, "Not from here", refusal)
            try:
                return await handler(request)
            except StateUnusable:
                return self._said(503, *_AWAY)

        return answered

    async def shown(self, request: web.Request) -> web.StreamResponse:
        asked = await self.doors.waiting(request.match_info["token"])
        if asked is None:
            return self._said(404, *_GONE)
        return self._page("secret.html", 200, name=asked.name, place=asked.place)

    async def taken(self, request: web.Request) -> web.StreamResponse:
        secret = await _secret(request)
        if secret is None:
            return self._said(
                400, "That is no password", f"It has at most {_LONGEST_SECRET:,} characters."
            )
        if not await self.doors.receive(request.match_info["token"], secret):
            return self._said(404, *_GONE)
        return self._said(200, *_TAKEN)

    def _refusal(self, request: web.Request) -> str:
        """Say why a request is not answered; nothing when it is."""
        public = urlsplit(self.public_url)
        if host_name(request.host) not in OWN_NAMES | {(public.hostname or "").lower()}:
            return f"This page is served as {self.public_url} only."
        # The page tells nobody where it is, so that its own form comes with Origin: null.
        origin = request.headers.get("Origin", "null")
        foreign_site = request.headers.get("Sec-Fetch-Site", "none") not in {"same-origin", "none"}
        foreign_origin = origin != "null" and urlsplit(origin).netloc not in {
            request.host,
            public.netloc,
        }
        # Opening the link from the chat is coming from another site, and is how it is meant.
        if request.method not in SAFE_METHODS and (foreign_site or foreign_origin):
            return "That came from another site, so nothing was done."
        return ""

    def _said(self, status: int, title: str, text: str) -> web.Response:
        return self._page("secret_said.html", status, title=title, text=text)

    def _page(self, file: str, status: int, **words: str) -> web.Response:
        template = Template((files("adapters.web") / "page" / file).read_text(encoding="utf-8"))
        shown = {key: escape(text) for key, text in words.items()}
        base = urlsplit(self.public_url).path.rstrip("/") + "/secrets"
        return web.Response(
            status=status,
            text=template.substitute(shown, base=base),
            content_type="text/html",
            headers=_HEADERS,
        )


async def _secret(request: web.Request) -> str | None:
    """Return what was typed; None where it is no form of ours or too long."""
    if request.content_type != _FORM or (request.content_length or 0) > _LONGEST_BODY:
        return None
    given = (await request.post()).get("secret")
    return given if isinstance(given, str) and len(given) <= _LONGEST_SECRET else None
