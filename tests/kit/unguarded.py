"""Queries that the guard would refuse, to test the walls behind it."""

import asyncio

from core.domain.query import GUARD_SEAL, Dialect, GuardedQuery
from core.ports.warehouse import Warehouse
from tests.kit.patience import PATIENCE


def unguarded(sql: str, dialect: Dialect) -> GuardedQuery:
    return GuardedQuery(sql=sql, dialect=dialect, relations=(), seal=GUARD_SEAL)


async def until_it_counts(warehouse: Warehouse, sql: str, *, count: int) -> None:
    """Ask a query that counts until it counts so many."""
    query = unguarded(sql, warehouse.dialect)
    async with asyncio.timeout(PATIENCE):
        while (await warehouse.fetch(query, max_rows=1)).rows != ((count,),):
            pass
