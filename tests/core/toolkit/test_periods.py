from datetime import UTC, date, datetime

import pytest

from core.domain.table import Cell
from core.sql.builder import Grain
from core.toolkit.periods import Period, first_of, moved, name_of, periods_from, read_period

DAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("grain", "first", "after", "name"),
    [
        (Grain.YEAR, date(2026, 1, 1), date(2027, 1, 1), "2026"),
        (Grain.QUARTER, date(2026, 4, 1), date(2026, 7, 1), "Q2 2026"),
        (Grain.MONTH, date(2026, 5, 1), date(2026, 6, 1), "May 2026"),
        (Grain.WEEK, date(2026, 5, 18), date(2026, 5, 25), "the week of 18 May 2026"),
        (Grain.DAY, DAY, date(2026, 5, 21), "20 May 2026"),
    ],
)
def test_periods_have_a_first_day_a_next_one_and_a_name(
    grain: Grain, first: date, after: date, name: str
):
    assert first_of(DAY, grain) == first
    assert moved(first, 1, grain) == after
    assert moved(after, -1, grain) == first
    assert name_of(first, grain) == name


def test_hours_are_moments():
    hour = datetime.fromisoformat("2026-05-20 23:00")

    assert moved(hour, 1, Grain.HOUR) == datetime.fromisoformat("2026-05-21 00:00")
    assert name_of(hour, Grain.HOUR) == "20 May 2026 23:00"


@pytest.mark.parametrize(
    ("cell", "grain", "period"),
    [
        (date(2026, 5, 1), Grain.MONTH, date(2026, 5, 1)),
        (datetime(2026, 5, 1, tzinfo=UTC), Grain.MONTH, date(2026, 5, 1)),
        ("2026-05-01", Grain.MONTH, date(2026, 5, 1)),
        ("2026-05-01 10:00:00", Grain.DAY, date(2026, 5, 1)),
        (None, Grain.DAY, None),
    ],
)
def test_reads_what_engines_give(cell: Cell, grain: Grain, period: Period | None):
    assert read_period(cell, grain) == period


def test_lists_every_period():
    assert list(periods_from(date(2025, 11, 1), date(2026, 2, 1), Grain.MONTH)) == [
        date(2025, 11, 1), date(2025, 12, 1), date(2026, 1, 1), date(2026, 2, 1),
    ]  # fmt: skip
