"""Messages as bytes on a pipe: a length, then a pickle of some of them and of no other class.

Pickle keeps every cell exact (decimals, dates, identifiers) at the speed of C. What makes it
dangerous, calling whatever the sender names, is taken away on both ends: the reader knows the
messages and the kinds of cell, and refuses every other name.
"""

import asyncio
import pickle
from datetime import timedelta, timezone
from io import BytesIO
from struct import Struct
from typing import cast
from zoneinfo import ZoneInfo

from adapters.warehouses.child.messages import Message
from adapters.warehouses.parts import Rows

_LENGTH = Struct(">I")
_LARGEST = 512 * 1024 * 1024
_MESSAGES = "adapters.warehouses.child.messages"
_PARTS = "adapters.warehouses.parts"
_KNOWN = frozenset(
    {
        *((_MESSAGES, name) for name in ("Open", "Ask", "Stop")),
        *((_MESSAGES, name) for name in ("Opened", "Ended", "Failed", "Fault")),
        *((_PARTS, name) for name in ("Head", "Heads", "Rows")),
        *(("datetime", name) for name in ("date", "datetime", "time", "timedelta", "timezone")),
        ("decimal", "Decimal"),
        ("uuid", "UUID"),
    }
)


def _as_utc(_zone: ZoneInfo) -> tuple[type[timezone], tuple[timedelta]]:
    # The clock of every engine is set to UTC; only the name that it gives the zone varies.
    return timezone, (timedelta(0),)


_FOUND: dict[tuple[str, str], type] = {}


class NotAFrame(Exception):
    """What came through the pipe is not what the other end may say."""


def encode(*messages: Message) -> bytes:
    """Return the frame of some messages, which arrive together."""
    frame = BytesIO()
    frame.write(bytes(_LENGTH.size))
    pickler = pickle.Pickler(frame, protocol=5)
    pickler.dispatch_table = {ZoneInfo: _as_utc}
    # Without its memo a pickle of plain cells is made in less than half the time.
    pickler.fast = all(message.plain for message in messages if isinstance(message, Rows))
    pickler.dump(messages)
    frame.seek(0)
    frame.write(_LENGTH.pack(frame.getbuffer().nbytes - _LENGTH.size))
    return frame.getvalue()


async def receive(reader: asyncio.StreamReader) -> tuple[Message, ...]:
    """Read the messages of the next frame; none when the other end has closed the pipe.

    Raises:
        NotAFrame: the bytes hold anything that is no message.
    """
    try:
        (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
        if length > _LARGEST:
            raise NotAFrame(f"a frame of {length} bytes")
        content = await reader.readexactly(length)
    except (asyncio.IncompleteReadError, ConnectionError):
        return ()
    return _decode(content)


def _decode(content: bytes) -> tuple[Message, ...]:
    messages: object = _KnownClassesOnly(BytesIO(content)).load()
    if not isinstance(messages, tuple) or not messages:
        raise NotAFrame("no messages")
    return tuple(_known(each) for each in cast("tuple[object, ...]", messages))


def _known(message: object) -> Message:
    if not isinstance(message, Message):
        raise NotAFrame(f"a {type(message).__name__}")
    return message


class _KnownClassesOnly(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> type:
        name = (module_name, global_name)
        if name not in _KNOWN:
            raise NotAFrame(f"{module_name}.{global_name}")
        if name not in _FOUND:
            _FOUND[name] = super().find_class(module_name, global_name)
        return _FOUND[name]
