"""How long queries of a size usually take, by those that ran. Pure: pairs in, seconds out.

No formula is fitted: a connection that was fast for small queries says nothing about large ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from core.domain.query import CostEstimate

# So many queries of about the size are needed before anything is said.
_LEAST = 8
_ABOUT = 3.0
_USUALLY = 0.9


@dataclass(frozen=True, slots=True)
class Past:
    """A query that ran: what was expected of it, and the seconds that it took."""

    estimate: CostEstimate
    seconds: float


def usual_seconds(estimate: CostEstimate, past: Sequence[Past]) -> float | None:
    """Return what nine of ten queries of about this size stayed within; None where few are known.

    A size is in bytes where the estimate has them, else in the planner's own units, else in rows.
    """
    for measure in (_bytes, _units, _rows):
        size = measure(estimate)
        if size:
            return _within([one.seconds for one in past if _is_about(measure(one.estimate), size)])
    return None


def _within(seconds: Iterable[float]) -> float | None:
    known = sorted(seconds)
    return known[ceil(len(known) * _USUALLY) - 1] if len(known) >= _LEAST else None


def _is_about(other: float | None, size: float) -> bool:
    return bool(other) and size / _ABOUT <= (other or 0.0) <= size * _ABOUT


def _bytes(estimate: CostEstimate) -> float | None:
    return estimate.bytes


def _units(estimate: CostEstimate) -> float | None:
    return estimate.units


def _rows(estimate: CostEstimate) -> float | None:
    return estimate.rows
