"""Connecting a database from a chat: a form, a secret that comes by another way, a test, an end.

A form never holds the secret. It is typed at a page of ours, behind a link that works once and for
some minutes; the link leads to one attempt and can do nothing else. What was typed is kept
(encrypted) when the database has answered, and nowhere before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from secrets import token_urlsafe
from typing import Protocol

import structlog
from pydantic import BaseModel, ConfigDict

from adapters.storage.attempts import StoredAttempts
from bot.commanding import NotDone
from bot.connections import OpenConnection, inspected, spots_of
from bot.saved_connections import Saved, SavedConnection, SavedConnections
from bot.settings import ConnectionSettings
from bot.turns import Turns
from core.domain.audit import AuditEntry, Deed
from core.domain.connection import Thresholds
from core.domain.connection_draft import ConnectionDraft
from core.domain.errors import ConnectionUnusable, OperatorNeeded, ToolError
from core.domain.ids import ActorId, ConnectionName, fresh_id
from core.domain.login import RoleWarnings
from core.domain.people import Actor, Place, Role
from core.domain.replies import News
from core.domain.rights import Rights
from core.ports.warehouse import Warehouse
from core.toolkit.wording import counted

log = structlog.get_logger()

LINK_MINUTES = 10
SECRETS = "/secrets"
_TOKEN_BYTES = 32
_SECONDS_TO_OPEN = 120.0
_SECONDS_FOR_LAST_WORDS = 5.0
_TOO_LATE = f"It did not answer within {_SECONDS_TO_OPEN:.0f} s."
_BROKEN = "Something went wrong that nobody expected, so nothing was connected."
_INTERRUPTED = "I was stopped in the middle of it, so nothing was connected. Please try again."


class Attempt(BaseModel):
    """One try to connect a database, by whom and from where."""

    model_config = ConfigDict(frozen=True)

    id: str
    draft: ConnectionDraft
    actor: Actor
    place: Place


class Board(Protocol):
    """Where the one who connects sees how far it is; showing raises nothing."""

    async def show(self, news: News) -> None: ...


OpenBoard = Callable[[Attempt], Awaitable[Board | None]]


@dataclass(frozen=True, slots=True)
class _Silent:
    async def show(self, news: News) -> None:
        log.info("connecting", said=news.text)


@dataclass(slots=True, kw_only=True)
class Connecting:
    """`boards` has, by platform, how to open a board; a platform that serves puts its own there."""

    turns: Turns
    saved: SavedConnections
    attempts: StoredAttempts
    public_url: str
    boards: dict[str, OpenBoard] = field(default_factory=dict[str, OpenBoard])
    _work: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    def problems(self, draft: ConnectionDraft) -> Mapping[str, str]:
        """Return what is wrong with each field of a form; nothing slow happens here."""
        problems = draft.problems()
        known = self.turns.outside.connections
        if not draft.replaces and not known.is_gone(ConnectionName(draft.name)):
            taken = f"There is a connection {draft.name!r} already. Choose another name."
            return {**problems, "name": taken}
        return problems

    async def begin(self, draft: ConnectionDraft, actor: Actor, place: Place) -> str:
        """Begin an attempt, and return the link behind which its secret is typed.

        Raises:
            NotDone: this person may not, or there is no address for the link.
            StateUnusable: it cannot be kept.
        """
        person = self.turns.permits.directory.described(actor)
        if person.role is not Role.ADMIN:
            raise NotDone("Only admins may connect a database.")
        if not self.public_url:
            raise NotDone("page.public_url is not set, so there is no page to type a password at.")
        if draft.replaces and not await self._is_theirs(draft.name, person):
            raise NotDone(f"{draft.name} was not connected from here, so it is not replaced here.")
        attempt = Attempt(id=fresh_id(), draft=draft, actor=person, place=place)
        token = token_urlsafe(_TOKEN_BYTES)
        expires = self.turns.outside.clock.now() + timedelta(minutes=LINK_MINUTES)
        body = attempt.model_dump_json()
        await self.attempts.keep(attempt.id, body, token=token, expires=expires)
        return f"{self.public_url}{SECRETS}/{token}"

    async def _is_theirs(self, name: str, person: Actor) -> bool:
        """Say whether a connection was added from this person's workspace."""
        saved = (await self.saved.all()).get(ConnectionName(name))
        return saved is not None and saved.connection.added_by.startswith(f"{person.workspace}:")

    async def waiting(self, token: str) -> Attempt | None:
        """Return the attempt that a link leads to, and leave it as it is."""
        body = await self.attempts.peek(token)
        return Attempt.model_validate_json(body) if body else None

    async def receive(self, token: str, secret: str) -> bool:
        """Take the secret of an attempt and go on with it; False where nothing waits for it."""
        body = await self.attempts.take(token)
        if body is None:
            return False
        self._spawn(self._connected(Attempt.model_validate_json(body), secret))
        return True

    async def draft_of(self, attempt: str, actor: ActorId) -> ConnectionDraft | None:
        """Return what was filled in for an attempt, to the one who filled it in."""
        body = await self.attempts.look(attempt)
        found = Attempt.model_validate_json(body) if body else None
        return found.draft if found and found.actor.id == actor else None

    async def settled(self) -> None:
        """Wait until nothing is being connected."""
        while self._work:
            await asyncio.wait(self._work)

    async def close(self) -> None:
        """Stop what is being connected; each is told."""
        for task in self._work:
            task.cancel()
        await self.settled()

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = self.turns.tasks.create_task(_guarded(work), name="connecting")
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _connected(self, attempt: Attempt, secret: str) -> None:
        board = await self._board(attempt)
        try:
            news = await self._tried(attempt, secret, board)
        except (OperatorNeeded, ToolError) as error:
            news = News(text=str(error), attempt=attempt.id)
        except TimeoutError:
            news = News(text=f"{attempt.draft.place}: {_TOO_LATE}", attempt=attempt.id)
        except asyncio.CancelledError:
            with suppress(TimeoutError):
                async with asyncio.timeout(_SECONDS_FOR_LAST_WORDS):
                    await board.show(News(text=_INTERRUPTED, attempt=attempt.id))
            raise
        except Exception as error:
            news = News(text=f"{_BROKEN} (error {_noted(error)})", attempt=attempt.id)
        await board.show(news)

    async def _tried(self, attempt: Attempt, secret: str, board: Board) -> News:
        draft, name = attempt.draft, ConnectionName(attempt.draft.name)
        connection = _connection(attempt)
        settings = Saved(connection=connection, secret=secret).settings()
        connections = self.turns.outside.connections
        await board.show(News(text=f"{name}: opening {draft.place} …"))
        async with asyncio.timeout(_SECONDS_TO_OPEN):
            warehouse = await connections.open_warehouse(name, settings)
        adopted = False
        try:
            async with asyncio.timeout(_SECONDS_TO_OPEN):
                found = await self._looked_through(name, settings, warehouse, board)
                login = await _login(warehouse)
            await self.saved.add(name, connection, secret, replace=draft.replaces)
            adopted = await connections.adopt(settings, found)
        finally:
            if not adopted:
                await warehouse.close()
        await self._bound(attempt, name)
        return News(
            text=_success(attempt, found),
            warnings=login.sentences,
            statements=login.remedy,
        )

    async def _looked_through(
        self,
        name: ConnectionName,
        settings: ConnectionSettings,
        warehouse: Warehouse,
        board: Board,
    ) -> OpenConnection:
        await board.show(News(text=f"{name}: it answers; reading which tables there are …"))
        found = await inspected(name, settings, warehouse, self.turns.outside.clock)
        count = counted(len(found.catalog.tables), "table")
        await board.show(News(text=f"{name}: {count}; looking at what its login may do …"))
        return found

    async def _bound(self, attempt: Attempt, name: ConnectionName) -> None:
        """Choose it for the channel, and write down who connected it."""
        draft, outside = attempt.draft, self.turns.outside
        if draft.channel:
            where = replace(attempt.place, channel=draft.channel)
            [spot] = spots_of(attempt.actor.workspace, where)
            await self.saved.choose(spot, name, attempt.actor.id)
        entry = AuditEntry.of_change(
            Deed.CONNECTED,
            name,
            at=outside.clock.now(),
            actor=attempt.actor,
            place=attempt.place,
            said=f"connect {name}",
        )
        entry = replace(entry, note=draft.place)
        try:
            await outside.audit.record(entry)
        except OperatorNeeded:
            log.exception("audit_entry_lost", deed=entry.deed, connection=name)

    async def _board(self, attempt: Attempt) -> Board:
        opening = self.boards.get(attempt.place.platform)
        return (await opening(attempt) if opening else None) or _Silent()


