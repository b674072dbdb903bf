import pytest

from adapters.slack.cells import head, native, shown
from core.domain.answer import ShownColumn
from core.domain.table import ColumnKind
from core.domain.writing import NO_VALUE
from tests.kit.written_cells import WRITTEN, Written, table_of


@pytest.mark.parametrize("each", WRITTEN, ids=lambda each: each[0])
def test_a_cell_is_written_as_on_every_surface_and_never_empty(each: Written):
    table = table_of(each)

    written = [shown(cell, table.columns[0]) for [cell] in table.rows]

    assert written == [text or NO_VALUE for text in each[-1]]


def test_a_number_sorts_as_one_however_it_is_written():
    share = table_of(WRITTEN[4])

    assert native(0.3671, share.columns[0]) == {
        "type": "raw_number",
        "value": 0.3671,
        "text": "36.7%",
    }


def test_a_head_has_the_unit_that_its_cells_do_not_have():
    cost = ShownColumn(name="cost", heading="cost", kind=ColumnKind.MEASURE, unit="EUR")
    part = ShownColumn(name="part", heading="part", kind=ColumnKind.MEASURE, unit="share")

    assert (head(cost), head(part)) == ("cost (EUR)", "part")
