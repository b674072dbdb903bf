"""Shows a run on a surface: one message, kept current at the pace that the platform bears."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from core.delivery.fold import fold
from core.domain.events import Event
from core.domain.ids import ThreadId
from core.domain.view import MessageView
from core.ports.surface import PostedMessage, Surface

BEFORE = MessageView(status="Reading the question")
# From how many seconds on, and in steps of how many, a view says that nothing has changed.
_STEPS = ((120, 30), (30, 15), (5, 5))


@dataclass(slots=True)
class _Board:
    """The view that is true now, since when, and whether it is the last one."""

    clock: Callable[[], float]
    view: MessageView = BEFORE
    since: float = field(init=False)
    final: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.since = self.clock()

    def put(self, view: MessageView) -> None:
        if view != self.view:
            self.view, self.since = view, self.clock()

    @property
    def shown(self) -> MessageView:
        """Return the view with the seconds for which it has stood, where they are many."""
        waited = 0 if self.view.done else told(self.clock() - self.since)
        return replace(self.view, waited=waited) if waited else self.view


async def deliver(
    events: AsyncIterator[Event],
    *,
    thread: ThreadId,
    surface: Surface,
    pace: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
) -> MessageView:
    """Post one message and keep it current, with `pace` seconds between two changes.

    A view that nothing follows is shown all the same, and again now and then with the seconds
    that it has stood: a long query is never a silent one. The last view is shown once, at once.

    Raises:
        DeliveryFailed: in an ExceptionGroup when the message stood already; the run is cancelled.
    """
    board = _Board(clock)
    message = await surface.post(thread, board.view)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_show_changes(board, message, shown=board.view, pace=pace))
        async for event in events:
            board.put(fold(board.view, event))
        board.final.set()
    return board.view


async def _show_changes(
    board: _Board, message: PostedMessage, *, shown: MessageView, pace: float
) -> None:
    final = False
    while not final:
        with suppress(TimeoutError):
            await asyncio.wait_for(board.final.wait(), timeout=pace)
        final = board.final.is_set()
        view = board.shown
        if view != shown:
            shown = view
            await message.show(shown)


def told(seconds: float) -> int:
    """Return the seconds as they are told: none at first, then in steps that grow."""
    step = next((step for least, step in _STEPS if seconds >= least), 0)
    return int(seconds // step) * step if step else 0