async def _guarded(work: Coroutine[object, object, None]) -> None:
    """Do the work; an error in it must not end the process, which answers others."""
    try:
        await work
    except Exception as error:
        _noted(error)


def _noted(error: Exception) -> str:
    """Log what nobody expected, and return the id under which it stands there."""
    error_id = fresh_id()[:12]
    # Its text and its trace may hold anything that was typed.
    log.warning("connecting_failed", kind=type(error).__name__, error_id=error_id)
    return error_id


async def _login(warehouse: Warehouse) -> RoleWarnings:
    """Return what the login may do besides reading; that it is not known is a warning too."""
    try:
        return await warehouse.role_warnings()
    except ConnectionUnusable as error:
        return RoleWarnings(
            sentences=(f"What its login may do could not be found out: {error}",), remedy=""
        )


def _connection(attempt: Attempt) -> SavedConnection:
    """Return what is kept: for the people of the workspace, or of one channel alone."""
    draft, place = attempt.draft, attempt.place
    workspace = f"{place.platform}:{place.workspace}" if place.workspace else place.platform
    where = f"{place.platform}:{draft.channel}" if draft.only_there else workspace
    return SavedConnection(
        url=draft.url,
        description=draft.description,
        schemas=draft.schema_names,
        tables=draft.table_names,
        # Whoever runs the bot may ask it too; costs are decided by those who may connect.
        rights=Rights(
            places=(where, "terminal"),
            approvers=("@admin",),
            hide=draft.hidden,
            mask=draft.masked,
        ),
        ask_above_rows=draft.rows_unasked or Thresholds().rows,
        added_by=attempt.actor.id,
    )


def _success(attempt: Attempt, found: OpenConnection) -> str:
    draft, tables = attempt.draft, found.catalog.tables
    columns = sum(len(table.columns) for table in tables)
    names = ", ".join(table.qualified_name for table in tables[:5])
    more = ", …" if len(tables) > 5 else ""
    where = f"{attempt.place.platform}:{draft.channel}"
    bound = f" Questions in {where} go to it from now on." if draft.channel else ""
    return (
        f"{draft.name} is connected: {counted(len(tables), 'table')} with"
        f" {counted(columns, 'column')} ({names}{more})."
        f"{bound}"
    )
