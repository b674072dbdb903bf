from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from uuid import UUID

import pytest

from core.domain.table import Cell, Column, ColumnKind, Table
from core.toolkit.column_kinds import kind_of, with_kinds
from tests.kit.shop_catalog import DIMENSION, MEASURE, TEXT, TIME, column


@pytest.mark.parametrize(
    ("name", "cells", "kind"),
    [
        ("revenue", [1.5, None, 2], MEASURE),
        ("revenue", [Decimal("1.10")], MEASURE),
        ("order_id", [1, 2], DIMENSION),
        ("orderId", [1, 2], DIMENSION),
        ("id", [1], DIMENSION),
        ("zip code", [10115], DIMENSION),
        ("number", [3], MEASURE),
        ("order number", [3], DIMENSION),
        ("year", [2024, 2025], TIME),
        ("year", ["2024", "2025"], TIME),
        ("year", [3, 4], MEASURE),
        ("month", [1, 12], DIMENSION),
        ("orders_per_month", [1, 12], MEASURE),
        ("paid", [True, False], DIMENSION),
        ("day", [date(2025, 1, 1), None], TIME),
        ("at", [datetime.fromisoformat("2025-01-01 12:30")], TIME),
        ("day", ["2025-01-31", "2025-02-01"], TIME),
        ("at", ["2025-01-31 12:30:00", "2025-01-31T12:30:00.5+02:00"], TIME),
        ("month", ["2025-01", "2025-12"], TIME),
        ("quarter", ["2025-Q1"], TIME),
        ("week", ["2025-W07"], TIME),
        ("month", ["2025-13"], DIMENSION),
        ("day", ["2025-01-31", "unknown"], DIMENSION),
        ("country", ["Spain", None], DIMENSION),
        ("review", ["x" * 200, "y" * 20], TEXT),
        ("review", ["one\ntwo"], TEXT),
        ("raw", [b"\x00"], TEXT),
        ("tags", [["a", "b"]], TEXT),
        ("lasted", [timedelta(hours=1)], DIMENSION),
        ("key", [UUID(int=1)], DIMENSION),
        ("nothing", [None, None], DIMENSION),
        ("nothing", [], DIMENSION),
    ],
)
def test_a_columns_kind_is_read_from_its_cells(name: str, cells: Sequence[Cell], kind: ColumnKind):
    assert kind_of(name, cells) is kind


def test_what_the_catalog_knows_counts_first():
    rating = column("stars", "INTEGER", DIMENSION)

    assert kind_of("stars", [1, 5], known=rating) is DIMENSION
    assert kind_of("stars", [1, 5]) is MEASURE


def test_a_column_without_values_is_what_the_catalog_says():
    assert kind_of("amount", [None], known=column("amount", "REAL", MEASURE)) is MEASURE


def test_text_in_a_column_that_the_catalog_takes_for_numbers_is_text():
    assert kind_of("amount", ["n/a"], known=column("amount", "REAL", MEASURE)) is DIMENSION


def test_names_units_and_rows_stay():
    table = Table(
        columns=(Column("share", TEXT, unit="share"), Column("month", TEXT)),
        rows=((0.5, "2025-01"),),
        truncated=True,
    )

    typed = with_kinds(table)

    assert typed.columns == (Column("share", MEASURE, unit="share"), Column("month", TIME))
    assert (typed.rows, typed.truncated) == (table.rows, True)
