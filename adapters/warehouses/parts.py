"""The pieces in which every engine hands over a result."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from core.domain.table import Row


@dataclass(frozen=True, slots=True)
class Head:
    """A column as the driver names it; `type` is the engine's word, or empty."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Heads:
    """Comes first in each result, once."""

    columns: tuple[Head, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows, in order; never none. `plain` rows hold numbers, text, bytes and NULL only."""

    rows: list[Row]
    plain: bool = False


Parts = AsyncGenerator[Heads | Rows, None]
