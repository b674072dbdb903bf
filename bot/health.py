"""What works, what is missing, and what to do about it: one finding a part."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from tempfile import NamedTemporaryFile
from time import perf_counter
from typing import Literal, cast

from bot.bootstrap import App
from bot.connections import OpenConnection
from bot.definitions_health import about_definitions
from bot.logins import about_login
from bot.settings import OfflineSettings, Settings, SlackSettings
from core.domain.artifact import BarChart, Chart
from core.domain.chat import ChatRequest, UserMessage
from core.domain.errors import ConnectionUnusable, ModelError, StateUnusable, ToolError
from core.domain.ids import ConnectionName
from core.domain.table import Column, ColumnKind, Table
from core.toolkit.wording import counted

_MODEL_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Finding:
    """`text` says what works, or what is missing and what to do."""

    part: str
    state: Literal["ok", "note", "failed"]
    text: str


CheckSlack = Callable[[App, SlackSettings], Awaitable[list[Finding]]]


def check_settings(settings: Settings) -> list[Finding]:
    """Check what needs no open application."""
    return [_state_dir(settings), _page(settings), *_connecting(settings)]


async def check_all(app: App) -> list[Finding]:
    """Check what an open application uses, one part after the other."""
    checks: list[Callable[[App], Awaitable[Finding]]] = [_state, _model, _charts, _web_search]
    connections = app.outside.connections
    await connections.refresh()
    names = sorted((*connections.known, *connections.broken))
    return [
        *[finding for name in names for finding in await _connection(app, name)],
        *[await check(app) for check in checks],
        *await _platforms(app),
    ]


def _state_dir(settings: Settings) -> Finding:
    folder = settings.state_dir
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder):
            return Finding("state", "ok", f"{folder.resolve()} can be written")
    except OSError as error:
        return Finding(
            "state",
            "failed",
            f"{folder.resolve()} cannot be written ({error.strerror}). Set RESONA_STATE_DIR.",
        )


def _page(settings: Settings) -> Finding:
    page = settings.page
    guarded = "behind a token" if page.token else "for this machine only"
    with socket.socket(socket.AF_INET6 if ":" in page.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((page.host, page.port))
        except OSError as error:
            return Finding(
                "page",
                "note",
                f"port {page.port} of {page.host} is taken or forbidden ({error.strerror}): "
                f"Resona may be running already; else set RESONA_PAGE__PORT",
            )
    return Finding("page", "ok", f"http://{page.host}:{page.port} is free, {guarded}")


def _connecting(settings: Settings) -> Iterator[Finding]:
    """Say whether databases can be connected from a chat, where there is one."""
    if settings.slack is None:
        return
    part = "connecting from a chat"
    if not settings.page.public_url:
        yield Finding(
            part,
            "note",
            "page.public_url is not set, so that no password can be typed; "
            "resona connect add works all the same",
        )
    elif not settings.people.admins:
        yield Finding(part, "note", "people.admins names nobody, and only admins may")
    else:
        yield Finding(part, "ok", f"passwords are typed at {settings.page.public_url}/secrets/…")


async def _connection(app: App, name: ConnectionName) -> list[Finding]:
    part = f"connection {name}"
    started = perf_counter()
    try:
        found = await app.outside.connections.get(name)
    except ConnectionUnusable as error:
        return [Finding(part, "failed", str(error))]
    except ToolError as error:
        return [Finding(part, "failed", error.advice)]
    answers = (
        f"{found.connection.dialect} answers in {perf_counter() - started:.1f} s, "
        f"{counted(len(found.catalog.tables), 'table')}"
    )
    login = await about_login(found)
    state = "note" if login else "ok"
    connects = Finding(part, state, "\n      ".join([answers, *login]))
    return [connects, *await _definitions(app, found)]


async def _definitions(app: App, found: OpenConnection) -> list[Finding]:
    health = await about_definitions(app.outside.dictionary, found)
    part = f"definitions of {found.connection.name}"
    if not health.text:
        return []
    if health.readable and health.fits:
        return [Finding(part, "ok", health.text)]
    # Files of all connections hold what is meant for another one.
    own = app.outside.connections.known[found.connection.name].definitions
    return [Finding(part, "note" if health.readable and not own else "failed", health.text)]


async def _state(app: App) -> Finding:
    try:
        await app.state.ready()
    except StateUnusable as error:
        return Finding("state database", "failed", str(error))
    return Finding("state database", "ok", f"{app.state.place} can be used")


async def _model(app: App) -> Finding:
    if isinstance(app.settings.model, OfflineSettings):
        return Finding(
            "model",
            "note",
            f"{app.model.name}: no account needed, understands plain questions only; "
            f"set RESONA_MODEL__PROVIDER for a language model",
        )
    request = ChatRequest(messages=(UserMessage("Answer with: ok"),), max_output_tokens=16)
    started = perf_counter()
    try:
        async with asyncio.timeout(_MODEL_SECONDS):
            await app.model.complete(request)
    except (ModelError, TimeoutError) as error:
        reason = str(error) or f"no answer within {_MODEL_SECONDS:.0f} s"
        return Finding("model", "failed", f"{app.model.name}: {reason}")
    return Finding("model", "ok", f"{app.model.name} answers in {perf_counter() - started:.1f} s")


async def _charts(app: App) -> Finding:
    table = Table(
        columns=(Column("part", ColumnKind.DIMENSION), Column("value", ColumnKind.MEASURE)),
        rows=(("a", 1), ("b", 2)),
    )
    started = perf_counter()
    try:
        await app.charts.render(Chart(spec=BarChart(x="part", y="value"), title="", table=table))
    except ToolError as error:
        return Finding("charts", "failed", error.advice)
    return Finding("charts", "ok", f"drawn in {perf_counter() - started:.1f} s")


async def _platforms(app: App) -> list[Finding]:
    if app.settings.slack is None:
        return []
    # Its framework takes a second to load, which those without Slack need not wait for.
    check = cast("CheckSlack", import_module("bot.slack_health").check_app)
    return await check(app, app.settings.slack)


async def _web_search(app: App) -> Finding:
    if app.outside.web.available:
        return Finding("web search", "ok", "a provider is set")
    return Finding("web search", "note", "no provider is set; its tools are hidden")
