"""The product's own ways to a database: through the door alone, and through guard and door."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from adapters.warehouses.opening import open_warehouse
from core.domain.connection import Limits
from core.ports.warehouse import Warehouse
from core.sql.guard import Guard
from tests.kit.fences.trial import SECONDS, Send
from tests.kit.unguarded import unguarded

_ROWS = 1_000


@asynccontextmanager
async def through_the_door(url: str) -> AsyncGenerator[Send]:
    """Give a way that no guard watches: every fence behind it is up."""
    warehouse = await open_warehouse(url, limits=Limits(seconds=SECONDS))

    async def send(sql: str) -> str:
        query = unguarded(sql, warehouse.dialect)
        return str((await warehouse.fetch(query, max_rows=_ROWS)).rows)

    try:
        yield send
    finally:
        await warehouse.close()


@dataclass(frozen=True, slots=True)
class Guarded:
    """The way that every query takes; `reached` are the texts that the guard let through."""

    guard: Guard
    warehouse: Warehouse
    reached: list[str] = field(default_factory=list[str])

    async def send(self, sql: str) -> str:
        query = self.guard.check(sql, max_rows=_ROWS)
        self.reached.append(sql)
        return str((await self.warehouse.fetch(query, max_rows=_ROWS)).rows)


@asynccontextmanager
async def through_guard_and_door(url: str) -> AsyncGenerator[Guarded]:
    """Give the way that every query takes."""
    warehouse = await open_warehouse(url, limits=Limits(seconds=SECONDS))
    try:
        yield Guarded(Guard(catalog=await warehouse.inspect()), warehouse)
    finally:
        await warehouse.close()
