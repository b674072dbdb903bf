"""What a warehouse and its child process say to each other.

The parent sends Open once and then one Ask after another; Stop ends the Ask that runs. The child
answers Open with Opened, and each Ask with Heads, Rows as often as needed, and Ended; a Failed
in any place ends the answer instead.
"""

from dataclasses import dataclass
from enum import StrEnum

from adapters.warehouses.parts import Heads, Rows


class Fault(StrEnum):
    """Why there is no (further) answer."""

    REJECTED = "rejected"
    BUSY = "busy"
    UNUSABLE = "unusable"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """What the child opens, the memory that it may use, and a directory for what does not fit."""

    path: str
    memory_bytes: int
    scratch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """At most `rows` rows of one SELECT; `of_catalog` lets it read the engine's own tables."""

    sql: str
    rows: int
    of_catalog: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """The answer is not wanted any more."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The child takes questions."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Every row that was asked for has been sent."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Comes last in an answer that did not work; `words` are the engine's own."""

    fault: Fault
    words: str


Message = Open | Ask | Stop | Opened | Heads | Rows | Ended | Failed
