"""Where an answer is shown."""

from typing import Protocol

from core.domain.ids import ThreadId
from core.domain.view import MessageView


class PostedMessage(Protocol):
    """One message on a platform that can be rewritten."""

    async def show(self, view: MessageView) -> None: ...


class Surface(Protocol):
    """Kept honest by tests/conformance/surface.py.

    - `post` makes one message and gives a hold on it; `show` rewrites that message.
    - Both raise DeliveryFailed when the platform does not take it.
    """

    async def post(self, thread: ThreadId, view: MessageView) -> PostedMessage: ...
