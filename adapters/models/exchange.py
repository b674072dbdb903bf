"""One request to a model's server and its answer, with every failure in the port's own words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf

import aiohttp

from adapters.models.openai_errors import Place
from core.domain.errors import ModelUnreachable

_LONGEST_ANSWER = 8 * 1024 * 1024
_LAST_BYTES_SECONDS = 0.25
FAILURES = (aiohttp.ClientError, TimeoutError, OSError, ValueError)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for what, in seconds; see the settings of a model."""

    connect: float
    first_byte: float
    between: float
    whole: float


class _Watch:
    """Breaks off a wait that lasts too long.

    One timer serves a whole answer and is moved when it fires, not when a chunk comes: a timer
    for every chunk costs more than reading the chunk.
    """

    __slots__ = ("_break_off", "_loop", "_moment", "_timer")

    def __init__(self, break_off: Callable[[], None]) -> None:
        self._break_off = break_off
        self._loop = asyncio.get_running_loop()
        self._moment = inf
        self._timer: asyncio.TimerHandle | None = None

    def wait_until(self, moment: float) -> None:
        self._moment = moment
        if self._timer is None or self._timer.when() > moment:
            self.end()
            self._timer = self._loop.call_at(moment, self._fire)

    def stop_waiting(self) -> None:
        self._moment = inf

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _fire(self) -> None:
        if self._moment <= self._loop.time():
            self._break_off()
        else:
            self._timer = self._loop.call_at(self._moment, self._fire)


class Exchange:
    """An answer whose head has come; it holds its connection until `let_go`."""

    def __init__(
        self, response: aiohttp.ClientResponse, place: Place, patience: Patience, deadline: float
    ) -> None:
        self._response = response
        self._content = response.content
        self._place = place
        self._patience = patience
        self._deadline = deadline
        self._loop = asyncio.get_running_loop()
        self._watch = _Watch(self._break_off)
        self._has_read = False
        self.status = response.status
        self.headers = response.headers
        self.is_json = response.content_type.endswith("json")

    async def read(self, *, within: float | None = None) -> bytes:
        """Return what has come since, b"" at the end.

        Raises:
            ModelUnreachable: the connection broke, or nothing came in time.
        """
        content = self._content
        silence = within or (
            self._patience.between if self._has_read else self._patience.first_byte
        )
        now = self._loop.time()
        try:
            received = content.read_nowait()
            if not received and not content.at_eof():
                self._watch.wait_until(min(now + silence, self._deadline))
                received = await content.readany()
                self._watch.stop_waiting()
        except FAILURES as error:
            if self._loop.time() >= self._deadline:
                raise self._too_slow() from error
            raise _unreachable(error, self._place, silence=silence) from error
        if now >= self._deadline:
            raise self._too_slow()
        self._has_read = True
        return received

    def _break_off(self) -> None:
        self._content.set_exception(TimeoutError())

    def _too_slow(self) -> ModelUnreachable:
        seconds = f"{self._patience.whole:g}"
        return ModelUnreachable(f"{self._place.host} did not finish within {seconds} seconds.")

    async def read_all(self, *, at_most: int = _LONGEST_ANSWER) -> bytes:
        """Return the whole answer, or what fits."""
        pieces: list[bytes] = []
        room = at_most
        while room > 0 and (piece := await self.read(within=self._patience.first_byte)):
            pieces.append(piece)
            room -= len(piece)
        return b"".join(pieces)

    async def read_to_end(self) -> None:
        """Read the last bytes of an answer that is known to be over.

        A connection that was read to its end is used again; one that was not is closed.
        """
        content = self._content
        if content.at_eof():
            return
        with suppress(*FAILURES):
            async with asyncio.timeout(_LAST_BYTES_SECONDS):
                while not content.at_eof():
                    await content.readany()

    def let_go(self) -> None:
        self._watch.end()
        if self._content.at_eof():
            self._response.release()
        else:
            self._response.close()


class Server:
    """One address, and the connections to it, which are kept open and shared.

    How many questions run at once is decided where they come in, so the number of connections is
    not bounded here: a request that waits for a free one would only look like a slow server.
    """

    def __init__(
        self,
        *,
        url: str,
        headers: Mapping[str, str],
        proxy: str | None,
        place: Place,
        patience: Patience,
    ) -> None:
        self._url = url
        self._headers = dict(headers)
        self._proxy = proxy
        self._place = place
        self._patience = patience
        self._session: aiohttp.ClientSession | None = None
        self._is_closed = False

    async def post(self, body: bytes) -> Exchange:
        """Send the body and return the answer once its head is there; who asked lets it go.

        Raises:
            ModelUnreachable: there is no connection, or no answer in time.
        """
        deadline = asyncio.get_running_loop().time() + self._patience.whole
        return Exchange(await self._send(body), self._place, self._patience, deadline)

    async def _send(self, body: bytes) -> aiohttp.ClientResponse:
        silence = min(self._patience.first_byte, self._patience.whole)
        try:
            async with asyncio.timeout(silence):
                return await self._opened().post(
                    self._url, data=body, allow_redirects=False, proxy=self._proxy
                )
        except FAILURES as error:
            raise _unreachable(error, self._place, silence=silence) from error

    def _opened(self) -> aiohttp.ClientSession:
        if self._is_closed:
            raise ModelUnreachable(f"The connection to {self._place.host} is closed.")
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300, keepalive_timeout=30),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers=self._headers,
                timeout=aiohttp.ClientTimeout(connect=self._patience.connect),
            )
        return self._session

    async def close(self) -> None:
        self._is_closed = True
        if self._session is not None:
            await self._session.close()


def _unreachable(error: BaseException, place: Place, *, silence: float) -> ModelUnreachable:
    """Say in a sentence what was tried and what came of it."""
    return ModelUnreachable(_sentence(error).format(host=place.host, seconds=f"{silence:g}"))


def _sentence(error: BaseException) -> str:
    return next(sentence for kinds, sentence in _SENTENCES if isinstance(error, kinds))


_SENTENCES: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], str], ...] = (
    (aiohttp.ConnectionTimeoutError, "{host} could not be connected to in time."),
    (TimeoutError, "{host} sent nothing for {seconds} seconds."),
    (
        (aiohttp.ClientConnectorCertificateError, aiohttp.ClientSSLError),
        "{host} has no certificate that is trusted here.",
    ),
    (
        aiohttp.ClientConnectorDNSError,
        "No server is called {host}: check base_url in the model's settings.",
    ),
    (
        aiohttp.ClientConnectorError,
        "{host} takes no connection: is it running, and is base_url right?",
    ),
    (
        (aiohttp.ClientResponseError, ValueError),
        "{host} does not answer in HTTP as it should: check base_url in the model's settings.",
    ),
    (BaseException, "{host} broke off the connection."),
)
