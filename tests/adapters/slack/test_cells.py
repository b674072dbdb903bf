import pytest

from adapters.slack.cells import shown
from core.domain.answer import ShownColumn
from core.domain.table import ColumnKind, JsonCell


@pytest.mark.parametrize(
    ("cell", "unit", "text"),
    [
        (4.1e-44, "", "< 0.000001"),
        (-4.1e-44, "", "> -0.000001"),
        (0.00005, "", "0.000050"),
        (0.0123, "", "0.0123"),
        (0, "", "0"),
        (0.0001, "share", "< 0.1%"),
        (0.3671, "share", "36.7%"),
        (0.004, "EUR", "< 0.01"),
        (1234.5, "EUR", "1,234.50"),
    ],
)
def test_a_figure_is_rounded_but_never_to_nothing(cell: JsonCell, unit: str, text: str):
    assert shown(cell, ShownColumn(name="x", kind=ColumnKind.MEASURE, unit=unit)) == text
