"""Numbers to look up by value, as closely as a text writes them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from decimal import Decimal

from core.domain.table import Cell
from core.reviewer.figures import Figure

_LARGEST_PERCENT = 1_000


class Values:
    """Numbers to look up by value, whatever the sign."""

    def __init__(self, values: Iterable[float]) -> None:
        self._sorted = sorted({abs(value) for value in values if math.isfinite(value)})

    def has(self, value: float, tolerance: float) -> bool:
        # A hair more than half a unit: 0.125 is rounded up by some and down by others.
        reach = tolerance * (1 + 1e-6) + abs(value) * 1e-9
        at = bisect_left(self._sorted, abs(value) - reach)
        return at < len(self._sorted) and self._sorted[at] <= abs(value) + reach


def fits(figure: Figure, values: Values) -> bool:
    """Say whether one of the values is what a figure says; a percent may be a share, too."""
    for value, tolerance in figure.readings:
        if figure.is_percent and values.has(value / 100, tolerance / 100):
            return True
        if values.has(value, tolerance) and not (figure.is_percent and _is_amount(value)):
            return True
    return False


def fits_as_written(figure: Figure, values: Values) -> bool:
    return any(values.has(value, tolerance) for value, tolerance in figure.readings)


def is_large_percent(figure: Figure) -> bool:
    """Say whether a figure with a percent sign is larger than percentages mostly are."""
    return figure.is_percent and all(_is_amount(value) for value, _ in figure.readings)


def _is_amount(value: float) -> bool:
    """Say whether a value is hardly a percentage itself: 75,612.23 or 498."""
    return abs(value) > _LARGEST_PERCENT or (abs(value) > 100 and value == int(value))


def number_of(cell: Cell) -> float | None:
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        return None
    return float(cell)


def numbers_in(row: Sequence[Cell]) -> list[float]:
    return [value for cell in row if (value := number_of(cell)) is not None]
