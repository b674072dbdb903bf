"""Shows a run on a surface: one message, kept current at the pace that the platform bears."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field

from core.delivery.fold import fold
from core.domain.events import Event
from core.domain.ids import ThreadId
from core.domain.view import MessageView
from core.ports.surface import PostedMessage, Surface

BEFORE = MessageView(status="Reading the question")


@dataclass(slots=True)
class _Board:
    """The view that is true now, and whether it is the last one."""

    view: MessageView = BEFORE
    final: asyncio.Event = field(default_factory=asyncio.Event)


async def deliver(
    events: AsyncIterator[Event], *, thread: ThreadId, surface: Surface, pace: float = 1.0
) -> MessageView:
    """Post one message and keep it current, with `pace` seconds between two changes.

    A view that nothing follows is shown all the same: a long query is never a silent one. The
    last view is shown once, at once.

    Raises:
        DeliveryFailed: in an ExceptionGroup when the message stood already; the run is cancelled.
    """
    board = _Board()
    message = await surface.post(thread, board.view)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_show_changes(board, message, shown=board.view, pace=pace))
        async for event in events:
            board.view = fold(board.view, event)
        board.final.set()
    return board.view


async def _show_changes(
    board: _Board, message: PostedMessage, *, shown: MessageView, pace: float
) -> None:
    final = False
    while not final:
        with suppress(TimeoutError):
            final = await asyncio.wait_for(board.final.wait(), timeout=pace)
        if board.view != shown:
            shown = board.view
            await message.show(shown)
