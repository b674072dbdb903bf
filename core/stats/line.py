"""A straight line through points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.stats.scipy_door import scipy_stats


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """`p_value`: how often points without a slope would lie at least so steep by chance."""

    slope: float
    intercept: float
    r_squared: float
    p_value: float

    def at(self, x: float) -> float:
        return self.intercept + self.slope * x


def fit_line(xs: Sequence[float], ys: Sequence[float]) -> Line:
    """Fit by least squares; three points at least, not all at the same x."""
    fitted = scipy_stats().linregress(xs, ys)
    return Line(
        slope=float(fitted.slope),
        intercept=float(fitted.intercept),
        r_squared=float(fitted.rvalue) ** 2,
        p_value=float(fitted.pvalue),
    )
