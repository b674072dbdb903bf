"""Who may speak to the page: its own browser windows, and whoever knows the token.

- Without a token only this machine's own names are answered, so that another site's name that is
  made to point here (DNS rebinding) gets nothing.
- With a token it must come as `Authorization: Bearer`, or as the cookie that `/?token=` sets.
- What changes something must come from the page itself (Origin, Sec-Fetch-Site).
"""

import hashlib
import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from urllib.parse import urlsplit

from aiohttp import web

from adapters.web.doors import TurnDeclined
from adapters.web.inbound import BadRequest
from core.domain.errors import NotPossible

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

ENTRY_COOKIE = "resona_entry"
OWN_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS = frozenset({"GET", "HEAD"})
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """Wraps handlers; `token` is None when the page serves this machine alone."""

    token: str | None

    def opened(self, handler: Handler) -> Handler:
        """Let everybody in who came by the right name."""
        return _answered(self._from_own_name(handler))

    def closed(self, handler: Handler) -> Handler:
        """Let in who may ask; a request that changes something must come from the page."""
        return _answered(self._from_own_name(_from_own_page(self._with_token(handler))))

    def knows(self, request: web.Request) -> bool:
        """Say whether the request carries the token, where one is set."""
        if self.token is None:
            return True
        scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self.is_token(bearer.strip())
        cookie = request.cookies.get(ENTRY_COOKIE, "")
        return hmac.compare_digest(cookie.encode(), cookie_of(self.token).encode())

    def is_token(self, given: str) -> bool:
        return self.token is not None and hmac.compare_digest(given.encode(), self.token.encode())

    def _with_token(self, handler: Handler) -> Handler:
        @wraps(handler)
        async def checked(request: web.Request) -> web.StreamResponse:
            if not self.knows(request):
                return said(
                    401,
                    "This page wants its token: open it with /?token=…, or send it as "
                    "Authorization: Bearer.",
                    {"WWW-Authenticate": 'Bearer realm="Resona"'},
                )
            return await handler(request)

        return checked

    def _from_own_name(self, handler: Handler) -> Handler:
        @wraps(handler)
        async def checked(request: web.Request) -> web.StreamResponse:
            if self.token is None and host_name(request.host) not in OWN_NAMES:
                return said(
                    403, "Without a token this page is served to localhost and 127.0.0.1 only."
                )
            return await handler(request)

        return checked


def cookie_of(token: str) -> str:
    """Return what the cookie holds: proof of the token, from which it cannot be read."""
    return hmac.new(token.encode(), b"resona page", hashlib.sha256).hexdigest()


def said(status: int, sentence: str, headers: dict[str, str] | None = None) -> web.Response:
    """Return an error as every client reads it: `{"error": sentence}`."""
    return web.json_response({"error": sentence}, status=status, headers=headers)


def _from_own_page(handler: Handler) -> Handler:
    @wraps(handler)
    async def checked(request: web.Request) -> web.StreamResponse:
        if request.method not in SAFE_METHODS and _is_foreign(request):
            return said(403, "That request came from another site, so nothing was done.")
        return await handler(request)

    return checked


def _is_foreign(request: web.Request) -> bool:
    # Clients that are no browsers send neither header; they cannot be made to act for a reader.
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return True
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != request.host


def _answered(handler: Handler) -> Handler:
    """Turn what a handler raises on purpose into its answer, and put the headers on all of them."""

    @wraps(handler)
    async def checked(request: web.Request) -> web.StreamResponse:
        response = await _or_said(handler, request)
        # A stream has sent its headers already; it set them itself.
        if not response.prepared:
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
        return response

    return checked


async def _or_said(handler: Handler, request: web.Request) -> web.StreamResponse:
    try:
        return await handler(request)
    except BadRequest as error:
        return said(error.status, str(error))
    except NotPossible as error:
        return said(404, error.advice)
    except TurnDeclined as error:
        if error.retry_after is None:
            return said(409, str(error))
        return said(429, str(error), {"Retry-After": str(max(1, round(error.retry_after)))})


def host_name(host: str) -> str:
    """Return the name in a Host header, without the port; nothing where there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
