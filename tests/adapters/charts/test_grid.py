import math
from datetime import date
from decimal import Decimal

import pytest

from adapters.charts.grid import CannotDraw, NameAxis, NumberAxis, TimeAxis, read_grid
from core.domain.artifact import BarChart, LineChart
from core.domain.periods import Length, first_of
from core.domain.table import Cell
from tests.adapters.charts.charts import table


def test_reads_text_months_as_time_in_their_order():
    rows = table("month:x revenue:m", ("2025-02", 2), ("2025-01", 1))

    grid = read_grid(LineChart(x="month", y="revenue"), rows)

    assert grid.axis == TimeAxis((first_of(2025, 1), first_of(2025, 2)), Length.MONTH)
    assert grid.series[0].values == (1, 2)


def test_reads_whole_numbers_as_years_only_where_their_column_says_so():
    years = table("year:m revenue:m", (2024, 1), (2025, 2))
    numbers = table("size:m revenue:m", (2024, 1), (2025, 2))

    by_year = read_grid(BarChart(x="year", y="revenue"), years)
    by_size = read_grid(LineChart(x="size", y="revenue"), numbers)

    assert isinstance(by_year.axis, TimeAxis)
    assert by_size.axis == NumberAxis((2024, 2025))


def test_parts_rows_into_series_and_leaves_gaps():
    rows = table(
        "month:t region:d orders:m",
        (date(2025, 1, 1), "North", 1),
        (date(2025, 2, 1), "South", 2),
    )

    grid = read_grid(LineChart(x="month", y="orders", series="region"), rows)

    assert [series.name for series in grid.series] == ["North", "South"]
    assert grid.series[0].values[0] == 1
    assert math.isnan(grid.series[0].values[1])


@pytest.mark.parametrize(
    "cell", [None, float("nan"), float("inf"), Decimal("NaN"), "NaN", "-Infinity", "n/a", 1e305]
)
def test_what_is_no_number_is_a_gap(cell: Cell):
    rows = table("name:d value:m", ("a", 1), ("b", cell))

    grid = read_grid(BarChart(x="name", y="value"), rows)

    assert math.isnan(grid.series[0].values[1])


@pytest.mark.parametrize("cell", [Decimal("12.5"), 12.5, "12.5"])
def test_reads_numbers_in_every_form(cell: Cell):
    rows = table("name:d value:m", ("a", cell))

    grid = read_grid(BarChart(x="name", y="value"), rows)

    assert grid.series[0].values == (12.5,)


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        (None, "(no value)"),
        ("", "(no value)"),
        (True, "yes"),
        (3.0, "3"),
        (Decimal("2.50"), "2.50"),
    ],
)
def test_names_every_category(cell: Cell, name: str):
    rows = table("name:d value:m", (cell, 1))

    grid = read_grid(BarChart(x="name", y="value"), rows)

    assert grid.axis.keys == (name,)


def test_knows_the_order_of_weekdays():
    rows = table("weekday:d orders:m", ("Friday", 5), ("Monday", 1), ("Wednesday", 3))

    grid = read_grid(BarChart(x="weekday", y="orders"), rows)

    assert grid.axis == NameAxis(("Monday", "Wednesday", "Friday"), ordered=True)
    assert grid.series[0].values == (1, 3, 5)


def test_classes_of_numbers_keep_their_order():
    rows = table("age:d customers:m", ("18-24", 5), ("25-34", 9), ("65+", 1))

    grid = read_grid(BarChart(x="age", y="customers"), rows)

    assert grid.axis == NameAxis(("18-24", "25-34", "65+"), ordered=True)


def test_adds_up_rows_of_one_place_and_says_so():
    rows = table("region:d orders:m", ("North", 1), ("North", 2))

    grid = read_grid(BarChart(x="region", y="orders"), rows)

    assert grid.series[0].values == (3,)
    assert grid.notes == ("Several rows for one region are added up.",)


@pytest.mark.parametrize("head", ["avg_price:m", "conversionRate:m", "part:m:share"])
def test_never_adds_up_averages_and_shares(head: str):
    rows = table(f"region:d {head}", ("North", 0.1), ("North", 0.2))

    with pytest.raises(CannotDraw, match="cannot be added up"):
        read_grid(BarChart(x="region", y=head.split(":")[0]), rows)


def test_says_how_many_rows_have_no_place_in_time():
    rows = table("day:t orders:m", (date(2025, 1, 1), 1), (None, 2))

    grid = read_grid(LineChart(x="day", y="orders"), rows)

    assert grid.notes == ("1 row without day left out.",)
    assert grid.series[0].values == (1,)


def test_knows_which_periods_are_not_over():
    rows = table("month:t orders:m complete:d", ("2025-01", 9, True), ("2025-02", 1, False))

    grid = read_grid(LineChart(x="month", y="orders", complete="complete"), rows)

    assert grid.unfinished == {1}
