"""The one door to Slack's Web API: paced, patient with answers, impatient with progress."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, cast

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from adapters.slack.pacing import Pacing
from adapters.slack.wire import Object
from core.domain.errors import DeliveryFailed
from core.ports.clock import Clock

log = structlog.get_logger()

_OK = 200
_TRIES = 4
_PATIENCE = 300.0  # with a Slack that is busy
_LONGEST_PAUSE = 60.0
_FIRST_PAUSE = 0.5
_READ = frozenset(
    {"auth.test", "chat.getPermalink", "conversations.replies", "files.info", "users.info"}
)
_QUERY = frozenset({"files.getUploadURLExternal", "files.completeUploadExternal"}) | _READ
_DEAD = frozenset(
    {"account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked"}
)
_RATE = frozenset({"ratelimited", "rate_limited"})
# After these a call may have been done all the same.
_UNSURE = frozenset({"unreachable", "internal_error", "fatal_error", "service_unavailable"})
TRANSIENT = _RATE | _UNSURE


class WebClient(Protocol):
    """What is used of slack_sdk's AsyncWebClient."""

    token: str | None

    async def api_call(
        self,
        api_method: str,
        *,
        http_verb: str = "POST",
        params: Object | None = None,
        json: Object | None = None,
    ) -> Response: ...


class Response(Protocol):
    """What is used of slack_sdk's AsyncSlackResponse."""

    @property
    def data(self) -> object: ...

    @property
    def headers(self) -> object: ...


class SlackRefused(DeliveryFailed):
    """Slack did not take a call; `error` is its own word for why."""

    def __init__(
        self, method: str, error: str, *, retry_after: float = 0.0, needed: str = ""
    ) -> None:
        scope = f" (needs the scope {needed})" if needed else ""
        super().__init__(f"Slack refused {method}: {error}{scope}.")
        self.method = method
        self.error = error
        self.retry_after = retry_after
        self.needed = needed


@dataclass(frozen=True, slots=True)
class Said:
    """What Slack answered, and the scopes that it says the token has."""

    data: Mapping[str, object]
    scopes: tuple[str, ...] = ()

    def text(self, key: str) -> str:
        value = self.data.get(key)
        return value if isinstance(value, str) else ""

    def part(self, key: str) -> Mapping[str, object]:
        return _object(self.data.get(key))

    def items(self, key: str) -> list[Mapping[str, object]]:
        value = self.data.get(key)
        return cast("list[Mapping[str, object]]", value) if isinstance(value, list) else []


Done = Callable[[], Awaitable[Said | None]]


@dataclass(frozen=True, slots=True)
class SlackCalls:
    """Calls of one workspace. `web` tries nothing twice itself, so that all patience is here."""

    web: WebClient
    session: aiohttp.ClientSession
    clock: Clock
    pacing: Pacing
    _advised: set[str] = field(default_factory=set[str])

    async def call(self, method: str, arguments: Object, *, done: Done | None = None) -> Said:
        """Call when it is its turn; where Slack is busy or away, again, for some time.

        `done` finds out what became of a call whose answer was lost, so that it is not made twice.

        Raises:
            SlackRefused: Slack did not take it.
        """
        pause, tries = _FIRST_PAUSE, _TRIES
        until = self.clock.monotonic() + _PATIENCE
        while True:
            turn = self.pacing.reserve(method)
            if turn > 0:
                await self.clock.sleep(turn)
            try:
                return await self.once(method, arguments)
            except SlackRefused as error:
                if error.error in _UNSURE and done is not None and (said := await done()):
                    return said
                is_busy = error.error in _RATE
                tries -= not is_busy
                if not self._is_worth_another(error, tries, until):
                    self._advise(error)
                    raise
                log.info("slack_call_again", method=method, error=error.error)
            if not is_busy:
                await self.clock.sleep(pause)
                pause *= 2

    def _is_worth_another(self, error: SlackRefused, tries: int, until: float) -> bool:
        return (
            error.error in TRANSIENT
            and tries > 0
            and error.retry_after <= _LONGEST_PAUSE
            and self.clock.monotonic() < until
        )

    async def progress(self, method: str, arguments: Object, hurry: asyncio.Event) -> Said | None:
        """Call when there is room; None where the end came first or Slack is busy.

        Raises:
            SlackRefused: Slack did not take it, and not because it is busy.
        """
        if not await self.pacing.room(method, hurry):
            return None
        try:
            return await self.once(method, arguments)
        except SlackRefused as error:
            if error.error in TRANSIENT:
                return None
            self._advise(error)
            raise

    def _advise(self, error: SlackRefused) -> None:
        """Tell whoever runs the bot, once for each thing that only they can mend."""
        advice = _advice(error)
        if advice and advice not in self._advised:
            self._advised.add(advice)
            log.warning("slack_needs_mending", method=error.method, advice=advice)

    async def once(self, method: str, arguments: Object) -> Said:
        """Call exactly once.

        Raises:
            SlackRefused: Slack did not take it; `unreachable` where it did not answer.
        """
        try:
            response = await self._sent(method, arguments)
        except SlackApiError as error:
            raise self._refusal(method, error) from error
        except (aiohttp.ClientError, TimeoutError, OSError, SlackClientError) as error:
            # The text of such an error can hold an address with a secret in it.
            raise SlackRefused(method, "unreachable") from error
        scopes = _header(response, "x-oauth-scopes")
        data = cast("Mapping[str, object]", response.data)
        return Said(data, tuple(part.strip() for part in scopes.split(",") if part.strip()))

    async def respond(self, url: str, message: Object) -> None:
        """Answer a command or a press through the address that came with it.

        Raises:
            SlackRefused: Slack did not take it, or it was used too often or too late.
        """
        try:
            async with self.session.post(url, json=message) as response:
                taken = response.status == _OK
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            # The text of such an error can hold the address, which lets anybody write.
            raise SlackRefused("response_url", "unreachable") from error
        if not taken:
            raise SlackRefused("response_url", f"status {response.status}")

    async def _sent(self, method: str, given: Object) -> Response:
        if method in _QUERY:
            verb = "GET" if method in _READ else "POST"
            return await self.web.api_call(method, http_verb=verb, params=given)
        return await self.web.api_call(method, json=given)

    def _refusal(self, method: str, error: SlackApiError) -> SlackRefused:
        response = cast("Response", error.response)
        said = _object(response.data)
        word = str(said.get("error") or "unknown_error")
        retry_after = float(_header(response, "retry-after") or 0)
        if word in _RATE:
            self.pacing.closed(method, retry_after or 1.0)
        needed = str(said.get("needed") or "")
        return SlackRefused(method, word, retry_after=retry_after, needed=needed)


def _advice(error: SlackRefused) -> str:
    if error.error in _DEAD:
        return (
            f"Slack takes the bot's token no more ({error.error}). Reinstall the app and set "
            "slack.bot_token anew; for several workspaces, install it again at /slack/install."
        )
    if error.error == "missing_scope":
        return (
            f"The app lacks the scope {error.needed or 'for this'}. Paste `resona manifest slack` "
            "anew where Slack keeps the app, and reinstall it."
        )
    return ""


def _header(response: Response, name: str) -> str:
    headers = cast("Mapping[str, str]", response.headers)
    return next((value for key, value in headers.items() if key.lower() == name), "")


def _object(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}
