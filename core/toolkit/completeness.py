"""Which periods of a series are complete, and why the others are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from statistics import median

from core.sql.builder import Grain
from core.toolkit.periods import Period, moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """A period that has rows: what they come to, and the first and last moment of them."""

    period: Period
    value: float | None
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The days that were asked for, and the day of the question; both ends count."""

    since: date | None
    until: date | None
    today: date


def incomplete(buckets: Sequence[Bucket], grain: Grain, span: Span) -> dict[Period, str]:
    """Return the periods that are not complete, each with the reason.

    The one that today lies in (and any after it), one that the span cuts, and one whose rows
    begin much later or end much earlier in it than those of the other periods do.
    """
    first, last = buckets[0], buckets[-1]
    midnight = datetime.combine(span.today, time())
    reasons = {
        bucket.period: "is not over yet"
        for bucket in buckets
        if end_of(bucket.period, grain) > midnight
    }
    if span.since and start_of(first.period).date() < span.since:
        reasons.setdefault(first.period, f"is only counted from {span.since}")
    elif _begins_late(buckets, grain):
        reasons.setdefault(first.period, f"has no rows before {first.first_at:%Y-%m-%d}")
    if span.until and end_of(last.period, grain).date() > span.until + timedelta(days=1):
        reasons.setdefault(last.period, f"is only counted up to {span.until}")
    elif _ends_early(buckets, grain):
        reasons.setdefault(last.period, f"has no rows after {last.last_at:%Y-%m-%d}")
    return reasons


def start_of(period: Period) -> datetime:
    return period if isinstance(period, datetime) else datetime.combine(period, time())


def end_of(period: Period, grain: Grain) -> datetime:
    """Return the first moment after a period."""
    return start_of(moved(period, 1, grain))


def _begins_late(buckets: Sequence[Bucket], grain: Grain) -> bool:
    leads = [bucket.first_at - start_of(bucket.period) for bucket in buckets]
    return _sticks_out(leads[0], leads[1:], grain)


def _ends_early(buckets: Sequence[Bucket], grain: Grain) -> bool:
    rests = [end_of(bucket.period, grain) - bucket.last_at for bucket in buckets]
    return _sticks_out(rests[-1], rests[:-1], grain)


def _sticks_out(one: timedelta, others: Sequence[timedelta], grain: Grain) -> bool:
    if grain in {Grain.HOUR, Grain.DAY} or len(others) < 2:
        return False
    usual = timedelta(seconds=median(other.total_seconds() for other in others))
    return one > usual * 3 and one - usual > _TOLERATED[grain]


# Rows begin and end a little off the edges of a period without anything missing.
_TOLERATED = {
    Grain.WEEK: timedelta(days=1.5),
    Grain.MONTH: timedelta(days=4),
    Grain.QUARTER: timedelta(days=10),
    Grain.YEAR: timedelta(days=30),
}
