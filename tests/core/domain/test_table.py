import math
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.table import Cell, Column, ColumnKind, Table, json_cell, number


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (None, None),
        (True, True),
        (7, 7),
        (2**53 + 1, "9007199254740993"),
        (0.5, 0.5),
        (1335208.7500000019, 1335208.75),
        (715272.820000001, 715272.82),
        (0.1 + 0.2, 0.3),
        (1035074.1899999878, 1035074.19),
        (1 / 3, 1 / 3),
        (123456.789012345, 123456.789012345),
        (1e300, 1e300),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (Decimal("12.30"), 12.3),
        (Decimal("12.00"), 12),
        (Decimal("12345678901234567.89"), "12345678901234567.89"),
        (Decimal("NaN"), "NaN"),
        (Decimal("sNaN"), "NaN"),
        (Decimal("-Infinity"), "-Infinity"),
        (date(2025, 1, 31), "2025-01-31"),
        (datetime(2025, 1, 31, 4, 5, tzinfo=UTC), "2025-01-31T04:05:00+00:00"),
        (time(4, 5), "04:05:00"),
        (timedelta(days=1, hours=2), "1 day, 2:00:00"),
        (b"\x00\xff", "0x00ff"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (["a", 1, None], "[a, 1, None]"),
        ({"a": Decimal("0.10")}, "{a: 0.1}"),
    ],
)
def test_every_kind_of_cell_has_a_json_form(cell: Cell, shown: object):
    assert json_cell(cell) == shown
    assert orjson.loads(orjson.dumps(json_cell(cell))) == shown


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=4, min_value=-(10**12), max_value=10**12
    )
)
def test_no_decimal_loses_a_digit(cell: Decimal):
    assert Decimal(str(json_cell(cell))) == cell


def test_values_are_one_column_top_to_bottom():
    table = Table(
        columns=(Column("a", ColumnKind.MEASURE), Column("b", ColumnKind.TEXT)),
        rows=((1, "x"), (2, "y")),
    )

    assert table.values("b") == ("x", "y")
    with pytest.raises(KeyError):
        table.values("c")


def test_null_counts_as_zero_and_text_is_no_number():
    assert number(None) == 0.0
    assert number(Decimal("1.5")) == 1.5
    with pytest.raises(TypeError, match="'x' is no number"):
        number("x")
