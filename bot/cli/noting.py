"""Writes down what is changed at the terminal, as changes from a chat are."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from adapters.inmemory.clock import SystemClock
from adapters.storage.opening import open_state
from bot.asking import PLACE, READER
from bot.bootstrap import state_url
from bot.settings import Settings
from core.domain.audit import AuditEntry, Deed
from core.domain.ids import ConnectionName
from core.ports.clock import Clock


def note_change(settings: Settings, deed: Deed, name: str, *, said: str, note: str = "") -> None:
    """Keep a change of connections in the audit log.

    Raises:
        StateUnusable: it could not be written.
    """
    clock = SystemClock()
    entry = AuditEntry.of_change(
        deed, ConnectionName(name), at=clock.now(), actor=READER, place=PLACE, said=said
    )
    asyncio.run(_kept(settings, replace(entry, note=note), clock))


async def _kept(settings: Settings, entry: AuditEntry, clock: Clock) -> None:
    async with open_state(state_url(settings), clock) as state:
        await state.audit.record(entry)
