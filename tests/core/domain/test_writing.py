import pytest

from core.domain.answer import ShownColumn, ShownTable
from tests.kit.written_cells import WRITTEN, Written, table_of


@pytest.mark.parametrize("each", WRITTEN, ids=lambda each: each[0])
def test_all_cells_of_a_column_are_written_in_one_way(each: Written):
    table = table_of(each)

    assert tuple(table.columns[0].written(cell) for [cell] in table.rows) == each[-1]


def test_an_answer_from_before_columns_had_a_writing_gets_one():
    kept = table_of(WRITTEN[0]).model_dump_json(exclude={"columns": {"__all__": {"writing"}}})

    [column] = ShownTable.model_validate_json(kept).columns

    assert column.written(1234.5) == "1,234.50"


def test_a_heading_is_words():
    table = ShownTable(
        columns=(ShownColumn(name="total_revenue", kind=WRITTEN[0][1]),), rows=(), row_count=0
    )

    assert table.columns[0].heading == "total revenue"
