from datetime import date

import pytest

from core.agent.chart_figures import figures_of
from core.domain.artifact import BarChart, Chart, ChartSpec, LineChart, ScatterChart
from core.domain.table import Cell, Column, ColumnKind, Table

MONTH = Column("month", ColumnKind.TIME)
REGION = Column("region", ColumnKind.DIMENSION)
TOTAL = Column("total", ColumnKind.MEASURE)
COST = Column("cost", ColumnKind.MEASURE)


def chart(spec: ChartSpec, columns: tuple[Column, ...], *rows: tuple[Cell, ...]) -> Chart:
    return Chart(spec=spec, title="Total", table=Table(columns=columns, rows=rows))


def test_one_line_has_a_value_for_each_category():
    found = figures_of(
        chart(
            LineChart(x="month", y="total"),
            (MONTH, TOTAL),
            (date(2026, 1, 1), 1),
            (date(2026, 2, 1), 2.5),
        )
    )

    assert found is not None
    assert (found.kind, found.categories) == ("line", ("Jan 2026", "Feb 2026"))
    assert [(each.name, each.values) for each in found.series] == [("total", (1.0, 2.5))]


def test_several_measures_are_several_series():
    spec = BarChart(x="region", y=("total", "cost"))
    rows = (("north", 1, 2), ("south", 3, 4))

    found = figures_of(chart(spec, (REGION, TOTAL, COST), *rows))

    assert found is not None
    assert [(each.name, each.values) for each in found.series] == [
        ("total", (1.0, 3.0)),
        ("cost", (2.0, 4.0)),
    ]


def test_a_column_of_names_is_turned_into_series_whatever_the_order_of_rows():
    spec = LineChart(x="month", y="total", series="region")
    rows = (("jan", "north", 1), ("feb", "south", 4), ("jan", "south", 2), ("feb", "north", 3))

    found = figures_of(chart(spec, (MONTH, REGION, TOTAL), *rows))

    assert found is not None
    assert found.categories == ("jan", "feb")
    assert {each.name: each.values for each in found.series} == {
        "north": (1.0, 3.0),
        "south": (2.0, 4.0),
    }


@pytest.mark.parametrize(
    ("spec", "rows"),
    [
        (BarChart(x="region", y="total"), [("north", 1), ("south", None)]),
        (BarChart(x="region", y="total"), [("north", 1), ("south", float("nan"))]),
        (BarChart(x="region", y="total"), [("north", 1), ("north", 2)]),
        (BarChart(x="region", y="total"), [("north", 1)]),
        (BarChart(x="region", y="total"), [(f"r{n}", n) for n in range(51)]),
        (BarChart(x="region", y="total", stacked=True), [("north", 1), ("south", 2)]),
        (ScatterChart(x="region", y="total"), [("north", 1), ("south", 2)]),
    ],
    ids=["gap", "not_a_number", "twice", "one", "many", "stacked", "points"],
)
def test_what_has_gaps_or_another_shape_is_left_to_the_picture(
    spec: ChartSpec, rows: list[tuple[Cell, ...]]
):
    assert figures_of(chart(spec, (REGION, TOTAL), *rows)) is None
