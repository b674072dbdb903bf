"""How long tests wait for what has to come. Only a test that fails waits that long.

Other tests run at the same time, and a machine may be slow: what has to come may take seconds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from core.domain.errors import TemporarilyUnavailable

_T = TypeVar("_T")

PATIENCE = 120.0  # seconds
_TRIES = 20


async def patiently(ask: Callable[[], Awaitable[_T]]) -> _T:
    """Ask what gives up quickly until a busy machine has answered in time.

    Raises:
        TimeoutError, TemporarilyUnavailable: it never did.
    """
    for _ in range(_TRIES):
        with suppress(TimeoutError, TemporarilyUnavailable):
            return await ask()
    return await ask()
