from decimal import Decimal

import pytest

from core.domain.alt_text import describe
from core.domain.artifact import BarChart, Chart, LineChart
from core.domain.errors import NotPossible
from core.domain.table import Cell, Column, ColumnKind, Table

BARS = BarChart(x="region", y="value")


def chart(*values: Cell, unit: str = "") -> Chart:
    columns = (Column("region", ColumnKind.DIMENSION), Column("value", ColumnKind.MEASURE, unit))
    rows = tuple((f"R{at}", value) for at, value in enumerate(values))
    return Chart(spec=BARS, title="Values", table=Table(columns=columns, rows=rows))


@pytest.mark.parametrize(
    ("values", "unit", "words"),
    [
        ((1, 2), "", "Highest value: 2 (region R1); lowest: 1 (region R0)."),
        ((1234567.891, 5), "EUR", "Highest value: 1,234,567.89 (region R0); lowest: 5.00"),
        ((0.1234, -0.5), "share", "Highest value: 12.3% (region R0); lowest: -50.0%"),
        ((Decimal("0.00123"),), "", "Highest value: 0.001230 (region R0)."),
        ((7, 7), "", "Every value: 7."),
        ((None, float("nan"), "12", "x"), "", "Highest value: 12 (region R2)."),
    ],
)
def test_writes_the_extremes_as_people_read_them(values: tuple[Cell, ...], unit: str, words: str):
    assert words in describe(chart(*values, unit=unit))


def test_names_every_measure():
    columns = tuple(Column(name, ColumnKind.MEASURE) for name in ("day", "orders", "returns"))
    table = Table(columns=columns, rows=((1, 10, 2), (2, 30, 1)))
    spec = LineChart(x="day", y=("orders", "returns"))

    words = describe(Chart(spec=spec, title="", table=table))

    assert words.startswith("Line chart of orders and returns by day. Highest orders: 30 (day 2)")
    assert "Highest returns: 2 (day 1)" in words


def test_has_no_words_for_a_chart_without_numbers():
    with pytest.raises(NotPossible, match="no number"):
        describe(chart(None, "x"))
