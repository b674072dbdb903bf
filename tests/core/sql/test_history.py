from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.domain.query import CostEstimate
from core.sql.history import Past, usual_seconds


def ran(seconds: float, **figures: float) -> Past:
    return Past(CostEstimate(confidence="estimate", **figures), seconds)


def of(**figures: float) -> CostEstimate:
    return CostEstimate(confidence="estimate", **figures)


def test_nine_of_ten_queries_of_about_the_size_stayed_within():
    past = [ran(seconds, bytes=1e9) for seconds in range(1, 11)]

    assert usual_seconds(of(bytes=2e9), past) == 9


def test_queries_of_another_size_say_nothing():
    small = [ran(0.1, bytes=1e6) for _ in range(50)]
    large = [ran(90, bytes=1e12) for _ in range(50)]

    assert usual_seconds(of(bytes=1e9), [*small, *large]) is None


def test_a_few_queries_say_nothing():
    assert usual_seconds(of(bytes=1e9), [ran(5, bytes=1e9)] * 7) is None
    assert usual_seconds(of(bytes=1e9), [ran(5, bytes=1e9)] * 8) == 5


def test_only_the_same_measure_is_compared():
    rows = [ran(5, rows=1e9)] * 20

    assert usual_seconds(of(bytes=1e9), rows) is None
    assert usual_seconds(of(rows=1e9), rows) == 5
    assert usual_seconds(of(units=1e9, rows=1e9), [ran(7, units=1e9)] * 8) == 7
    assert usual_seconds(CostEstimate(), rows) is None


@given(st.lists(st.floats(min_value=0, max_value=1e4), min_size=8, max_size=60))
def test_what_is_said_was_taken_by_one_and_exceeded_by_few(seconds: list[float]):
    said = usual_seconds(of(bytes=1e9), [ran(each, bytes=1e9) for each in seconds])

    assert said in seconds
    assert sum(each > (said or 0.0) for each in seconds) <= len(seconds) / 10
