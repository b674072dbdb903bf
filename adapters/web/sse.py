"""Events as server-sent events: `id: <position>`, `event: <kind>`, `data: <one line of JSON>`."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

from core.domain.events import Event, dump

HEARTBEAT = b": still here\n\n"
HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    # A proxy that gathers the stream before it hands it on would hold the answer back.
    "X-Accel-Buffering": "no",
}


def frame(position: int, event: Event) -> bytes:
    """Return one server-sent event; JSON has no line breaks, so its data is one line."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (position, event.kind.encode(), dump(event))


async def frames(
    events: AsyncIterator[tuple[int, Event]], *, pause: float
) -> AsyncGenerator[bytes]:
    """Give each event as a frame, and a heartbeat after `pause` seconds without one.

    The heartbeat keeps proxies from hanging up, and finds out when the reader has; the first
    one comes after a second at most, so that the reader knows that the question was taken.
    """
    patience = min(pause, 1.0)
    while True:
        # A time-out around `anext` would cancel the iterator; this waits and leaves it alone.
        coming = asyncio.ensure_future(anext(events, None))
        try:
            while not (await asyncio.wait({coming}, timeout=patience))[0]:
                patience = pause
                yield HEARTBEAT
        finally:
            coming.cancel()
            await asyncio.wait({coming})
        patience = pause
        found = coming.result()
        if found is None:
            return
        yield frame(*found)
