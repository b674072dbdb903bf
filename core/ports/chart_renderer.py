"""Draws charts."""

from dataclasses import dataclass
from typing import Protocol

from core.domain.artifact import Chart


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG, and the words for those who do not see it."""

    png: bytes
    alt_text: str


class ChartRenderer(Protocol):
    """Kept honest by tests/conformance/chart_renderer.py.

    - `render` does not hold up the event loop; several at once do not disturb each other.
    - The alt text names the kind of chart, its columns, and its highest and lowest value.
    - Raises NotPossible when the table has nothing to draw (no rows, no numbers, a column that
      is not there), and TemporarilyUnavailable when what draws did not answer.
    """

    async def render(self, chart: Chart) -> Picture: ...
