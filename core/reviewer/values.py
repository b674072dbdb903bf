"""Numbers to look up by value, as closely as a text writes them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from decimal import Decimal

from core.domain.table import Cell
from core.reviewer.figures import Figure


class Values:
    """Numbers to look up by value, whatever the sign."""

    def __init__(self, values: Iterable[float]) -> None:
        self._sorted = sorted({abs(value) for value in values if math.isfinite(value)})

    @property
    def numbers(self) -> list[float]:
        """Return them without signs, the smallest first."""
        return self._sorted

    def has(self, value: float, tolerance: float) -> bool:
        # A hair more than half a unit: 0.125 is rounded up by some and down by others.
        reach = tolerance * (1 + 1e-6) + abs(value) * 1e-9
        at = bisect_left(self._sorted, abs(value) - reach)
        return at < len(self._sorted) and self._sorted[at] <= abs(value) + reach


def fits_as_share(figure: Figure, values: Values) -> bool:
    """Say whether one of the values is the share that a percentage says."""
    return any(values.has(value / 100, tolerance / 100) for value, tolerance in figure.readings)


def fits_as_written(figure: Figure, values: Values) -> bool:
    """Say whether one of the values is the number that a figure says."""
    return any(values.has(value, tolerance) for value, tolerance in figure.readings)


def number_of(cell: Cell) -> float | None:
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        return None
    return float(cell)


def numbers_in(row: Sequence[Cell]) -> list[float]:
    return [value for cell in row if (value := number_of(cell)) is not None]
