from datetime import date, datetime, time, timedelta

import pytest

from core.sql.builder import Grain
from core.toolkit.completeness import Bucket, Span, end_of, incomplete, start_of
from core.toolkit.periods import Period, moved

LONG_AFTER = Span(since=None, until=None, today=date(2030, 1, 1))


def months(count: int, *, first_row: int = 1, last_row: int = 0) -> list[Bucket]:
    """Make months from January 2025 on with rows on all days but the first and last few."""
    periods: list[Period] = [moved(date(2025, 1, 1), at, Grain.MONTH) for at in range(count)]
    buckets = [
        Bucket(
            period=period,
            value=1.0,
            first_at=start_of(period),
            last_at=end_of(period, Grain.MONTH) - timedelta(hours=5),
        )
        for period in periods
    ]
    first, last = buckets[0], buckets[-1]
    buckets[0] = Bucket(
        period=first.period,
        value=1.0,
        first_at=datetime.combine(date(2025, 1, first_row), time()),
        last_at=first.last_at,
    )
    if last_row:
        day = datetime.combine(last.period, time()) + timedelta(days=last_row)
        buckets[-1] = Bucket(period=last.period, value=1.0, first_at=last.first_at, last_at=day)
    return buckets


def test_whole_months_of_the_past_are_complete():
    assert not incomplete(months(12), Grain.MONTH, LONG_AFTER)


@pytest.mark.parametrize(
    ("today", "open_month"),
    [("2025-06-30", date(2025, 6, 1)), ("2025-06-02", date(2025, 6, 1)), ("2025-07-01", None)],
)
def test_the_month_of_today_is_not_over(today: str, open_month: date | None):
    span = Span(since=None, until=None, today=date.fromisoformat(today))

    found = incomplete(months(6), Grain.MONTH, span)

    assert found == ({open_month: "is not over yet"} if open_month else {})


def test_a_month_in_which_rows_end_early_is_not_complete():
    found = incomplete(months(6, last_row=11), Grain.MONTH, LONG_AFTER)

    assert found == {date(2025, 6, 1): "has no rows after 2025-06-12"}


def test_a_month_in_which_rows_begin_late_is_not_complete():
    found = incomplete(months(6, first_row=20), Grain.MONTH, LONG_AFTER)

    assert found == {date(2025, 1, 1): "has no rows before 2025-01-20"}


def test_a_day_or_two_without_rows_mean_nothing():
    assert not incomplete(months(6, first_row=3, last_row=27), Grain.MONTH, LONG_AFTER)


def test_months_that_were_cut_by_the_question_are_not_complete():
    span = Span(since=date(2025, 1, 10), until=date(2025, 6, 20), today=date(2030, 1, 1))

    found = incomplete(months(6), Grain.MONTH, span)

    assert found == {
        date(2025, 1, 1): "is only counted from 2025-01-10",
        date(2025, 6, 1): "is only counted up to 2025-06-20",
    }


def test_too_few_months_say_nothing_about_what_is_usual():
    assert not incomplete(months(2, last_row=11), Grain.MONTH, LONG_AFTER)
