"""What comes back every season of a series."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.errors import NotPossible
from core.stats.scipy_door import scipy_stats


@dataclass(frozen=True, slots=True, kw_only=True)
class Seasons:
    """`effects` are what each position of a season adds to the level, the first point's first.

    `strength` is 0 for none and 1 where nothing but season and trend is left; `p_value` says how
    often values without seasons would differ so much by position.
    """

    effects: tuple[float, ...]
    strength: float
    p_value: float


def seasons_of(values: Sequence[float], length: int) -> Seasons:
    """Part a series into trend, season and rest (STL); two whole seasons at least.

    Raises:
        NotPossible: statsmodels is not installed.
    """
    parts = _stl()(values, period=length, robust=True).fit()
    season, rest = [*map(float, parts.seasonal)], [*map(float, parts.resid)]
    trend = [*map(float, parts.trend)]
    both = [one + other for one, other in zip(season, rest, strict=True)]
    spread = _variance(both)
    strength = max(0.0, 1 - _variance(rest) / spread) if spread > 0 else 0.0
    level = [value - at for value, at in zip(values, trend, strict=True)]
    return Seasons(
        effects=tuple(_mean(season[at::length]) for at in range(length)),
        strength=strength,
        p_value=_p_value([level[at::length] for at in range(length)]),
    )


def _stl() -> Callable[..., Any]:
    try:
        return importlib.import_module("statsmodels.tsa.seasonal").STL
    except ImportError as error:
        raise NotPossible(
            "Seasons need statsmodels, which is not installed here (resona[stats]). Say so, and "
            "answer with plain figures from another tool."
        ) from error


def _p_value(groups: Sequence[Sequence[float]]) -> float:
    if len({value for group in groups for value in group}) < 2:
        return 1.0
    return float(scipy_stats().kruskal(*groups).pvalue)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return sum((value - mean) ** 2 for value in values) / len(values)
