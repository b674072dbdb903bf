from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from core.domain import periods
from core.domain.periods import Length, first_of, read_moment
from core.domain.table import Cell


@pytest.mark.parametrize(
    ("cell", "moment"),
    [
        (date(2025, 3, 1), first_of(2025, 3)),
        (datetime(2025, 3, 1, 14, 30, tzinfo=UTC), datetime(2025, 3, 1, 14, 30, tzinfo=UTC)),
        (
            datetime(2025, 3, 1, 14, tzinfo=timezone(timedelta(hours=2))),
            datetime(2025, 3, 1, 14, tzinfo=UTC),
        ),
        ("2025", first_of(2025)),
        ("2025-03", first_of(2025, 3)),
        ("202503", first_of(2025, 3)),
        ("2025-Q2", first_of(2025, 4)),
        ("2025 q4", first_of(2025, 10)),
        ("2025-W02", first_of(2025, 1, 6)),
        ("2025/03/09", first_of(2025, 3, 9)),
        ("2025-03-09 08:15:00", datetime(2025, 3, 9, 8, 15, tzinfo=UTC)),
        ("2025-03-09T08:15:00Z", datetime(2025, 3, 9, 8, 15, tzinfo=UTC)),
        ("2025-13", None),
        ("2025-02-30", None),
        ("March", None),
        ("", None),
        (None, None),
        (3.5, None),
    ],
)
def test_reads_dates_in_the_forms_that_databases_write(cell: Cell, moment: datetime | None):
    assert read_moment(cell) == moment


@pytest.mark.parametrize(
    ("texts", "named", "length"),
    [
        (["2023", "2024", "2025"], "", Length.YEAR),
        (["2025-01", "2025-04", "2025-07"], "", Length.QUARTER),
        (["2025-01", "2025-04", "2025-07"], "month", Length.MONTH),
        (["2025-01", "2025-02"], "", Length.MONTH),
        (["2025-01", "2026-01"], "month", Length.MONTH),
        (["2025-01-06", "2025-01-13", "2025-01-27"], "", Length.WEEK),
        (["2025-01-06", "2025-01-07"], "", Length.DAY),
        (["2025-01-01"], "", Length.DAY),
        (["2025-01-01"], "order_month", Length.MONTH),
        (["2025-01-01 00:00", "2025-01-01 05:00"], "", Length.HOUR),
        (["2025-01-01 00:15"], "", Length.MINUTE),
    ],
)
def test_finds_the_length_of_the_periods(texts: list[str], named: str, length: Length):
    moments = [moment for text in texts if (moment := read_moment(text))]

    assert periods.length_of(moments, named=named) == length


@pytest.mark.parametrize(
    ("length", "name"),
    [
        (Length.YEAR, "2025"),
        (Length.QUARTER, "Q4 2025"),
        (Length.MONTH, "Oct 2025"),
        (Length.WEEK, "5 Oct 2025"),
        (Length.DAY, "5 Oct 2025"),
        (Length.HOUR, "5 Oct 2025 14:00"),
    ],
)
def test_names_a_period_by_its_length(length: Length, name: str):
    assert periods.name_of(datetime(2025, 10, 5, 14, tzinfo=UTC), length) == name
