import pytest

from adapters.terminal.cells import writer
from core.domain.answer import ShownColumn
from core.domain.table import ColumnKind, JsonCell


@pytest.mark.parametrize(
    ("cells", "unit", "texts"),
    [
        ((4.1e-44,), "", ("< 0.000001",)),
        ((1.5, 0.001, 0), "", ("1.50", "< 0.01", "0.00")),
        ((0.3671, 0.0001, -0.0001), "share", ("36.7%", "< 0.1%", "> -0.1%")),
        ((0.004, 12), "EUR", ("< 0.01", "12.00")),
    ],
)
def test_a_figure_is_rounded_but_never_to_nothing(
    cells: tuple[JsonCell, ...], unit: str, texts: tuple[str, ...]
):
    write = writer(ShownColumn(name="x", kind=ColumnKind.MEASURE, unit=unit), cells)

    assert tuple(map(write, cells)) == texts
