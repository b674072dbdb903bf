"""Opens connections when they are first asked for, and keeps their catalogs fresh."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import structlog

from bot.settings import ConnectionSettings
from core.domain.catalog import Catalog
from core.domain.connection import Connection
from core.domain.errors import ConnectionUnusable, OperatorNeeded
from core.domain.ids import ConnectionName, ThreadId, WorkspaceId
from core.domain.people import Place
from core.domain.rights import Rights, narrowed
from core.ports.clock import Clock
from core.ports.warehouse import Warehouse
from core.sql.view_lineage import traced

log = structlog.get_logger()

DEMO = ConnectionName("demo")
# Whoever asks for a connection without saying where from runs the bot.
_TERMINAL = Place(platform="terminal")
_FRESH_SECONDS = 600.0
# A run that began before a connection was removed may still read from it.
_SECONDS_FOR_READERS = 600.0

OpenWarehouse = Callable[[ConnectionName, ConnectionSettings], Awaitable[Warehouse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenConnection:
    """A connection that answers, and what was found in it."""

    connection: Connection
    warehouse: Warehouse
    catalog: Catalog
    inspected_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """Connections beside those of the settings; `broken` says why some of them cannot be used.

    `since` is when each was added as it is now.
    """

    version: int = 0
    usable: Mapping[ConnectionName, ConnectionSettings] = field(
        default_factory=dict[ConnectionName, ConnectionSettings]
    )
    broken: Mapping[ConnectionName, str] = field(default_factory=dict[ConnectionName, str])
    since: Mapping[ConnectionName, datetime] = field(default_factory=dict[ConnectionName, datetime])


class Additions(Protocol):
    """Where connections are added and removed, by this process or by another one.

    - `glance` is cheap; it gives the version of what was added, and what was chosen for the first
      of the spots for which anything was.
    """

    async def glance(self, spots: tuple[str, ...]) -> tuple[int, ConnectionName | None]: ...

    async def added(self) -> Added: ...


class NothingAdded:
    """No connections but those of the settings."""

    async def glance(self, spots: tuple[str, ...]) -> tuple[int, ConnectionName | None]:
        return 0, None

    async def added(self) -> Added:
        return Added()


@dataclass(frozen=True, slots=True)
class _Held:
    """An open connection, with the settings that it was opened with."""

    settings: ConnectionSettings
    found: OpenConnection


@dataclass(slots=True, kw_only=True)
class Connections:
    """One warehouse a connection for the whole process; `get` may be called by many at once.

    known: those of the settings at first; later also what was added
    default: what is asked where nothing was chosen. When the settings name none
        (`default_is_named`), the only one that may be asked in a place takes its stead there
    """

    known: dict[ConnectionName, ConnectionSettings]
    default: ConnectionName
    open_warehouse: OpenWarehouse
    clock: Clock
    additions: Additions = field(default_factory=NothingAdded)
    default_is_named: bool = True
    broken: Mapping[ConnectionName, str] = field(default_factory=dict[ConnectionName, str])
    _configured: Mapping[ConnectionName, ConnectionSettings] = field(init=False)
    _version: int = 0
    _since: Mapping[ConnectionName, datetime] = field(
        default_factory=dict[ConnectionName, datetime]
    )
    _refreshing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _retired: list[tuple[float, Warehouse]] = field(default_factory=list[tuple[float, Warehouse]])
    _open: dict[ConnectionName, _Held] = field(default_factory=dict[ConnectionName, _Held])
    _locks: dict[ConnectionName, asyncio.Lock] = field(
        default_factory=dict[ConnectionName, asyncio.Lock]
    )

    def __post_init__(self) -> None:
        self._configured = dict(self.known)

    async def get(self, name: ConnectionName | None) -> OpenConnection:
        """Return a connection with a catalog of the last ten minutes; None means the default one.

        Raises:
            ConnectionUnusable: it is not known, cannot be opened, or has nothing to read.
        """
        await self.refresh()
        wanted = name or self.default_in(_TERMINAL)
        async with self._locks.setdefault(wanted, asyncio.Lock()):
            settings = self._settings(wanted)
            held = self._held(wanted, settings)
            if held is None or self._is_stale(held.found):
                found = await self._inspected(wanted, settings, held)
                held = self._open[wanted] = _Held(settings, found)
            return held.found

    def opened(self, name: ConnectionName) -> OpenConnection | None:
        """Return a connection as it was opened last; None while nobody has asked it."""
        held = self._open.get(name)
        return held.found if held else None

    @asynccontextmanager
    async def tried(
        self, name: ConnectionName, settings: ConnectionSettings
    ) -> AsyncGenerator[OpenConnection]:
        """Open a connection that is not known yet, for as long as the block looks at it.

        Raises:
            ConnectionUnusable: it cannot be opened, or has nothing to read.
        """
        warehouse = await self.open_warehouse(name, settings)
        try:
            yield await inspected(name, settings, warehouse, self.clock)
        finally:
            await warehouse.close()

    async def adopt(self, settings: ConnectionSettings, found: OpenConnection) -> bool:
        """Go on with a connection that was opened while it was tried; False where it is no use.

        Whoever is told False still has to close it.
        """
        await self.refresh()
        name = found.connection.name
        async with self._locks.setdefault(name, asyncio.Lock()):
            if self.known.get(name) != settings or self._held(name, settings) is not None:
                return False
            self._open[name] = _Held(settings, found)
            return True

    async def chosen(
        self, workspace: WorkspaceId, place: Place, thread: ThreadId | None = None
    ) -> ConnectionName:
        """Return what was chosen for a thread, its channel or its workspace, else the default."""
        spots = (*spots_of(workspace, place, thread), workspace_spot(workspace))
        return await self.refresh(spots) or self.default_in(place)

    def default_in(self, place: Place) -> ConnectionName:
        """Return what is asked in a place where nothing was chosen."""
        if self.default_is_named:
            return self.default
        own = [
            name
            for name, each in self.known.items()
            if name != DEMO and (self.is_configured(name) or each.rights.names(place))
        ]
        return own[0] if len(own) == 1 else self.default

    async def refresh(self, spots: tuple[str, ...] = ()) -> ConnectionName | None:
        """Learn what was added and forget what was removed; return what the spots use.

        While the state cannot be read, what is known stays.
        """
        try:
            version, chosen = await self.additions.glance(spots)
            if version != self._version:
                await self._learn()
        except OperatorNeeded as error:
            log.warning("connections_not_read", reason=str(error))
            return None
        return chosen

    def is_configured(self, name: ConnectionName) -> bool:
        """Say whether a connection stands in the settings, where alone it can be changed."""
        return name in self._configured

    def is_gone(self, name: ConnectionName) -> bool:
        """Say whether there is no connection of that name, not even one that cannot be used."""
        return name not in self.known and name not in self.broken

    def is_newer(self, name: ConnectionName, than: datetime) -> bool:
        """Say whether a connection was added, or changed, after a moment."""
        since = None if self.is_configured(name) else self._since.get(name)
        return since is not None and since > than

    def rights(self, name: ConnectionName) -> Rights | None:
        """Return who may use a connection and what it shows; None of one that is not known."""
        settings = self.known.get(name)
        return settings.rights if settings else None

    async def close(self) -> None:
        """Close every warehouse that was opened."""
        for name in tuple(self._open):
            self._retire(name)
        await self._close_retired(float("inf"))

    async def _learn(self) -> None:
        async with self._refreshing:
            added = await self.additions.added()
            # Whoever is looking through the old mapping at this moment goes on with it.
            self.known = {**added.usable, **self._configured}
            self.broken, self._version = added.broken, added.version
            self._since = added.since
        for name in tuple(self._open):
            self._held(name, self.known.get(name))
        await self._close_retired(self.clock.monotonic() - _SECONDS_FOR_READERS)

    def _held(self, name: ConnectionName, settings: ConnectionSettings | None) -> _Held | None:
        """Return what is open with these very settings; what is open with others is let go."""
        held = self._open.get(name)
        if held is not None and held.settings != settings:
            self._retire(name)
            return None
        return held

    def _retire(self, name: ConnectionName) -> None:
        self._retired.append((self.clock.monotonic(), self._open.pop(name).found.warehouse))

    async def _close_retired(self, before: float) -> None:
        late = [warehouse for since, warehouse in self._retired if since < before]
        self._retired = [each for each in self._retired if each[0] >= before]
        for warehouse in late:
            await warehouse.close()

    def _settings(self, name: ConnectionName) -> ConnectionSettings:
        if name in self.known:
            return self.known[name]
        if name in self.broken:
            raise ConnectionUnusable(f"The connection {name!r} cannot be used. {self.broken[name]}")
        # Which there are is not told here: not everybody may know of all of them.
        raise ConnectionUnusable(f"There is no connection {name!r} any more, or there never was.")

    def _is_stale(self, found: OpenConnection) -> bool:
        return self.clock.monotonic() - found.inspected_at > _FRESH_SECONDS

    async def _inspected(
        self, name: ConnectionName, settings: ConnectionSettings, held: _Held | None
    ) -> OpenConnection:
        warehouse = held.found.warehouse if held else await self.open_warehouse(name, settings)
        try:
            return await inspected(name, settings, warehouse, self.clock)
        except BaseException:
            if held is None:
                await warehouse.close()
            raise


async def _traced(catalog: Catalog, rights: Rights) -> Catalog:
    """Find out what views are made of, where rules about columns have to hold for them too."""
    return await asyncio.to_thread(traced, catalog) if rights.hide or rights.mask else catalog


async def inspected(
    name: ConnectionName, settings: ConnectionSettings, warehouse: Warehouse, clock: Clock
) -> OpenConnection:
    """Look through a warehouse that was opened with these settings.

    Raises:
        ConnectionUnusable: it does not answer, or has nothing to read.
    """
    catalog = narrowed(
        await _traced(await warehouse.inspect(), settings.rights),
        settings.rights,
        schemas=settings.schemas,
        tables=settings.tables,
    )
    return OpenConnection(
        connection=Connection(
            name=name,
            dialect=warehouse.dialect,
            description=settings.description,
            schemas=settings.schemas,
            tables=settings.tables,
            thresholds=settings.thresholds,
            limits=settings.limits,
            prices=settings.prices,
            rights=settings.rights,
        ),
        warehouse=warehouse,
        catalog=catalog,
        inspected_at=clock.monotonic(),
    )


def spots_of(
    workspace: WorkspaceId, place: Place, thread: ThreadId | None = None
) -> tuple[str, ...]:
    """Return the names under which a place may have chosen a connection, the most special first."""
    in_thread = (f"thread {thread}",) if thread else ()
    in_channel = (f"channel {workspace} {place}",) if place.channel else ()
    return (*in_thread, *in_channel)


def workspace_spot(workspace: WorkspaceId) -> str:
    """Return the name under which a workspace has chosen its default connection."""
    return f"workspace {workspace}"
