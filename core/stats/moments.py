"""Spread and skewness from sums that a warehouse made."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Sums of the squares and cubes of the distances from the mean, and of how many values."""

    count: int
    squares: float
    cubes: float

    @property
    def deviation(self) -> float | None:
        """Return the sample standard deviation (n - 1); None of fewer than two values."""
        return math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else None

    @property
    def skewness(self) -> float | None:
        """Return the adjusted Fisher-Pearson skewness, as pandas does.

        None of fewer than three values, and where they are all the same.
        """
        n = self.count
        if n < 3 or self.squares <= 0:
            return None
        plain = (self.cubes / n) / (self.squares / n) ** 1.5
        return plain * math.sqrt(n * (n - 1)) / (n - 2)
