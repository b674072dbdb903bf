"""From settings to an application: opens what is needed, and closes it in reverse order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import structlog

import core.tools
from adapters.charts.renderer import MatplotlibCharts
from adapters.dictionary.yaml_dictionary import YamlDictionary
from adapters.inmemory.clock import SystemClock
from adapters.inmemory.rate_limiter import InMemoryRateLimiter
from adapters.inmemory.web_search import InMemoryWebSearch
from adapters.storage.attempts import StoredAttempts
from adapters.storage.connections import StoredConnections
from adapters.storage.files import DiskFileStore
from adapters.storage.opening import State, open_state
from adapters.storage.secrets import SecretBox
from adapters.storage.usage_log import StoredUsageLog
from adapters.warehouses.opening import open_warehouse
from bot.commanding import Commands
from bot.connecting import Connecting
from bot.connections import DEMO, Connections
from bot.demo.make import is_current, make_demo
from bot.demo.questions import DEFINITIONS as DEMO_DEFINITIONS
from bot.heap import settle
from bot.models import Models, open_models
from bot.permits import Directory, Permits
from bot.saved_connections import SavedConnections
from bot.settings import ConnectionSettings, Settings
from bot.turn_gate import TurnGate
from bot.turns import Outside, Turns
from core.agent.agent import SingleLLMAgent
from core.domain.budget import Budget
from core.domain.errors import ConnectionUnusable
from core.domain.ids import ConnectionName
from core.ports.chat_model import ChatModel
from core.ports.clock import Clock
from core.ports.warehouse import Warehouse
from core.prompt_library import load
from core.reviewer.registry import checks
from core.toolkit.catalogue import Catalogue, discover
from core.toolkit.family import Family

_DRAIN_SECONDS = 20.0
log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything that a way in (page, terminal, platform) needs."""

    settings: Settings
    turns: Turns
    outside: Outside
    catalogue: Catalogue
    charts: MatplotlibCharts
    models: Models
    state: State
    saved: SavedConnections
    commands: Commands
    connecting: Connecting

    @property
    def model(self) -> ChatModel:
        """The model that answers when no other is asked for."""
        return self.models.default

    async def warm(self) -> None:
        """Do early what the first question would wait for.

        Raises:
            StateUnusable: nothing could be kept; all else that fails is said when it is needed.
        """
        await self.state.ready()
        await asyncio.to_thread(checks)  # the modules that look at a result are found by then
        await self.models.warm()
        await self.charts.warm()
        try:
            await self.outside.connections.get(None)
        except ConnectionUnusable as error:
            log.warning("connection_unusable", reason=str(error))
        settle()


@asynccontextmanager
async def open_app(settings: Settings) -> AsyncGenerator[App]:
    """Open the application; leaving lets running turns end for some seconds, then stops them.

    Raises:
        SettingsInvalid: the model cannot be opened as it is set.
    """
    async with AsyncExitStack() as stack:
        clock = SystemClock()
        state = await stack.enter_async_context(open_state(state_url(settings), clock))
        models = open_models(settings, clock)
        stack.push_async_callback(models.close)
        charts = MatplotlibCharts()
        stack.push_async_callback(charts.close)
        saved = saved_connections(settings, state, clock)
        connections = Connections(
            known=_known_connections(settings),
            default=default_connection(settings),
            default_is_named=bool(settings.default_connection),
            open_warehouse=partial(_open_warehouse, demo_path(settings)),
            clock=clock,
            additions=saved,
        )
        stack.push_async_callback(connections.close)
        outside = Outside(
            model=models.default,
            model_by_name=models.by_name,
            model_by_family=models.by_family,
            last_resort=models.last_resort,
            charts=charts,
            files=DiskFileStore(settings.state_dir / "files"),
            threads=state.threads,
            paused=state.paused,
            run_log=state.run_log,
            audit=state.audit,
            due=state.due,
            stops=state.stops,
            web=InMemoryWebSearch(),
            clock=clock,
            connections=connections,
            dictionary=YamlDictionary(partial(definitions_files, settings, connections)),
            usage=StoredUsageLog(state.database),
        )
        catalogue = discover(core.tools)
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        turns = Turns(
            agent=SingleLLMAgent(catalogue, load(families=Family)),
            gate=TurnGate(
                limiter=InMemoryRateLimiter(
                    clock,
                    per_minute=settings.limits.questions_per_minute,
                    burst=settings.limits.burst,
                ),
                limits=settings.limits,
            ),
            permits=Permits(connections=connections, directory=Directory.of(settings)),
            outside=outside,
            budget=Budget(
                seconds=settings.budget.seconds,
                tokens=settings.budget.tokens,
                usd=settings.budget.usd,
            ),
            tasks=tasks,
            channel=settings.channel,
        )
        stack.push_async_callback(turns.drain, _DRAIN_SECONDS)
        connecting = Connecting(
            turns=turns,
            saved=saved,
            attempts=StoredAttempts(state.database, clock),
            public_url=settings.page.public_url,
        )
        stack.push_async_callback(connecting.close)
        yield App(
            settings=settings,
            turns=turns,
            outside=outside,
            catalogue=catalogue,
            charts=charts,
            models=models,
            state=state,
            saved=saved,
            commands=Commands(turns=turns, saved=saved, public_url=settings.page.public_url),
            connecting=connecting,
        )


def state_url(settings: Settings) -> str:
    """Return where what must last is kept: a file in the state folder unless set otherwise."""
    chosen = settings.state_url
    return chosen.get_secret_value() if chosen else f"sqlite:///{settings.state_dir}/state.sqlite"


def secret_box(settings: Settings) -> SecretBox:
    """Return what secrets are encrypted with."""
    return SecretBox(settings.encryption_keys, settings.state_dir / "secret.key")


def saved_connections(settings: Settings, state: State, clock: Clock) -> SavedConnections:
    """Return the connections that were added beside those of the settings."""
    store = StoredConnections(state.database, secret_box(settings), clock)
    return SavedConnections(store, settings.state_dir / "connections.json")


def demo_path(settings: Settings) -> Path:
    """Return where the demo database is kept."""
    return settings.state_dir / "demo.sqlite"


def default_connection(settings: Settings) -> ConnectionName:
    """Return the connection that is asked when a question names none and there are several."""
    return ConnectionName(settings.default_connection) if settings.default_connection else DEMO


def definitions_files(
    settings: Settings, connections: Connections, name: ConnectionName
) -> tuple[Path, ...]:
    """Return the files that say what words mean on a connection: its own, else those of all."""
    known = connections.known.get(name)
    own = known.definitions if known is not None else ()
    return own or settings.definitions


def _known_connections(settings: Settings) -> dict[ConnectionName, ConnectionSettings]:
    demo = ConnectionSettings.model_validate(
        {
            "url": str(demo_path(settings)),
            "description": "The demo database: a made-up trading company, 2023 to 2025",
            "definitions": () if settings.definitions else (DEMO_DEFINITIONS,),
        }
    )
    configured = {ConnectionName(name): each for name, each in settings.connections.items()}
    return {DEMO: demo, **configured}


async def _open_warehouse(
    demo: Path, name: ConnectionName, settings: ConnectionSettings
) -> Warehouse:
    url = settings.url.get_secret_value()
    # A connection of somebody's own may be called demo as well: what it holds is never written.
    if name == DEMO and url == str(demo) and not is_current(demo):
        log.info("making_the_demo_database", path=url)
        await asyncio.to_thread(make_demo, demo)
    return await open_warehouse(url, limits=settings.limits)
