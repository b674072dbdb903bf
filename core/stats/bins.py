"""Bins for a histogram: few enough to read, with round edges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

FEWEST, MOST = 5, 40
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
_NOTHING = 1e-290  # what is smaller cannot be divided any more
_FAR_OUT = 80  # bins of the usual width from the lowest value to the highest
_NARROW = 30  # whole numbers over a range no wider than this get a bin each


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """What is known of the values before they are counted; `whole`: they have no fractions."""

    count: int
    low: float
    high: float
    quartiles: tuple[float, float]
    tails: tuple[float, float]
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Bins:
    """`count` bins of one `width` from `low` on; where open, one more to that side."""

    low: float
    width: float
    count: int
    open_below: bool = False
    open_above: bool = False

    @property
    def high(self) -> float:
        return self.low + self.width * self.count

    def edges(self, at: int) -> tuple[float | None, float | None]:
        """Return the edges of a bin, None where it is open: -1 lies below, `count` above."""
        if at < 0:
            return None, self.low
        if at >= self.count:
            return self.high, None
        return _tidy(self.low + at * self.width), _tidy(self.low + (at + 1) * self.width)

    @property
    def places(self) -> Sequence[int]:
        return range(-1 if self.open_below else 0, self.count + (1 if self.open_above else 0))


def bins_for(spread: Spread, *, wanted: int = 0) -> Bins:
    """Choose bins: about so many where `wanted`, else by Freedman and Diaconis.

    Where a few values lie so far out that the rest would share a bin, the bins hold the middle 98 %
    and an open bin at either side the others.
    """
    low, high = spread.low, spread.high
    if _rough(spread) and (high - low) / _rough(spread) > _FAR_OUT and not wanted:
        low, high = spread.tails
    width = _width(spread, high - low, wanted)
    start = math.floor(low / width + 1e-9) * width
    count = math.floor((high - start) / width + 1e-9) + 1
    return Bins(
        low=_tidy(start),
        width=width,
        count=count,
        open_below=spread.low < start,
        open_above=spread.high >= start + count * width,
    )


def _width(spread: Spread, span: float, wanted: int) -> float:
    if span <= _NOTHING:
        return 1.0
    if spread.whole and span <= _NARROW and not wanted:
        return 1.0
    rough = span / wanted if wanted else min(max(_rough(spread), span / MOST), span / FEWEST)
    width = _round_up(rough)
    return max(1.0, width) if spread.whole else width


def _rough(spread: Spread) -> float:
    return 2 * (spread.quartiles[1] - spread.quartiles[0]) / spread.count ** (1 / 3)


def _round_up(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(_tidy(power * step) for step in _ROUND if power * step >= rough * 0.999)


def _tidy(value: float) -> float:
    return float(f"{value:.12g}")
