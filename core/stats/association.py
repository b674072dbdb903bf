"""How sure an association is, from figures that a warehouse made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.stats.scipy_door import scipy_stats


def correlation_p(r: float, n: int) -> float | None:
    """Return how often unrelated columns of n rows would correlate so strongly by chance.

    Right for Pearson's r and, from about ten rows on, for Spearman's; None of fewer than three.
    """
    if n < 3:
        return None
    if abs(r) >= 1:
        return 0.0
    t = abs(r) * math.sqrt((n - 2) / (1 - r * r))
    return float(2 * scipy_stats().t.sf(t, n - 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """Of two categories: `v` is Cramér's, 0 for none and 1 for complete.

    `expected` are the counts that unrelated categories would have; `sparse` says that more than a
    fifth of them are below five, so that the p-value is a rough one.
    """

    chi_square: float
    freedom: int
    p_value: float
    v: float
    expected: tuple[tuple[float, ...], ...]

    @property
    def sparse(self) -> bool:
        cells = [cell for row in self.expected for cell in row]
        return sum(cell < 5 for cell in cells) > len(cells) / 5


def association_of(counts: Sequence[Sequence[float]]) -> Association:
    """Test a cross table of counts: two rows and two columns at least, none of them empty."""
    tested = scipy_stats().chi2_contingency(counts, correction=False)
    total = sum(map(sum, counts))
    smaller = min(len(counts), len(counts[0])) - 1
    chi_square = float(tested.statistic)
    return Association(
        chi_square=chi_square,
        freedom=int(tested.dof),
        p_value=float(tested.pvalue),
        v=math.sqrt(chi_square / (total * smaller)),
        expected=tuple(tuple(map(float, row)) for row in tested.expected_freq),
    )
