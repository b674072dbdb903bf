"""Which connection a command means: a name, a URL, or the path of a database file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bot import saved_connections
from bot.saved_connections import RESERVED
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
    settings = saved_connections.with_saved(read_settings())
    if given is None:
        return Chosen(settings, None)
    if given == RESERVED or given in settings.connections:
        return Chosen(settings, ConnectionName(given))
    if _is_address(given):
        return _with_address(settings, given)
    raise ConnectionUnusable(_unknown(settings, given))


def known_names(settings: Settings) -> tuple[str, ...]:
    return (RESERVED, *sorted(settings.connections))


def _with_address(settings: Settings, address: str) -> Chosen:
    name = _name_of(address, taken=known_names(settings))
    connection = ConnectionSettings.model_validate({"url": address})
    known = {**settings.connections, name: connection}
    return Chosen(settings.model_copy(update={"connections": known}), ConnectionName(name))


def _is_address(given: str) -> bool:
    return "://" in given or "/" in given or "." in given or Path(given).is_file()


def _name_of(address: str, *, taken: tuple[str, ...]) -> str:
    path = urlsplit(address).path if "://" in address else address
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", Path(path).stem).strip("_") or "database"
    while name in taken:
        name += "_"
    return name


def _unknown(settings: Settings, given: str) -> str:
    waiting = saved_connections.load(settings.state_dir).get(given)
    if waiting is not None:
        return (
            f"The connection {given!r} has its address in the variable {waiting.url_env}, "
            f"which is not set. Set it and try again."
        )
    return (
        f"{unknown_name('connection', given, known_names(settings))} "
        f"Give one of these names, a URL such as postgresql://…, or the path of a database file."
    )
