"""A surface that remembers all it was asked to show."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from core.domain.errors import DeliveryFailed
from core.domain.ids import ThreadId
from core.domain.view import MessageView


@dataclass(frozen=True, slots=True)
class RememberedMessage:
    """One message and every view of it, the newest last."""

    thread: ThreadId
    history: list[MessageView]
    surface: "InMemorySurface"

    async def show(self, view: MessageView) -> None:
        await self.surface.record(self, view)


@dataclass(slots=True)
class InMemorySurface:
    """`closed` makes it fail as a platform does that takes no messages."""

    messages: list[RememberedMessage] = field(default_factory=list[RememberedMessage])
    closed: bool = False
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def post(self, thread: ThreadId, view: MessageView) -> RememberedMessage:
        message = RememberedMessage(thread, [], self)
        await message.show(view)
        self.messages.append(message)
        return message

    async def record(self, message: RememberedMessage, view: MessageView) -> None:
        """Keep a view of a message.

        Raises:
            DeliveryFailed: the surface is closed.
        """
        if self.closed:
            raise DeliveryFailed("The surface takes no messages.")
        async with self._changed:
            message.history.append(view)
            self._changed.notify_all()

    async def until(self, holds: Callable[[MessageView], bool]) -> None:
        """Wait until the newest message shows a view for which `holds` is true."""
        async with self._changed:
            await self._changed.wait_for(
                lambda: bool(self.messages) and holds(self.messages[-1].history[-1])
            )
