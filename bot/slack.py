"""Slack: the adapter joined with the application, for as long as it is served."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import structlog
from aiohttp import web
from slack_bolt.async_app import AsyncApp

from adapters.slack.bolt_app import bolt_app
from adapters.slack.entering import SlackUnreachable, check_app_token, web_client
from adapters.slack.installing import Installations
from adapters.slack.oauth import InstallFlow, install_routes
from adapters.slack.places import PLATFORM
from adapters.slack.transports import signed_http, socket_mode
from adapters.storage.once import StoredOnce
from adapters.storage.opening import State
from bot.bootstrap import App, secret_box
from bot.connecting import Attempt, Board, OpenBoard
from bot.settings import SlackSettings
from bot.slack_home import SlackHome
from bot.slack_offered import Offered, board_of
from bot.slack_private import Choose
from bot.slack_runs import SlackRuns
from bot.slack_taking_over import TakingOver
from bot.slack_tenants import SlackAccess, Tenants, TenantsOpening, kept_installations
from bot.slack_workspace import Workplace
from bot.turns import Turns
from core.domain.errors import SettingsInvalid, StateUnusable

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
    state: State
    installations: Installations
    choose: Choose
    offered: Offered
    state_dir: Path
    settings: SlackSettings
    public_url: str
    say: Callable[[str], None]
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    entered: asyncio.Event = field(default_factory=asyncio.Event)
    bolt: AsyncApp | None = None
    flow: InstallFlow | None = None
    _work: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    @property
    def routes(self) -> list[web.AbstractRouteDef]:
        """Return the routes to serve: for events in HTTP mode, for installs where there are any."""
        events = signed_http(lambda: self.bolt) if self.settings.mode == "http" else []
        installs = install_routes(lambda: self.flow) if self.settings.client_id else []
        return [*events, *installs]

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
                except (SlackUnreachable, StateUnusable) as error:
                    log.warning("slack_unreachable", reason=str(error), seconds=pause)
                    self.say(str(error))
                    await _unless(self.closing, pause)
                    pause = min(pause * 2, _LONGEST_PAUSE)

    async def _entered(self, session: aiohttp.ClientSession) -> None:
        """Enter, and serve until `closing`."""
        workplace = self._workplace
        tenants = await self._opening(workplace).opened(session)
        secret = self.settings.signing_secret
        bolt = bolt_app(
            web_client(None, self.settings.base_url, session),
            secret=secret.get_secret_value() if secret else "",
            entrances=tenants.entrances,
        )
        try:
            await self._serve(bolt, tenants, workplace, session)
        finally:
            self.bolt = self.flow = None
            await self._finish()

    async def _serve(
        self,
        bolt: AsyncApp,
        tenants: Tenants,
        workplace: Workplace,
        session: aiohttp.ClientSession,
    ) -> None:
        async with self._transport(bolt, session):
            self.bolt, self.flow = bolt, tenants.flow
            self.offered.connecting.boards[PLATFORM] = _boards(tenants)
            self.entered.set()
            self.say(tenants.greeting)
            await self._taking_over(tenants, workplace).until(self.closing)

    @asynccontextmanager
    async def _transport(
        self, bolt: AsyncApp, session: aiohttp.ClientSession
    ) -> AsyncGenerator[None]:
        token = self.settings.app_token
        if self.settings.mode == "http" or token is None:
            yield
            return
        secret = token.get_secret_value()
        await check_app_token(self._access.calls(secret, session))
        async with socket_mode(bolt, secret, web_client(secret, self.settings.base_url, session)):
            yield

    @property
    def _access(self) -> SlackAccess:
        return SlackAccess(
            settings=self.settings,
            public_url=self.public_url,
            clock=self.turns.outside.clock,
        )

    @property
    def _workplace(self) -> Workplace:
        clock = self.turns.outside.clock
        return Workplace(
            turns=self.turns,
            choose=self.choose,
            home=SlackHome(turns=self.turns, once=StoredOnce(self.state.database, clock)).doors,
            state_dir=self.state_dir,
            base_url=self.settings.base_url,
            native_charts=self.settings.native_charts,
            spawn=self._spawn,
            offered=self.offered,
        )

    def _opening(self, workplace: Workplace) -> TenantsOpening:
        return TenantsOpening(
            access=self._access,
            workplace=workplace,
            state=self.state,
            installations=self.installations,
        )

    def _taking_over(self, tenants: Tenants, workplace: Workplace) -> TakingOver:
        async def runs_of(team: str) -> SlackRuns | None:
            entered = await tenants.enter_team(team)
            return workplace.runs.get(team) if entered else None

        return TakingOver(
            due=self.turns.outside.due,
            replies=tenants.replies,
            runs_of=runs_of,
            spawn=self._spawn,
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

    def _session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_CALL_SECONDS))


def open_slack(app: App, say: Callable[[str], None]) -> SlackService:
    """Return the service for the settings of the application.

    Raises:
        SettingsInvalid: there are none for Slack.
    """
    if app.settings.slack is None:
        raise SettingsInvalid("There are no settings for Slack; set slack.bot_token.")
    box, clock = secret_box(app.settings), app.turns.outside.clock
    return SlackService(
        turns=app.turns,
        state=app.state,
        installations=kept_installations(app.state, box, clock),
        choose=app.saved.choose,
        offered=Offered(app.commands, app.connecting),
        state_dir=app.settings.state_dir,
        settings=app.settings.slack,
        public_url=app.settings.page.public_url,
        say=say,
    )


def _boards(tenants: Tenants) -> OpenBoard:
    """Return how the one who connects a database is shown how far it is."""

    async def opened(attempt: Attempt) -> Board | None:
        workspace = await tenants.enter_team(attempt.place.workspace)
        return board_of(workspace.calls, attempt) if workspace else None

    return opened


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
