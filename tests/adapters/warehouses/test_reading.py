from collections.abc import AsyncGenerator

import pytest

from adapters.warehouses.parts import Head, Heads, Parts, Rows
from adapters.warehouses.reading import names_apart, tables, whole_table
from adapters.warehouses.sizes import FIRST_ROWS, rows_at_once, weight
from core.domain.table import Row, Table


class Source:
    """Hands out rows in pieces, and knows whether it was closed."""

    def __init__(self, rows: int, *, piece: int, cell: str = "x") -> None:
        self.rows = [(at, cell) for at in range(rows)]
        self.piece = piece
        self.given = 0
        self.closed = False

    async def parts(self) -> Parts:
        try:
            yield Heads((Head("n", "int4"), Head("n", "text")))
            for start in range(0, len(self.rows), self.piece):
                rows: list[Row] = [*self.rows[start : start + self.piece]]
                self.given += len(rows)
                yield Rows(rows)
        finally:
            self.closed = True


async def test_takes_no_more_than_it_needs_and_closes_the_source():
    source = Source(1_000, piece=10)

    table = await whole_table(source.parts(), max_rows=25, max_bytes=10**6)

    assert (len(table.rows), table.truncated, source.given) == (25, True, 30)
    assert source.closed


async def test_keeps_at_least_one_row_under_a_byte_cap():
    source = Source(10, piece=5, cell="x" * 10_000)

    table = await whole_table(source.parts(), max_rows=10, max_bytes=100)

    assert (len(table.rows), table.truncated) == (1, True)


@pytest.mark.parametrize(
    ("rows", "piece", "batch_rows", "max_rows", "sizes"),
    [
        (0, 1, 10, 10, [0]),
        (10, 3, 10, 10, [10]),
        (11, 3, 10, 10, [10]),
        (20, 7, 10, 20, [10, 10]),
        (21, 100, 10, 20, [10, 10]),
        (25, 4, 10, 100, [10, 10, 5]),
        (25, 4, 10, 15, [10, 5]),
        (3, 1, 1, 3, [1, 1, 1]),
    ],
)
async def test_cuts_batches_of_the_wanted_size(
    rows: int, piece: int, batch_rows: int, max_rows: int, sizes: list[int]
):
    source = Source(rows, piece=piece)

    batches = [
        table async for table in tables(source.parts(), batch_rows=batch_rows, max_rows=max_rows)
    ]

    assert [len(table.rows) for table in batches] == sizes
    assert [table.truncated for table in batches] == [*(False for _ in sizes[1:]), rows > max_rows]
    assert [row[0] for table in batches for row in table.rows] == [*range(min(rows, max_rows))]
    assert {table.names for table in batches} == {("n", "n_2")}
    assert source.closed


async def test_closing_early_closes_the_source():
    source = Source(1_000, piece=10)
    batches: AsyncGenerator[Table, None] = tables(source.parts(), batch_rows=10, max_rows=1_000)

    await anext(batches)
    await batches.aclose()

    assert source.closed
    assert source.given < 1_000


@pytest.mark.parametrize(
    ("given", "apart"),
    [
        (["a", "b"], ("a", "b")),
        (["a", "a", "a"], ("a", "a_2", "a_3")),
        (["a", "A"], ("a", "A_2")),
        (["a", "a", "a_2"], ("a", "a_3", "a_2")),
        (["", ""], ("column", "column_2")),
    ],
)
def test_keeps_names_apart(given: list[str], apart: tuple[str, ...]):
    assert names_apart(given) == apart


def test_wide_rows_are_moved_in_smaller_pieces():
    narrow: list[Row] = [(1, "x")] * 100
    wide: list[Row] = [(1, "x" * 1_000_000)] * 100

    assert rows_at_once(()) == FIRST_ROWS
    assert rows_at_once(narrow) > FIRST_ROWS
    assert rows_at_once(wide) < 10
    assert weight(wide) > 90_000_000
    assert weight(()) == 0
