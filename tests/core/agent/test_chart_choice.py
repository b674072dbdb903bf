from datetime import date
from decimal import Decimal

import pytest

from core.agent.chart_choice import MOST_BARS, choose_chart
from core.domain.artifact import BarChart, LineChart, ScatterChart
from core.domain.table import Cell, Column, ColumnKind, Table

T, M, D = ColumnKind.TIME, ColumnKind.MEASURE, ColumnKind.DIMENSION


def table(columns: dict[str, ColumnKind], *rows: tuple[Cell, ...]) -> Table:
    return Table(columns=tuple(Column(*each) for each in columns.items()), rows=rows)


DAYS = [date(2026, 1, day) for day in range(1, 13)]


def test_a_measure_over_time_is_a_line():
    rows = [(day, n) for n, day in enumerate(DAYS)]

    assert choose_chart(table({"day": T, "orders": M}, *rows)) == LineChart(x="day", y="orders")


def test_measures_of_one_scale_share_the_axis_and_others_stay_out():
    rows = [(day, 100 + n, Decimal(90 + n), 5_000_000 + n) for n, day in enumerate(DAYS)]
    made = table({"day": T, "orders": M, "returns": M, "revenue": M}, *rows)

    assert choose_chart(made) == LineChart(x="day", y=("orders", "returns"))


def test_a_second_dimension_makes_a_line_each():
    rows = [(day, country, 1) for day in DAYS for country in ("Spain", "Norway")]

    chart = choose_chart(table({"day": T, "country": D, "orders": M}, *rows))

    assert chart == LineChart(x="day", y="orders", series="country")


def test_too_many_lines_are_no_chart():
    rows = [(day, f"c{n}", 1) for day in DAYS[:2] for n in range(11)]

    assert choose_chart(table({"day": T, "country": D, "orders": M}, *rows)) is None


def test_one_day_by_country_is_bars():
    rows = [(DAYS[0], country, 1) for country in ("Spain", "Norway")]

    chart = choose_chart(table({"day": T, "country": D, "orders": M}, *rows))

    assert chart == BarChart(x="country", y="orders")


def test_a_year_is_an_axis_and_no_measure():
    rows = [(2020 + n, 10 * n) for n in range(5)]

    assert choose_chart(table({"year": M, "orders": M}, *rows)) == LineChart(x="year", y="orders")


def test_few_short_categories_stand_upright():
    chart = choose_chart(table({"country": D, "orders": M}, ("Spain", 1), ("Norway", 2)))

    assert chart == BarChart(x="country", y="orders")


@pytest.mark.parametrize(
    "labels", [[f"c{n}" for n in range(9)], ["Spain", "a country of a long name"]]
)
def test_many_or_long_categories_lie_down(labels: list[str]):
    chart = choose_chart(table({"country": D, "orders": M}, *((each, 1) for each in labels)))

    assert chart == BarChart(x="country", y="orders", horizontal=True)


def test_two_dimensions_are_bars_side_by_side_along_the_larger_one():
    rows = [(kind, month, 1) for kind in ("a", "b") for month in ("Jan", "Feb", "Mar")]

    chart = choose_chart(table({"kind": D, "label": D, "orders": M}, *rows))

    assert chart == BarChart(x="label", y="orders", series="kind")


def test_two_measures_are_points():
    rows = [(n, n * n) for n in range(6)]

    chart = choose_chart(table({"price": M, "sold": M}, *rows))

    assert chart == ScatterChart(x="price", y="sold")


@pytest.mark.parametrize(
    "made",
    [
        table({"orders": M}, (1,)),
        table({"country": D, "orders": M}, ("Spain", 1)),
        table({"country": D, "name": D}, ("Spain", "Ada"), ("Norway", "Bo")),
        table({"customer_id": M, "order_id": M}, *((n, n) for n in range(9))),
        table({"country": D, "customerId": M}, ("Spain", 1), ("Norway", 2)),
        table({"country": D, "orders": M}, ("Spain", 1), ("Spain", 2)),
        table({"day": T, "orders": M}, (DAYS[0], 1), (DAYS[0], 2)),
        table({"day": T, "orders": M}, (DAYS[0], None), (DAYS[1], None)),
        table({"country": D, "orders": M}, *((f"c{n}", n) for n in range(MOST_BARS + 1))),
        table({"a": D, "b": D, "c": D, "n": M}, ("x", "y", "z", 1), ("x", "y", "w", 2)),
        table({"year": M, "month": M, "orders": M}, (2026, 1, 5), (2026, 2, 6)),
        table({"day": T, "orders": M}, *((n, n) for n in range(3_000))),
        table({}),
    ],
)
def test_some_tables_are_best_left_alone(made: Table):
    assert choose_chart(made) is None
