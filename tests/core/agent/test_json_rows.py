"""A column that is written as a whole says what its cells say one by one."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agent.json_rows import LONGEST_CELL, json_rows
from core.domain.table import Cell, json_cell

KINDS = (
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(2**53) - 2, max_value=-(2**53) + 2),
    st.floats(),
    st.integers(min_value=-(10**6), max_value=10**6).map(lambda cents: cents / 100),
    st.decimals(),
    st.text(max_size=2 * LONGEST_CELL),
    st.binary(),
    st.dates(),
    st.datetimes(timezones=st.sampled_from((None, UTC))),
    st.times(),
    st.timedeltas(),
    st.uuids(),
    st.lists(st.integers()),
    st.dictionaries(st.text(), st.floats()),
)


def one_by_one(cell: Cell) -> object:
    value = json_cell(cell)
    long = isinstance(value, str) and len(value) > LONGEST_CELL
    return value[:LONGEST_CELL] + "…" if isinstance(value, str) and long else value


def read(rows: list[tuple[Cell, ...]]) -> object:
    return orjson.loads(orjson.dumps(json_rows(rows)))


@given(
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=3).flatmap(
        lambda kinds: st.lists(st.tuples(*(st.none() | kind for kind in kinds)), max_size=6)
    )
)
def test_columns_of_one_type_say_what_their_cells_say(rows: list[tuple[Cell, ...]]):
    assert read(rows) == [[one_by_one(cell) for cell in row] for row in rows]


@given(st.lists(st.tuples(st.none() | st.one_of(*KINDS)), max_size=6))
def test_columns_of_many_types_say_what_their_cells_say(rows: list[tuple[Cell, ...]]):
    assert read(rows) == [[one_by_one(cell) for cell in row] for row in rows]


@pytest.mark.parametrize(
    ("cells", "written"),
    [
        ((1, 2**53 + 1), [1, "9007199254740993"]),
        ((0.5, math.nan, None), [0.5, "NaN", None]),
        ((0.25, 100.7500000000019), [0.25, 100.75]),
        (("a", "b" * 301), ["a", "b" * 300 + "…"]),
        ((True, 1), [True, 1]),
        ((None, None), [None, None]),
        ((date(2025, 1, 31), None), ["2025-01-31", None]),
        ((datetime(2025, 1, 31, 8, tzinfo=UTC),), ["2025-01-31T08:00:00+00:00"]),
        ((Decimal("0.10"), time(8), timedelta(1), UUID(int=1)),
         [0.1, "08:00:00", "1 day, 0:00:00", "00000000-0000-0000-0000-000000000001"]),
    ],
)  # fmt: skip
def test_one_cell_that_needs_care_is_found_among_plain_ones(
    cells: tuple[Cell, ...], written: list[object]
):
    assert read([(cell,) for cell in cells]) == [[cell] for cell in written]
