"""Connections that were added with `resona connect` or from a chat, kept in the state database.

A password is kept encrypted and apart from the address; an address may also stand in an
environment variable. What stands in the settings wins over what was added.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Self
from urllib.parse import parse_qsl, quote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from adapters.storage.connections import KeptConnection, StoredConnections
from bot.connections import Added
from bot.settings import PREFIX, ConnectionSettings, variable
from core.domain.connection import Thresholds
from core.domain.connection_draft import RESERVED_NAME, is_connection_name
from core.domain.errors import ConnectionUnusable, SettingsInvalid
from core.domain.ids import ActorId, ConnectionName
from core.domain.rights import Rights


class SavedConnection(BaseModel):
    """Where a database is: `url` without its password, or `url_env`, the variable that holds it.

    A query that would read more than `ask_above_rows` waits for a person's approval.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str = ""
    url_env: str = ""
    description: str = ""
    schemas: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    rights: Rights = Rights()
    ask_above_rows: float = Field(default=Thresholds().rows, gt=0)
    added_by: str = ""

    @model_validator(mode="after")
    def _one_address(self) -> Self:
        if bool(self.url) is bool(self.url_env):
            raise ValueError("give either url or url_env")
        return self

    @property
    def place(self) -> str:
        """Return where it is, as may be shown: there is no secret in it."""
        return f"${self.url_env}" if self.url_env else self.url

    def settings(self, secret: str) -> ConnectionSettings:
        """Return what opens it.

        Raises:
            ConnectionUnusable: its variable is not set.
        """
        address = variable(self.url_env) if self.url_env else with_password(self.url, secret)
        if not address:
            raise ConnectionUnusable(
                f"Its address is in the variable {self.url_env}, which is not set. Set it and try "
                "again."
            )
        return ConnectionSettings.model_validate(
            {
                "url": address,
                "description": self.description,
                "schemas": self.schemas,
                "tables": self.tables,
                "rights": self.rights,
                "thresholds": {"rows": self.ask_above_rows},
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A connection as it was added; `problem` says why it cannot be used, where it cannot."""

    connection: SavedConnection
    secret: str = field(default="", repr=False)
    problem: str = ""
    kept_at: datetime | None = None

    def settings(self) -> ConnectionSettings:
        """Return what opens it.

        Raises:
            ConnectionUnusable: its secret cannot be read, or its variable is not set.
        """
        if self.problem:
            raise ConnectionUnusable(self.problem)
        return self.connection.settings(self.secret)


_old_file_shape = TypeAdapter(dict[str, SavedConnection])


@dataclass(slots=True)
class SavedConnections:
    """The store, and the file that an earlier version kept, which is taken over once."""

    store: StoredConnections
    old_file: Path
    _taken_over: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def all(self) -> dict[ConnectionName, Saved]:
        """Return what was added, by name.

        Raises:
            SettingsInvalid: the old file was changed into something else.
            StateUnusable: the state database cannot be read.
        """
        return (await self._read())[1]

    async def added(self) -> Added:
        """Return what of it can be used, and why the rest cannot."""
        version, saved = await self._read()
        usable: dict[ConnectionName, ConnectionSettings] = {}
        broken: dict[ConnectionName, str] = {}
        for name, each in saved.items():
            try:
                usable[name] = each.settings()
            except ConnectionUnusable as error:
                broken[name] = str(error)
        since = {name: each.kept_at for name, each in saved.items() if each.kept_at}
        return Added(version=version, usable=usable, broken=broken, since=since)

    async def glance(self, spots: tuple[str, ...]) -> tuple[int, ConnectionName | None]:
        """Return the version of what was added, and what was chosen for the first of the spots."""
        seen = await self.store.glance(spots)
        return seen.version, seen.chosen

    async def add(
        self, name: str, connection: SavedConnection, secret: str = "", *, replace: bool = False
    ) -> None:
        """Keep a connection under its name.

        Raises:
            SettingsInvalid: the name is no name or taken, the address holds a password, or its
                variable is a setting.
        """
        check(name, connection)
        await self._take_over()
        kept = KeptConnection(
            name=ConnectionName(name), body=connection.model_dump_json(), secret=secret
        )
        if not await self.store.keep(kept, replace=replace):
            raise SettingsInvalid(f"There is a connection {name!r} already. Choose another name.")

    async def remove(self, name: str) -> None:
        """Forget a connection that was added.

        Raises:
            ConnectionUnusable: none of that name was.
        """
        await self._take_over()
        if not await self.store.forget(ConnectionName(name)):
            raise ConnectionUnusable(
                f"No connection {name!r} was added, so there is none to remove. What stands in the "
                "settings is removed there."
            )

    async def choose(self, spot: str, name: ConnectionName, by: ActorId) -> None:
        """Have a spot use a connection from now on."""
        await self.store.choose(spot, name, by)

    async def _read(self) -> tuple[int, dict[ConnectionName, Saved]]:
        await self._take_over()
        version, kept = await self.store.all()
        return version, {each.name: _saved(each) for each in kept}

    async def _take_over(self) -> None:
        """Take the connections of the old file over, and put it aside; nothing in it is lost."""
        async with self._taken_over:
            if await asyncio.to_thread(self.old_file.exists):
                found = await asyncio.to_thread(_old, self.old_file)
                await self.store.keep_missing(
                    KeptConnection(name=ConnectionName(name), body=each.model_dump_json())
                    for name, each in found.items()
                )
                # Another process may have done the same at the same moment.
                with suppress(FileNotFoundError):
                    self.old_file.replace(self.old_file.with_suffix(".json.taken-over"))


def check(name: str, connection: SavedConnection) -> None:
    """Hold a name and an address to what can be kept.

    Raises:
        SettingsInvalid: the name is no name, the address holds a password or cannot be read, or
            its variable is a setting.
    """
    if not is_connection_name(name):
        raise SettingsInvalid(
            f"{name!r} cannot be a connection's name. Use letters, digits, - and _, "
            f"beginning with a letter; {RESERVED_NAME!r} is taken."
        )
    if connection.url_env.startswith(PREFIX):
        raise SettingsInvalid(
            f"Variables that begin with {PREFIX} are settings. Choose another name than "
            f"{connection.url_env}."
        )
    if holds_password(connection.url):
        raise SettingsInvalid(
            "That address holds a password, and an address is kept in plain text. Give it without "
            "the password: resona connect add NAME URL asks for it, --secret-stdin reads it, "
            "--url-env VARIABLE leaves the whole address in the environment."
        )


def holds_password(url: str) -> bool:
    """Say whether an address holds a password; one that cannot be read may."""
    try:
        parts = urlsplit(url)
        options = {key.casefold() for key, _ in parse_qsl(parts.query)}
        return parts.password is not None or bool(options & {"password", "passwd", "sslpassword"})
    except ValueError:
        return True


def with_password(url: str, secret: str) -> str:
    """Return the address with the password in it."""
    if not secret:
        return url
    parts = urlsplit(url)
    login, _, host = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{login}:{quote(secret, safe='')}@{host}").geturl()


def _saved(kept: KeptConnection) -> Saved:
    connection = SavedConnection.model_validate_json(kept.body)
    return Saved(
        connection=connection, secret=kept.secret, problem=kept.problem, kept_at=kept.kept_at
    )


def _old(path: Path) -> dict[str, SavedConnection]:
    try:
        return _old_file_shape.validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except ValidationError as error:
        raise SettingsInvalid(
            f"{path} cannot be read as saved connections. Mend it, or delete it and add them again."
        ) from error
