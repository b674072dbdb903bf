"""Whether a query may run unasked, and what a person is told when not. Pure: figures in, words out.

A query waits when an estimate is above one of the connection's thresholds, or when there is no
estimate: unknown is never taken for cheap, and neither is an estimate that has none of the figures
which there are thresholds for. The words lead with what costs the reader something: money, then
bytes, then rows; the planner's own units stay out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isfinite, prod

from core.domain.connection import Limits, Prices, Thresholds
from core.domain.query import Ceiling, CostEstimate

# What is this far below a threshold needs no plan to be known as cheap.
_FAR_BELOW = 10
# So large may a row be, where only bytes or money are bounded and only rows are known.
_BYTES_OF_A_LARGE_ROW = 1_000
_TIB = 2.0**40
_HOUR = 3_600.0
# Tables grow between an approval and the run; an estimate that is no upper bound is less exact.
_ROOM_ABOVE_A_BOUND = 1.1
_ROOM_ABOVE_AN_ESTIMATE = 2.0


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
    measures = [each for each in _measures(estimate, thresholds) if isfinite(each.most)]
    if all(each.value is None for each in measures):
        return GateVerdict(
            asks=True,
            reason=f"The database does not say {_listed([each.what for each in measures])} of this "
            f"query.{_of_tables(relations)} Run it all the same?",
        )
    above = [each.limit for each in measures if (each.value or 0.0) > each.most]
    if not above:
        return OPEN
    return GateVerdict(
        asks=True,
        reason=f"{_what_it_reads(estimate)}{_of_tables(relations)} That is above what runs unasked "
        f"here ({', '.join(above)}). Run it?",
    )


@lru_cache(maxsize=64)
def has_thresholds(thresholds: Thresholds) -> bool:
    """Say whether there is any bound; a connection without one asks nobody."""
    return any(isfinite(each.most) for each in _measures(CostEstimate(), thresholds))


def priced(estimate: CostEstimate, prices: Prices) -> CostEstimate:
    """Return the estimate in money as well, where there is a price for what is known of it."""
    if estimate.usd is not None or estimate.confidence == "unknown":
        return estimate
    parts = (
        (estimate.bytes, prices.usd_per_tib / _TIB),
        (estimate.seconds, prices.usd_per_hour / _HOUR),
    )
    paid = [amount * price for amount, price in parts if amount is not None and price > 0]
    return estimate.model_copy(update={"usd": sum(paid)}) if paid else estimate


def ceiling_for(
    thresholds: Thresholds, limits: Limits, prices: Prices, *, approved: CostEstimate | None
) -> Ceiling:
    """Return what a query may read: up to the thresholds unasked, else about what was approved.

    An approved figure that nobody knew sets no bound; the connection's limits always hold.
    """
    rows = thresholds.rows
    read = min(thresholds.bytes, _bytes_for(thresholds.usd, prices))
    if approved is not None:
        rows = max(rows, _with_room(approved.rows, approved))
        read = max(read, _with_room(approved.bytes, approved))
    return Ceiling(rows=rows, bytes=min(read, limits.read_bytes))


def _bytes_for(usd: float, prices: Prices) -> float:
    return usd / prices.usd_per_tib * _TIB if prices.usd_per_tib > 0 else inf


def _with_room(figure: float | None, estimate: CostEstimate) -> float:
    if figure is None:
        return inf
    bound = estimate.confidence in ("exact", "upper_bound")
    return figure * (_ROOM_ABOVE_A_BOUND if bound else _ROOM_ABOVE_AN_ESTIMATE)


def is_small(
    read: Sequence[str],
    sizes: Mapping[str, int | None],
    thresholds: Thresholds,
    prices: Prices | None = None,
) -> bool:
    """Say whether a query is cheap whatever its plan is: even all rows multiplied are few.

    read: every relation as often as the query reads it
    sizes: the rows of each relation, None where unknown
    """
    counts = [sizes.get(name) for name in read]
    if any(count is None for count in counts):
        return False
    rows = prod(max(1, count or 0) for count in counts)
    return rows <= _rows_within(thresholds, prices or Prices()) / _FAR_BELOW


def _rows_within(thresholds: Thresholds, prices: Prices) -> float:
    """Return how many rows stay below every threshold, were each of them a large one."""
    if isfinite(thresholds.seconds) or prices.usd_per_hour > 0:
        return 0.0  # how long a few rows take, only the history knows
    read = min(thresholds.bytes, _bytes_for(thresholds.usd, prices))
    rows = min(thresholds.rows, thresholds.intermediate_rows, read / _BYTES_OF_A_LARGE_ROW)
    return rows if isfinite(rows) else 0.0


def is_small_database(sizes: Iterable[int | None], thresholds: Thresholds) -> bool:
    """Say whether a whole database is so small that no query without a plan has to wait.

    Views and other relations of unknown size read the tables that are counted.
    """
    known = [size for size in sizes if size is not None]
    return bool(known) and sum(known) <= thresholds.rows / _FAR_BELOW


@dataclass(frozen=True, slots=True)
class _Measure:
    """`what` names the figure, `limit` is the threshold in words."""

    what: str
    value: float | None
    most: float
    limit: str


def _measures(estimate: CostEstimate, thresholds: Thresholds) -> Iterable[_Measure]:
    most = thresholds
    yield _Measure("the price", estimate.usd, most.usd, f"${most.usd:,.2f}")
    yield _Measure("the bytes", estimate.bytes, most.bytes, _bytes(most.bytes))
    yield _Measure("the rows", estimate.rows, most.rows, f"{_rows(most.rows)} rows")
    yield _Measure(
        "the rows of the largest step",
        estimate.intermediate_rows,
        most.intermediate_rows,
        f"{_rows(most.intermediate_rows)} rows in a step",
    )
    yield _Measure("the seconds", estimate.seconds, most.seconds, _seconds(most.seconds))


def _what_it_reads(estimate: CostEstimate) -> str:
    mark = "≤ " if estimate.confidence == "upper_bound" else "about "
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


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min"
