"""What the door asks of an engine whose driver blocks: sessions, each for one thread at a time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from adapters.warehouses.parts import Head
from core.domain.errors import ToolError
from core.domain.query import NO_CEILING, Ceiling
from core.domain.table import Row


class Purpose(Enum):
    """Why something is asked: a query that was checked, SQL of our own, or a plan of a query."""

    READ = auto()
    CATALOG = auto()
    PLAN = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One statement, the seconds that the engine may take for it, and what it may read."""

    sql: str
    purpose: Purpose
    seconds: float
    ceiling: Ceiling = NO_CEILING


class Session(Protocol):
    """A connection of one engine. Every call blocks, and raises what the driver raises.

    - `start` runs a statement until its columns are known. For a plan it runs nothing else.
    - `take` gives the next rows, fewer than asked for at the end only.
    - `finish` makes the session ready for another statement: what was changed is rolled back.
    - `cancel` ends what runs; it is called from another thread, and the session is closed then.
    """

    def start(self, ask: Ask) -> tuple[Head, ...]: ...

    def take(self, size: int) -> list[Row]: ...

    def finish(self) -> None: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...


class Engine(Protocol):
    """One database as its driver reaches it.

    - `connect` opens a session, hardened, within some seconds.
    - `failures` are the exceptions that the driver raises, and `translated` puts one of them into
      the core's error.
    - `advice` says what is wrong with a connection that cannot be read, after its name.
    """

    @property
    def failures(self) -> tuple[type[Exception], ...]: ...

    def connect(self) -> Session: ...

    def translated(self, error: BaseException, seconds: float) -> ToolError: ...

    def advice(self, error: ToolError) -> str: ...
