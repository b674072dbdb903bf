"""Where the level of a series changed, and how sure that is."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType

from core.stats.line import fit_line

SHORTEST = 4  # points on each side of a break
SURE = 0.95
_SHUFFLES = 1_000
_MOST_BREAKS = 5


@dataclass(frozen=True, slots=True)
class Break:
    """The level changed at the point `at`; `confidence`: a shuffled series rarely strays so far."""

    at: int
    confidence: float


def breaks_in(values: Sequence[float]) -> tuple[Break, ...]:
    """Return the breaks of a series in order, at most five, each sure to 95 % at least.

    The largest stray of the sums from the mean is held against that of the same values shuffled
    (CUSUM with permutations); the break lies where two levels fit best, and each side is looked
    at again. The same values give the same breaks.
    """
    found = list[Break]()
    waiting = [(0, len(values))]
    while waiting and len(found) < _MOST_BREAKS:
        start, end = waiting.pop(0)
        part = values[start:end]
        if len(part) < 2 * SHORTEST or (confidence := _confidence(part)) < SURE:
            continue
        at = start + _best_split(part)
        found.append(Break(at, confidence))
        waiting += [(start, at), (at, end)]
    return tuple(sorted(found, key=lambda each: each.at))


def levels_of(values: Sequence[float], breaks: Sequence[Break]) -> list[float]:
    """Return the mean between breaks, for every point."""
    ends = [0, *(each.at for each in breaks), len(values)]
    levels = list[float]()
    for start, end in pairwise(ends):
        levels += [sum(values[start:end]) / (end - start)] * (end - start)
    return levels


def line_fits_better(values: Sequence[float], breaks: Sequence[Break]) -> bool:
    """Say whether one straight line explains a series better than its levels (by BIC)."""
    line = fit_line(list(range(len(values))), values)
    by_line = [line.at(at) for at in range(len(values))]
    return _bic(values, by_line, 2) < _bic(values, levels_of(values, breaks), 2 * len(breaks) + 1)


def _bic(values: Sequence[float], fitted: Sequence[float], parameters: int) -> float:
    squares = sum((one - other) ** 2 for one, other in zip(values, fitted, strict=True))
    n = len(values)
    return n * math.log(max(squares / n, 1e-300)) + parameters * math.log(n)


def _confidence(values: Sequence[float]) -> float:
    np = _numpy()
    away = np.asarray(values, dtype=float) - float(np.mean(values))
    if not np.any(away):
        return 0.0
    shuffled = np.random.default_rng(7).permuted(np.tile(away, (_SHUFFLES, 1)), axis=1)
    strays = np.ptp(np.cumsum(shuffled, axis=1), axis=1)
    return float(np.mean(strays < np.ptp(np.cumsum(away))))


def _best_split(values: Sequence[float]) -> int:
    """Return the first point of the second level: where the two means leave the least over."""
    np = _numpy()
    sums = np.cumsum(values)
    places = np.arange(SHORTEST, len(values) - SHORTEST + 1)
    left, right = sums[places - 1], sums[-1] - sums[places - 1]
    explained = left**2 / places + right**2 / (len(values) - places)
    return int(places[int(np.argmax(explained))])


def _numpy() -> ModuleType:
    return importlib.import_module("numpy")  # not before it is needed: it takes a tenth of a second
