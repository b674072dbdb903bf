"""Whether a query may run unasked, and what a person is told when not. Pure: figures in, words out.

A query waits when an estimate is above one of the connection's thresholds, or when there is no
estimate: unknown is never taken for cheap. The words lead with what costs the reader something:
money, then bytes, then rows; the planner's own units stay out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, prod

from core.domain.connection import Thresholds
from core.domain.query import CostEstimate

# What is this far below a threshold needs no plan to be known as cheap.
_FAR_BELOW = 10


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """`reason` tells a person what would be read and why they are asked, "" where they are not."""

    asks: bool
    reason: str = ""


OPEN = GateVerdict(asks=False)


def weigh(
    estimate: CostEstimate, thresholds: Thresholds, *, relations: Sequence[str] = ()
) -> GateVerdict:
    """Hold an estimate against a connection's thresholds; without any, nothing waits."""
    if not has_thresholds(thresholds):
        return OPEN
    if estimate.confidence == "unknown":
        return GateVerdict(
            asks=True,
            reason="The database gives no estimate of what this query reads, so it could be "
            f"expensive.{_of_tables(relations)} Run it all the same?",
        )
    above = [words for words, value, most in _measures(estimate, thresholds) if value > most]
    if not above:
        return OPEN
    return GateVerdict(
        asks=True,
        reason=f"{_what_it_reads(estimate)}{_of_tables(relations)} That is above what runs unasked "
        f"here ({', '.join(above)}). Run it?",
    )


def has_thresholds(thresholds: Thresholds) -> bool:
    """Say whether there is any bound; a connection without one asks nobody."""
    given = (thresholds.rows, thresholds.intermediate_rows, thresholds.bytes, thresholds.usd)
    return any(isfinite(each) for each in given)


def is_small(read: Sequence[str], sizes: Mapping[str, int | None], thresholds: Thresholds) -> bool:
    """Say whether a query is cheap whatever its plan is: even all rows multiplied are few.

    read: every relation as often as the query reads it
    sizes: the rows of each relation, None where unknown
    """
    counts = [sizes.get(name) for name in read]
    if any(count is None for count in counts):
        return False
    rows = prod(max(1, count or 0) for count in counts)
    return rows <= min(thresholds.rows, thresholds.intermediate_rows) / _FAR_BELOW


def is_small_database(sizes: Iterable[int | None], thresholds: Thresholds) -> bool:
    """Say whether a whole database is so small that no query without a plan has to wait.

    Views and other relations of unknown size read the tables that are counted.
    """
    known = [size for size in sizes if size is not None]
    return bool(known) and sum(known) <= thresholds.rows / _FAR_BELOW


def _measures(estimate: CostEstimate, thresholds: Thresholds) -> Iterable[tuple[str, float, float]]:
    yield f"${thresholds.usd:,.2f}", estimate.usd or 0.0, thresholds.usd
    yield _bytes(thresholds.bytes), estimate.bytes or 0.0, thresholds.bytes
    yield f"{_rows(thresholds.rows)} rows", estimate.rows or 0.0, thresholds.rows
    yield (
        f"{_rows(thresholds.intermediate_rows)} rows in a step",
        estimate.intermediate_rows or 0.0,
        thresholds.intermediate_rows,
    )


def _what_it_reads(estimate: CostEstimate) -> str:
    mark = "at most " if estimate.confidence == "upper_bound" else "about "
    parts: list[str] = []
    if estimate.bytes:
        parts.append(mark + _bytes(estimate.bytes))
    if estimate.rows and not estimate.bytes:
        parts.append(f"{mark}{_rows(estimate.rows)} rows")
    if estimate.usd:
        parts.append(f"for {mark}${estimate.usd:,.2f}")
    if (estimate.intermediate_rows or 0.0) > (estimate.rows or 0.0):
        parts.append(f"making {mark}{_rows(estimate.intermediate_rows or 0.0)} rows on the way")
    if estimate.seconds:
        parts.append(f"usually in under {_seconds(estimate.seconds)}")
    return f"Reads {', '.join(parts)}." if parts else "Reads an amount that is above the limits."


def _of_tables(relations: Sequence[str]) -> str:
    if not relations:
        return ""
    named = ", ".join(relations[:_MOST_NAMED])
    more = len(relations) - _MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    return f" Table{'s' if len(relations) > 1 else ''}: {named}{rest}."


_MOST_NAMED = 6


def _rows(count: float) -> str:
    for size, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if count >= size:
            return f"{_short(count / size)} {word}"
    return f"{count:,.0f}"


def _bytes(count: float) -> str:
    for size, unit in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= size:
            return f"{_short(count / size)} {unit}"
    return f"{count:,.0f} bytes"


def _short(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0") if value < 100 else f"{value:,.0f}"


def _seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"
