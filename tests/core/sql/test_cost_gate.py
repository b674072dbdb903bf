import math

import pytest

from core.domain.connection import Thresholds
from core.domain.query import CostEstimate
from core.sql.cost_gate import is_small, is_small_database, weigh

DEFAULT = Thresholds()
NONE = Thresholds(rows=math.inf, intermediate_rows=math.inf, bytes=math.inf, usd=math.inf)


def test_what_is_below_every_threshold_runs_unasked():
    estimate = CostEstimate(rows=1e6, intermediate_rows=2e6, bytes=1e8, confidence="estimate")

    assert not weigh(estimate, DEFAULT).asks


@pytest.mark.parametrize(
    "above", [{"rows": 6e7}, {"intermediate_rows": 6e8}, {"bytes": 6e10}, {"usd": 1.01}]
)
def test_what_is_above_one_threshold_waits(above: dict[str, float]):
    estimate = CostEstimate(confidence="estimate", **above)

    assert weigh(estimate, DEFAULT).asks


def test_unknown_is_never_taken_for_cheap():
    verdict = weigh(CostEstimate(), DEFAULT, relations=("orders",))

    assert verdict.asks
    assert verdict.reason == (
        "The database gives no estimate of what this query reads, so it could be expensive."
        " Table: orders. Run it all the same?"
    )


def test_a_connection_without_thresholds_asks_nobody():
    assert not weigh(CostEstimate(), NONE).asks
    assert not weigh(CostEstimate(rows=1e15, confidence="estimate"), NONE).asks


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (
            CostEstimate(bytes=1.8e12, usd=11.0, rows=9e9, confidence="upper_bound"),
            "Reads at most 1.8 TB, for at most $11.00. Table: orders. That is above what runs"
            " unasked here ($1.00, 50 GB, 50 million rows). Run it?",
        ),
        (
            CostEstimate(rows=120e6, confidence="estimate"),
            "Reads about 120 million rows. Table: orders. That is above what runs unasked here"
            " (50 million rows). Run it?",
        ),
        (
            CostEstimate(rows=15_000, intermediate_rows=1.25e11, confidence="estimate"),
            "Reads about 15,000 rows, making about 125 billion rows on the way. Table: orders."
            " That is above what runs unasked here (500 million rows in a step). Run it?",
        ),
        (
            CostEstimate(rows=6e7, seconds=200, confidence="estimate"),
            "Reads about 60 million rows, usually in under 3 min. Table: orders. That is above what"
            " runs unasked here (50 million rows). Run it?",
        ),
    ],
)
def test_leads_with_what_costs_the_reader_something(estimate: CostEstimate, words: str):
    assert weigh(estimate, DEFAULT, relations=("orders",)).reason == words


def test_names_a_few_tables_and_counts_the_others():
    relations = tuple(f"t{i}" for i in range(9))

    assert (
        " Tables: t0, t1, t2, t3, t4, t5 and 3 more."
        in weigh(CostEstimate(), DEFAULT, relations=relations).reason
    )


def test_even_all_rows_multiplied_are_few():
    sizes = {"orders": 3_000, "customers": 400, "big": 40_000_000, "view": None}

    assert is_small(["orders", "customers"], sizes, DEFAULT)
    assert is_small([], sizes, DEFAULT)
    assert not is_small(["orders", "orders"], sizes, DEFAULT)
    assert not is_small(["big"], sizes, DEFAULT)
    assert not is_small(["view"], sizes, DEFAULT)
    assert not is_small(["unheard_of"], sizes, DEFAULT)


def test_a_small_database_is_known_by_the_tables_that_are_counted():
    assert is_small_database([3_000, 400, None], DEFAULT)
    assert not is_small_database([60_000_000], DEFAULT)
    assert not is_small_database([None], DEFAULT)
