"""Opens connections when they are first asked for, and keeps their catalogs fresh."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.settings import ConnectionSettings
from core.domain.catalog import Catalog
from core.domain.connection import Connection
from core.domain.errors import ConnectionUnusable
from core.domain.ids import ConnectionName
from core.domain.rights import Rights, narrowed
from core.ports.clock import Clock
from core.ports.warehouse import Warehouse

_FRESH_SECONDS = 600.0

OpenWarehouse = Callable[[ConnectionName, ConnectionSettings], Awaitable[Warehouse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenConnection:
    """A connection that answers, and what was found in it."""

    connection: Connection
    warehouse: Warehouse
    catalog: Catalog
    inspected_at: float


@dataclass(slots=True, kw_only=True)
class Connections:
    """One warehouse a connection for the whole process; `get` may be called by many at once."""

    known: dict[ConnectionName, ConnectionSettings]
    default: ConnectionName
    open_warehouse: OpenWarehouse
    clock: Clock
    _open: dict[ConnectionName, OpenConnection] = field(
        default_factory=dict[ConnectionName, OpenConnection]
    )
    _locks: dict[ConnectionName, asyncio.Lock] = field(
        default_factory=dict[ConnectionName, asyncio.Lock]
    )

    async def get(self, name: ConnectionName | None) -> OpenConnection:
        """Return a connection with a catalog of the last ten minutes; None means the default one.

        Raises:
            ConnectionUnusable: it is not known, cannot be opened, or has nothing to read.
        """
        wanted = self.name_of(name)
        if wanted not in self.known:
            raise ConnectionUnusable(
                f"There is no connection {wanted!r}. Known: {', '.join(sorted(self.known))}."
            )
        async with self._locks.setdefault(wanted, asyncio.Lock()):
            found = self._open.get(wanted)
            if found is None or self._is_stale(found):
                found = await self._inspected(wanted, found)
                self._open[wanted] = found
            return found

    def name_of(self, name: ConnectionName | None) -> ConnectionName:
        """Return the connection that is meant; None means the default one."""
        return name or self.default

    def rights(self, name: ConnectionName) -> Rights | None:
        """Return who may use a connection and what it shows; None of one that is not known."""
        settings = self.known.get(name)
        return settings.rights if settings else None

    async def close(self) -> None:
        """Close every warehouse that was opened."""
        for found in self._open.values():
            await found.warehouse.close()
        self._open.clear()

    def _is_stale(self, found: OpenConnection) -> bool:
        return self.clock.monotonic() - found.inspected_at > _FRESH_SECONDS

    async def _inspected(
        self, name: ConnectionName, found: OpenConnection | None
    ) -> OpenConnection:
        settings = self.known[name]
        warehouse = found.warehouse if found else await self.open_warehouse(name, settings)
        try:
            catalog = narrowed(
                await warehouse.inspect(),
                settings.rights,
                schemas=settings.schemas,
                tables=settings.tables,
            )
        except BaseException:
            if found is None:
                await warehouse.close()
            raise
        return OpenConnection(
            connection=_described(name, settings, warehouse),
            warehouse=warehouse,
            catalog=catalog,
            inspected_at=self.clock.monotonic(),
        )


def _described(
    name: ConnectionName, settings: ConnectionSettings, warehouse: Warehouse
) -> Connection:
    return Connection(
        name=name,
        dialect=warehouse.dialect,
        description=settings.description,
        schemas=settings.schemas,
        tables=settings.tables,
        thresholds=settings.thresholds,
        limits=settings.limits,
        rights=settings.rights,
    )
