"""What bars of both directions share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adapters.charts import fonts, numerals
from adapters.charts.grid import Grid, NameAxis, Series
from adapters.charts.page import Box, Page
from adapters.charts.theme import INK, OTHER, PAPER, TextStyle, color_at, ink_on, mix
from core.domain.table import SHARE

VALUE = TextStyle(12.5, INK)
TOTAL = TextStyle(12.5, INK, bold=True)

_SAME_SCALE = 40.0  # measures further apart than this share no axis


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """A grid as bars: one for each series at each place, side by side or one on the other."""

    grid: Grid
    stacked: bool

    @property
    def beside(self) -> int:
        """Return how many bars stand side by side at one place."""
        return 1 if self.stacked else len(self.grid.series)

    @property
    def places(self) -> int:
        return len(self.grid.axis.keys)

    def ends(self) -> list[float]:
        """Return every value that a bar reaches, with those of stacks added up."""
        if not self.stacked:
            return list(self.grid.known)
        return [end for at in range(self.places) for _, *both in self.stack(at) for end in both]

    def stack(self, at: int) -> Iterator[tuple[int, float, float]]:
        """Yield series, beginning and end of each part of a stack; losses grow downwards."""
        up = down = 0.0
        for index, series in enumerate(self.grid.series):
            value = series.values[at]
            if math.isnan(value):
                continue
            if value >= 0:
                yield index, up, up + value
                up += value
            else:
                yield index, down, down + value
                down += value


def color_of(bars: Bars, series: int, place: int | None = None) -> str:
    """Return the colour of a bar: grey for what was put together, lighter for what is not over."""
    one = bars.grid.series[series]
    color = OTHER if one.group == "other" and series else color_at(series)
    if place is None:
        return color
    axis = bars.grid.axis
    rest = isinstance(axis, NameAxis) and axis.keys[place].startswith("other (")
    if rest and len(bars.grid.series) == 1:
        return OTHER
    return mix(color, PAPER, 0.55) if place in bars.grid.unfinished else color


def share_a_scale(series: Sequence[Series]) -> bool:
    """Say whether measures can stand on one axis: one unit, one order of size."""
    if len({each.measure for each in series}) == 1:
        return True
    sizes = [max(abs(value) for value in each.known) for each in series]
    one_unit = len({each.unit for each in series}) == 1
    return one_unit and (min(sizes) == 0 or max(sizes) <= _SAME_SCALE * min(sizes))


def total_of(parts: Sequence[tuple[int, float, float]], unit: str) -> str:
    """Write the sum of a stack; nothing where there is only one part, a loss, or the whole."""
    total = sum(end - start for _, start, end in parts)
    loss = any(end < start for _, start, end in parts)
    whole = unit == SHARE and abs(total - 1) < 0.001
    return "" if len(parts) < 2 or loss or whole else numerals.write(total, unit)


def write_inside(page: Page, box: Box, words: str, color: str) -> None:
    """Write words into a part of a stack where there is room for them."""
    if box.height < VALUE.size + 5 or fonts.width(words, VALUE) + 8 > box.width:
        return
    middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
    page.words_beside(words, middle, TextStyle(VALUE.size, ink_on(color)), "middle")
