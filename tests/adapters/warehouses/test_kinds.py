from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from adapters.warehouses.kinds import kind_of, kind_of_stored, looks_like_a_date
from core.domain.table import Cell, ColumnKind

TIME, MEASURE, DIMENSION, TEXT = (
    ColumnKind.TIME,
    ColumnKind.MEASURE,
    ColumnKind.DIMENSION,
    ColumnKind.TEXT,
)


@pytest.mark.parametrize(
    ("type_word", "kind"),
    [
        ("DATE", TIME),
        ("timestamp with time zone", TIME),
        ("timestamptz", TIME),
        ("datetime(6)", TIME),
        ("time without time zone", DIMENSION),
        ("INTEGER", MEASURE),
        ("bigint unsigned", MEASURE),
        ("UNSIGNED BIG INT", MEASURE),
        ("int4", MEASURE),
        ("HUGEINT", MEASURE),
        ("numeric(12,2)", MEASURE),
        ("DECIMAL(38, 10)", MEASURE),
        ("double precision", MEASURE),
        ("FLOAT8", MEASURE),
        ("money", MEASURE),
        ("interval", MEASURE),
        ("boolean", DIMENSION),
        ("tinyint(1)", DIMENSION),
        ("varchar(40)", DIMENSION),
        ("character varying(2000)", TEXT),
        ("text", TEXT),
        ("longtext", TEXT),
        ("uuid", DIMENSION),
        ("enum('a','b')", DIMENSION),
        ("mood", DIMENSION),
        ("year(4)", DIMENSION),
        ("jsonb", TEXT),
        ("BLOB", TEXT),
        ("bytea", TEXT),
        ("text[]", TEXT),
        ("INTEGER[3]", TEXT),
        ("STRUCT(k INTEGER)", TEXT),
        ("point", DIMENSION),
        ("date[]", TEXT),
    ],
)
def test_types_say_what_a_column_is_good_for(type_word: str, kind: ColumnKind):
    assert kind_of("amount", type_word) is kind


@pytest.mark.parametrize(
    "name",
    [
        *("id", "customer_id", "customerId", "CustomerID", "zip", "zip_code", "invoice_number"),
        *("year", "birth_year", "order_month", "is_active", "has_paid", "_id", "Model Key", "lat"),
    ],
)
def test_numbers_that_name_a_thing_are_dimensions(name: str):
    assert kind_of(name, "INTEGER") is DIMENSION


@pytest.mark.parametrize(
    "name",
    ["amount", "price_per_day", "number", "paid", "width", "orders", "isolation", "n", "no"],
)
def test_other_numbers_are_measures(name: str):
    assert kind_of(name, "INTEGER") is MEASURE


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ((), DIMENSION),
        ((None, None), DIMENSION),
        ((1, 2.5, None, Decimal(1)), MEASURE),
        ((True, False), DIMENSION),
        ((date(2025, 1, 1), datetime(2025, 1, 1, tzinfo=UTC)), TIME),
        (("2025-01-01", "2025-02-01 10:00:00"), TIME),
        (("2025-01", None), TIME),
        (("2025-01-01", "soon"), DIMENSION),
        (("short", "words"), DIMENSION),
        (("long " * 20,), TEXT),
        (("x", "x" * 300), TEXT),
        ((b"\x00",), TEXT),
        (([1, 2],), TEXT),
    ],
)
def test_without_a_type_the_cells_decide(cells: tuple[Cell, ...], kind: ColumnKind):
    assert kind_of("value", "", cells=cells) is kind


def test_text_in_a_column_declared_as_a_number_is_no_measure():
    assert kind_of("amount", "NUMERIC", cells=("n/a", "?")) is DIMENSION
    assert kind_of("amount", "NUMERIC", cells=("n/a", 3)) is MEASURE


def test_short_text_in_a_long_type_is_a_dimension():
    assert kind_of("status", "TEXT", cells=("paid", "open")) is DIMENSION


def test_a_stored_column_of_zeros_and_ones_is_a_flag():
    assert kind_of_stored("active", "INTEGER", is_key=False, cells=(1, 0, 1)) is DIMENSION
    assert kind_of_stored("children", "INTEGER", is_key=False, cells=(1, 0, 2)) is MEASURE
    assert kind_of_stored("amount", "INTEGER", is_key=True, cells=(5,)) is DIMENSION


@pytest.mark.parametrize(
    "text",
    [
        *("2025-01-31", "2025-12", "2025-01-31T10:00", "2025-01-31 10:00:00Z"),
        "2025-01-31 10:00:00.123456+02:00",
    ],
)
def test_knows_an_iso_date_when_it_sees_one(text: str):
    assert looks_like_a_date(text)


@pytest.mark.parametrize(
    "text", ["2025", "2025-13", "31.01.2025", "2025-01-31 and more", "1234-5678", ""]
)
def test_takes_nothing_else_for_a_date(text: str):
    assert not looks_like_a_date(text)
