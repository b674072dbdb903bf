"""What time it is."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Kept honest by tests/conformance/clock.py.

    - `now` is aware of its time zone (UTC).
    - `monotonic` counts seconds and never goes back; `sleep` waits that long.
    """

    def now(self) -> datetime: ...

    def monotonic(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...
