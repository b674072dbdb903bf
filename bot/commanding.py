"""Commands such as `use sales`, the same on every platform: read, allowed, done, answered.

A command is one file in bot/commands: its name is the file's, the first line of its docstring is
its help, `TAKES` is what may stand behind it, and `ADMINS_ONLY` says whose it is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Protocol, cast

import structlog

from bot.connections import Connections
from bot.permits import Permits
from bot.saved_connections import SavedConnection, SavedConnections
from bot.turns import Turns
from core.domain.audit import AuditEntry, Deed
from core.domain.errors import OperatorNeeded
from core.domain.ids import ConnectionName, ThreadId
from core.domain.names import nearest, unknown_name
from core.domain.people import Actor, Place, Role
from core.domain.replies import Reply, Said

log = structlog.get_logger()

_FOLDER = Path(__file__).parent / "commands"
# What is planned and asked for; nobody shall be told that it exists, nor that it is a typing error.
_NOT_YET = frozenset({"define", "verify", "schedule"})


class NotDone(Exception):
    """Nothing was done; the text is one sentence for the person who gave the command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A command as it came in: `text` without the name of the bot."""

    text: str
    actor: Actor
    place: Place
    thread: ThreadId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A command to be done: for whom, where, and what stood behind its name."""

    name: str
    words: tuple[str, ...]
    actor: Actor
    place: Place
    thread: ThreadId | None
    room: Commands

    @property
    def is_admin(self) -> bool:
        return self.actor.role is Role.ADMIN

    def usable(self) -> tuple[ConnectionName, ...]:
        """Return the connections that this person may use here."""
        return self.room.permits.usable(self.actor, self.place)

    def named(self, known: tuple[ConnectionName, ...]) -> ConnectionName:
        """Return the connection that is named.

        Raises:
            NotDone: none is, or none of those that are known.
        """
        if not self.words:
            names = ", ".join(sorted(known)) or "none yet"
            raise NotDone(f"Name the connection: {self.name} NAME. There are: {names}.")
        given = self.words[0]
        found = next((each for each in known if each.casefold() == given.casefold()), None)
        if found is None:
            raise NotDone(unknown_name("connection", given, sorted(known)))
        return found

    async def ours(self) -> dict[ConnectionName, SavedConnection]:
        """Return what was connected from this person's workspace, by name."""
        saved = await self.room.saved.all()
        mine = f"{self.actor.workspace}:"
        return {
            name: each.connection
            for name, each in saved.items()
            if each.connection.added_by.startswith(mine)
        }

    async def note(self, deed: Deed, connection: ConnectionName, note: str = "") -> None:
        """Write down what was changed; that it cannot be must not undo it."""
        outside = self.room.turns.outside
        entry = AuditEntry.of_change(
            deed,
            connection,
            at=outside.clock.now(),
            actor=self.actor,
            place=self.place,
            said=" ".join((self.name, *self.words)),
        )
        entry = replace(entry, thread=self.thread or ThreadId(""), note=note)
        try:
            await outside.audit.record(entry)
        except OperatorNeeded:
            log.exception("audit_entry_lost", deed=deed, connection=connection)


class Command(Protocol):
    """What the module of a command has."""

    __doc__: str | None
    TAKES: str
    ADMINS_ONLY: bool

    def run(self, order: Order) -> Awaitable[Reply]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """Does what is asked, for every platform. `public_url` is "" where browsers cannot come."""

    turns: Turns
    saved: SavedConnections
    public_url: str

    @property
    def connections(self) -> Connections:
        return self.turns.outside.connections

    @property
    def permits(self) -> Permits:
        return self.turns.permits

    async def run(self, given: Given) -> Reply:
        """Do what was asked, and say how it went; whatever was wrong is a sentence too."""
        name, *words = given.text.split() or ["help"]
        command = known_commands().get(name.casefold())
        if command is None:
            return Said(text=_unknown(name))
        order = Order(
            name=name.casefold(),
            words=tuple(words),
            actor=self.permits.directory.described(given.actor),
            place=given.place,
            thread=given.thread,
            room=self,
        )
        if command.ADMINS_ONLY and not order.is_admin:
            return Said(text=self._who_may(order))
        try:
            return await command.run(order)
        except NotDone as error:
            return Said(text=str(error))
        except OperatorNeeded as error:
            log.warning("command_failed", command=order.name, reason=str(error))
            return Said(text=str(error))

    def _who_may(self, order: Order) -> str:
        roles = self.permits.directory.roles
        here = [
            id
            for id, role in roles.items()
            if role is Role.ADMIN and id.startswith(f"{order.actor.workspace}:")
        ]
        if here:
            return f"Only admins may do that here. Ask one of them: {', '.join(sorted(here))}."
        return (
            "Only admins may do that, and nobody here is one yet. Whoever runs Resona names them "
            f"in the setting people.admins; your id is {str(order.actor.id)!r}."
        )


@cache
def known_commands() -> Mapping[str, Command]:
    """Return every command by its name."""
    return {
        info.name: cast("Command", import_module(f"bot.commands.{info.name}"))
        for info in iter_modules([str(_FOLDER)])
    }


def _unknown(name: str) -> str:
    if name.casefold() in _NOT_YET:
        return f"{name.casefold()!r} is planned and not there yet. `help` lists what there is."
    shown = name if len(name) <= 40 else name[:40] + "…"
    meant = nearest(name, known_commands(), at_most=1)
    guess = f" Did you mean {meant[0]!r}?" if meant else ""
    return (
        f"There is no command {shown!r}.{guess} `help` lists them all. To ask a question, mention "
        "me or write to me directly."
    )
