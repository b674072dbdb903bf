"""What is said about a login that may do more than read."""

from __future__ import annotations

from collections.abc import Iterator

from bot.connections import OpenConnection
from core.domain.errors import ConnectionUnusable
from core.domain.login import RoleWarnings


async def about_login(found: OpenConnection) -> tuple[str, ...]:
    """Return lines for whoever runs the bot: what the login may do, and the SQL for a better one.

    None where it may only read, and of a file.
    """
    try:
        return tuple(_lines(await found.warehouse.role_warnings()))
    except ConnectionUnusable as error:
        return (f"What its login may do could not be found out: {error}",)


def _lines(warnings: RoleWarnings) -> Iterator[str]:
    if not warnings.sentences:
        return
    yield from warnings.sentences
    yield "Nothing is written through it, but a login that cannot is safer. An administrator makes"
    yield "one with these statements (choose a password); then connect with it:"
    yield from (f"    {statement}" for statement in warnings.remedy.splitlines())
