from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from bot.evaluation.compare import normal, same_result
from core.domain.table import Cell


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (Decimal("12.50"), "12.5"),
        (3.1415926, 3.14161),
        (True, 1),
        (-0.0, 0),
        (" Spain ", "Spain"),
        (datetime(2024, 1, 1, tzinfo=UTC), "2024-01-01"),
        (date(2024, 1, 1), "2024-01-01 00:00:00"),
        ("2024-01-01T00:00:00", "2024-01-01"),
        ("2024-01-01T10:00:00", "2024-01-01 10:00:00"),
        (float("nan"), float("nan")),
        (1e300, "1e300"),
    ],
)
def test_cells_that_mean_the_same_are_the_same(one: Cell, other: Cell):
    assert normal(one) == normal(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 2), (3.1415, 3.1416), (None, 0), (None, ""), ("Spain", "spain"), ("a", "a b")],
)
def test_cells_that_differ_are_not(one: Cell, other: Cell):
    assert normal(one) != normal(other)


def test_rows_are_a_bag_unless_order_matters():
    one, other = [("a", 1), ("b", 2)], [("b", 2), ("a", 1)]

    assert same_result(one, other, ordered=False)
    assert not same_result(one, other, ordered=True)


def test_a_row_that_occurs_twice_counts_twice():
    assert not same_result([("a",), ("a",), ("b",)], [("a",), ("b",), ("b",)], ordered=False)
    assert not same_result([("a",)], [("a",), ("a",)], ordered=False)


def test_columns_may_stand_in_any_order_but_rows_must_hold_together():
    gold = [("a", 1, 2), ("b", 2, 1)]

    assert same_result(gold, [(1, "a", 2), (2, "b", 1)], ordered=True)
    assert not same_result(gold, [(1, "b", 2), (2, "a", 2)], ordered=True)
    assert not same_result([("a", 1), ("b", 2)], [("a", 2), ("b", 1)], ordered=False)


def test_a_further_column_is_wrong_unless_it_is_looked_at_kindly():
    gold, given = [("a",), ("b",)], [(1, "a"), (2, "b")]

    assert not same_result(gold, given, ordered=True)
    assert same_result(gold, given, ordered=True, lenient=True)


def test_a_missing_column_is_wrong_however_one_looks():
    assert not same_result([("a", 1)], [("a",)], ordered=False, lenient=True)


def test_two_empty_results_are_the_same():
    assert same_result([], [], ordered=True)
    assert not same_result([], [("a",)], ordered=True)


def test_many_columns_with_the_same_values_are_matched_in_reasonable_time():
    rows = [tuple([0] * 12), tuple([1] * 12)]

    assert same_result(rows, rows, ordered=False)
