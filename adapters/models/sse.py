"""Server-sent events, parted at the level of bytes."""

from __future__ import annotations

LONGEST_LINE = 8 * 1024 * 1024


class LineTooLong(ValueError):
    """A line of more bytes than any event has."""


class EventSplitter:
    """Gives the data of each event once it is whole, however the bytes were cut.

    Lines may end in LF, CRLF or CR. Comments and the other fields of an event are passed over;
    several data lines of one event are joined, as the standard has it.
    """

    __slots__ = ("_after_cr", "_data", "_rest")

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []
        self._after_cr = False

    def feed(self, received: bytes) -> list[bytes]:
        """Return the data of every event that these bytes complete."""
        if not received:
            return []
        if self._after_cr and received.startswith(b"\n"):
            received = received[1:]
        self._after_cr = received.endswith(b"\r")
        buffer = self._rest + received if self._rest else received
        lines = buffer.splitlines()
        self._rest = b"" if buffer.endswith((b"\n", b"\r")) or not lines else lines.pop()
        if len(self._rest) > LONGEST_LINE:
            raise LineTooLong(f"more than {LONGEST_LINE} bytes without a line break")
        return self._events(lines)

    def flush(self) -> list[bytes]:
        """Return what the stream ended on, where it lacks its last blank line."""
        rest, self._rest = self._rest, b""
        return self._events([rest, b""])

    def _events(self, lines: list[bytes]) -> list[bytes]:
        data = self._data
        events: list[bytes] = []
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].lstrip(b" "))
            elif not line and data:
                events.append(data[0] if len(data) == 1 else b"\n".join(data))
                data.clear()
        return events
