"""Slack: the adapter joined with the application, for as long as it is served."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import structlog
from aiohttp import web
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.bolt_app import Receivers, bolt_app
from adapters.slack.calls import SlackCalls
from adapters.slack.doors import Desk, Identity
from adapters.slack.entering import SlackUnreachable, check_app_token, identify, web_client
from adapters.slack.history import History
from adapters.slack.inbox import Inbox
from adapters.slack.pacing import Pacing
from adapters.slack.people import People
from adapters.slack.pressing import Pressing
from adapters.slack.stopping import Stopping
from adapters.slack.transports import signed_http, socket_mode
from adapters.slack.uploads import Uploads
from bot.bootstrap import App
from bot.settings import SlackSettings
from bot.slack_private import PrivateAnswers
from bot.slack_runs import SlackRuns
from bot.turns import Turns
from core.domain.errors import SettingsInvalid

log = structlog.get_logger()

_CALL_SECONDS = 30.0
_SECONDS_FOR_WORK = 15.0
_FIRST_PAUSE, _LONGEST_PAUSE = 2.0, 60.0


@dataclass(slots=True, kw_only=True)
class SlackService:
    """Slack while it is served; `bolt` is None until Slack has said who we are.

    `closing` is set when nothing more may come in.
    """

    turns: Turns
    state_dir: Path
    settings: SlackSettings
    say: Callable[[str], None]
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    entered: asyncio.Event = field(default_factory=asyncio.Event)
    bolt: AsyncApp | None = None
    _work: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    @property
    def routes(self) -> list[web.AbstractRouteDef]:
        """Return the routes to serve; none where a socket brings everything."""
        return signed_http(lambda: self.bolt) if self.settings.mode == "http" else []

    @property
    def at_work(self) -> frozenset[asyncio.Task[None]]:
        """Return what was begun and has not ended yet."""
        return frozenset(self._work)

    async def run(self) -> None:
        """Serve Slack until `closing`; what is wrong with its settings is said, never raised."""
        pause = _FIRST_PAUSE
        async with self._session() as session:
            while not self.closing.is_set():
                try:
                    await self._entered(session)
                except SettingsInvalid as error:
                    log.warning("slack_unusable", reason=str(error))
                    self.say(str(error))
                    return
                except SlackUnreachable as error:
                    log.warning("slack_unreachable", seconds=pause)
                    self.say(str(error))
                    await _unless(self.closing, pause)
                    pause = min(pause * 2, _LONGEST_PAUSE)

    def calls(self, session: aiohttp.ClientSession) -> SlackCalls:
        token = self.settings.bot_token.get_secret_value()
        clock = self.turns.outside.clock
        return SlackCalls(self._client(token, session), session, clock, Pacing(clock))

    async def _entered(self, session: aiohttp.ClientSession) -> None:
        """Enter, and serve until `closing`."""
        calls = self.calls(session)
        identity = await identify(calls)
        runs = self._runs(calls)
        secret = self.settings.signing_secret
        bolt = bolt_app(
            self._client(None, session),
            self.settings.bot_token.get_secret_value(),
            identity,
            secret=secret.get_secret_value() if secret else "",
            receivers=self._receivers(calls, identity, runs),
        )
        try:
            await self._serve(bolt, calls, identity, runs)
        finally:
            self.bolt = None
            await self._finish()

    async def _serve(
        self, bolt: AsyncApp, calls: SlackCalls, identity: Identity, runs: SlackRuns
    ) -> None:
        async with self._transport(bolt, calls):
            self.bolt = bolt
            self.entered.set()
            self.say(f"Resona answers in Slack, in the workspace {identity.workspace_name}.")
            await runs.take_over_until(self.closing, identity.team)

    @asynccontextmanager
    async def _transport(self, bolt: AsyncApp, calls: SlackCalls) -> AsyncGenerator[None]:
        token = self.settings.app_token
        if self.settings.mode == "http" or token is None:
            yield
            return
        await check_app_token(calls, token.get_secret_value(), self.settings.base_url)
        client = self._client(token.get_secret_value(), calls.session)
        async with socket_mode(bolt, token.get_secret_value(), client):
            yield

    def _runs(self, calls: SlackCalls) -> SlackRuns:
        host = urlsplit(self.settings.base_url).hostname or ""
        return SlackRuns(
            turns=self.turns,
            state_dir=self.state_dir,
            calls=calls,
            uploads=Uploads(calls, frozenset({host})),
            private=PrivateAnswers(turns=self.turns, calls=calls),
            spawn=self._spawn,
        )

    def _receivers(self, calls: SlackCalls, identity: Identity, runs: SlackRuns) -> Receivers:
        desk = Desk(
            doors=runs.doors,
            calls=calls,
            uploads=runs.uploads,
            files=self.turns.outside.files,
            identity=identity,
            spawn=self._spawn,
        )
        people = People(calls)
        inbox = Inbox(desk, people, History(calls, people, identity.user))
        pressing = Pressing(desk, inbox)
        return Receivers(
            message=inbox.receive,
            press=pressing.receive,
            window=pressing.submitted,
            session_stopped=Stopping(desk, inbox).receive,
        )

    def _spawn(self, work: Coroutine[object, object, None], name: str) -> None:
        task = self.turns.tasks.create_task(_guarded(work, name), name=name)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _finish(self) -> None:
        """Let the work that was begun show its ends, for some seconds."""
        work = tuple(self._work)
        if not work:
            return
        _, late = await asyncio.wait(work, timeout=_SECONDS_FOR_WORK)
        for task in late:
            task.cancel()

    def _client(self, token: str | None, session: aiohttp.ClientSession) -> AsyncWebClient:
        return web_client(token, self.settings.base_url, session)

    def _session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_CALL_SECONDS))


def open_slack(app: App, say: Callable[[str], None]) -> SlackService:
    """Return the service for the settings of the application.

    Raises:
        SettingsInvalid: there are none for Slack.
    """
    if app.settings.slack is None:
        raise SettingsInvalid("slack.bot_token is not set.")
    return SlackService(
        turns=app.turns, state_dir=app.settings.state_dir, settings=app.settings.slack, say=say
    )


async def _guarded(work: Coroutine[object, object, None], name: str) -> None:
    """Do the work; an error in it must not end the process, which answers others."""
    try:
        await work
    except Exception:
        log.exception("slack_work_failed", work=name)


async def _unless(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), timeout=seconds)
    except TimeoutError:
        return
