"""What every Surface does. Subclass it next to the implementation; add nothing to pass."""

import pytest

from core.domain.answer import Answer
from core.domain.errors import DeliveryFailed
from core.domain.ids import ThreadId
from core.domain.view import MessageView
from core.ports.surface import Surface

THREAD = ThreadId("here")
WORKING = MessageView(status="Reading the question")
DONE = MessageView(text="42 orders.", answer=Answer(text="42 orders."), done=True)


class SurfaceContract:
    """The subclass gives a `surface`, and says what stands there and how the platform fails."""

    async def texts_shown(self, surface: Surface) -> list[str]:
        """Return what a reader sees now, one text a message."""
        raise NotImplementedError

    async def break_down(self, surface: Surface) -> None:
        """Make the platform take no more messages."""
        raise NotImplementedError

    async def test_posts_one_message(self, surface: Surface):
        await surface.post(THREAD, WORKING)

        [text] = await self.texts_shown(surface)
        assert "Reading the question" in text

    async def test_rewrites_the_message_it_posted(self, surface: Surface):
        message = await surface.post(THREAD, WORKING)

        await message.show(DONE)

        [text] = await self.texts_shown(surface)
        assert "42 orders." in text
        assert "Reading the question" not in text

    async def test_two_messages_are_two(self, surface: Surface):
        await surface.post(THREAD, WORKING)
        await surface.post(THREAD, DONE)

        assert len(await self.texts_shown(surface)) == 2

    async def test_says_when_the_platform_takes_no_message(self, surface: Surface):
        message = await surface.post(THREAD, WORKING)
        await self.break_down(surface)

        with pytest.raises(DeliveryFailed):
            await message.show(DONE)
        with pytest.raises(DeliveryFailed):
            await surface.post(THREAD, DONE)
