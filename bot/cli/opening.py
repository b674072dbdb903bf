"""Opens a connection for as long as a command looks at it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.bootstrap import open_app
from bot.cli.choosing import Chosen
from bot.connections import OpenConnection
from core.domain.errors import ConnectionUnusable

Seen = TypeVar("Seen")


def look_at(chosen: Chosen, use: Callable[[OpenConnection], Awaitable[Seen]]) -> Seen:
    """Return what `use` makes of the open connection.

    Raises:
        ConnectionUnusable: it cannot be opened or has nothing to read.
    """
    found = asyncio.run(_used(chosen, use))
    if isinstance(found, ConnectionUnusable):
        raise found
    return found


async def _used(
    chosen: Chosen, use: Callable[[OpenConnection], Awaitable[Seen]]
) -> Seen | ConnectionUnusable:
    # Raised in here it would come out in a group, for there may be tasks beside it.
    async with open_app(chosen.settings) as app:
        try:
            return await use(await app.outside.connections.get(chosen.connection))
        except ConnectionUnusable as error:
            return error
