"""Which connection a command means: a name, a URL, or the path of a database file."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from adapters.inmemory.clock import SystemClock
from adapters.storage.opening import open_state
from bot.bootstrap import saved_connections, state_url
from bot.connections import DEMO
from bot.saved_connections import SavedConnections
from bot.settings import ConnectionSettings, Settings, read_settings
from core.domain.errors import ConnectionUnusable
from core.domain.ids import ConnectionName
from core.domain.names import unknown_name


@dataclass(frozen=True, slots=True)
class Chosen:
    """Settings in which the connection has its name; None is the default one."""

    settings: Settings
    connection: ConnectionName | None


def choose(given: str | None) -> Chosen:
    """Read the settings and find the connection in them.

    Raises:
        ConnectionUnusable: there is none of that name, and it is no address either.
        SettingsInvalid: a setting is wrong.
    """
    settings = read_settings()
    if given is None:
        return Chosen(settings, None)
    if given == DEMO or given in settings.connections:
        return Chosen(settings, ConnectionName(given))
    names = (*known_names(settings), *asyncio.run(_added_names(settings)))
    if given in names:
        return Chosen(settings, ConnectionName(given))
    if _is_address(given):
        return _with_address(settings, given, taken=names)
    raise ConnectionUnusable(
        f"{unknown_name('connection', given, names)} "
        f"Give one of these names, a URL such as postgresql://…, or the path of a database file."
    )


def known_names(settings: Settings) -> tuple[str, ...]:
    """Return the names of the connections that need no look into the state."""
    return (DEMO, *sorted(settings.connections))


@asynccontextmanager
async def opened_saved(settings: Settings) -> AsyncGenerator[SavedConnections]:
    """Open the connections that were added, and nothing else."""
    clock = SystemClock()
    async with open_state(state_url(settings), clock) as state:
        yield saved_connections(settings, state, clock)


async def _added_names(settings: Settings) -> tuple[str, ...]:
    async with opened_saved(settings) as saved:
        return tuple(await saved.all())


def _with_address(settings: Settings, address: str, *, taken: tuple[str, ...]) -> Chosen:
    name = _name_of(address, taken=taken)
    connection = ConnectionSettings.model_validate({"url": address})
    known = {**settings.connections, name: connection}
    return Chosen(settings.model_copy(update={"connections": known}), ConnectionName(name))


def _path_in(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""  # what is wrong with it is said by what opens it


def _is_address(given: str) -> bool:
    return "://" in given or "/" in given or "." in given or Path(given).is_file()


def _name_of(address: str, *, taken: tuple[str, ...]) -> str:
    path = _path_in(address) if "://" in address else address
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", Path(path).stem).strip("_") or "database"
    while name in taken:
        name += "_"
    return name
