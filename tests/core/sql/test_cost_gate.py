import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.connection import Limits, Prices, Thresholds
from core.domain.query import Ceiling, CostEstimate
from core.sql.cost_gate import ceiling_for, is_small, is_small_database, priced, weigh

DEFAULT = Thresholds()
NONE = Thresholds(rows=math.inf, intermediate_rows=math.inf, bytes=math.inf, usd=math.inf)


def test_what_is_below_every_threshold_runs_unasked():
    estimate = CostEstimate(rows=1e6, intermediate_rows=2e6, bytes=1e8, confidence="estimate")

    assert not weigh(estimate, DEFAULT).asks


@pytest.mark.parametrize(
    "above",
    [{"rows": 6e7}, {"intermediate_rows": 6e8}, {"bytes": 6e10}, {"usd": 1.01}, {"rows": math.inf}],
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
            "Reads ≤ 1.8 TB, for ≤ $11.00. Table: orders. That is above what runs"
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


MEASURES = ("rows", "intermediate_rows", "bytes", "seconds", "usd")


@pytest.mark.parametrize("measure", MEASURES)
def test_any_one_threshold_may_stand_alone(measure: str):
    alone = replace(NONE, **{measure: 10.0})

    assert weigh(CostEstimate(confidence="estimate", **{measure: 11.0}), alone).asks
    assert not weigh(CostEstimate(confidence="estimate", **{measure: 9.0}), alone).asks
    assert not is_small(["orders"], {"orders": 1_000_000_000}, alone)


@pytest.mark.parametrize(
    ("thresholds", "words"),
    [
        (replace(NONE, usd=1.0), "does not say the price of this query."),
        (replace(NONE, rows=1, bytes=1), "does not say the bytes or the rows of this query."),
        (replace(NONE, seconds=60), "does not say the seconds of this query."),
    ],
)
def test_an_estimate_without_the_figure_that_counts_is_unknown(thresholds: Thresholds, words: str):
    verdict = weigh(CostEstimate(units=12.0, confidence="estimate"), thresholds)

    assert verdict.asks
    assert words in verdict.reason


@given(st.sampled_from(MEASURES))
def test_what_is_no_number_is_never_cheap(measure: str):
    estimate = CostEstimate(confidence="estimate", **{measure: math.nan})

    assert getattr(estimate, measure) is None
    assert weigh(estimate, replace(NONE, **{measure: 1e9})).asks


@given(
    st.floats(min_value=0, max_value=1e18),
    st.floats(min_value=0, max_value=1e18),
    st.sampled_from(MEASURES),
)
def test_more_is_never_let_through_where_less_waits(one: float, other: float, measure: str):
    thresholds = replace(DEFAULT, seconds=60)
    less, more = (
        CostEstimate(confidence="estimate", **{measure: figure}) for figure in sorted((one, other))
    )

    assert weigh(more, thresholds).asks or not weigh(less, thresholds).asks


def test_money_is_bytes_and_hours_at_their_price():
    estimate = CostEstimate(bytes=2.0**40, seconds=1_800, confidence="upper_bound")

    assert priced(estimate, Prices(usd_per_tib=6.25)).usd == 6.25
    assert priced(estimate, Prices(usd_per_hour=4)).usd == 2
    assert priced(estimate, Prices()).usd is None
    assert priced(CostEstimate(rows=7, confidence="estimate"), Prices(usd_per_tib=5)).usd is None
    assert priced(CostEstimate(), Prices(usd_per_tib=5, usd_per_hour=5)) == CostEstimate()


def test_what_runs_unasked_may_read_up_to_the_thresholds():
    assert ceiling_for(DEFAULT, Limits(), Prices(), approved=None) == Ceiling(rows=5e7, bytes=50e9)
    assert ceiling_for(
        replace(DEFAULT, usd=0.01), Limits(), Prices(usd_per_tib=5), approved=None
    ).bytes == pytest.approx(2.0**40 / 500)


def test_what_was_approved_may_read_about_as_much_as_was_shown():
    shown = CostEstimate(bytes=100e9, rows=1e9, confidence="upper_bound")
    about = shown.model_copy(update={"confidence": "estimate"})
    unknown = CostEstimate()

    def ceiling(approved: CostEstimate, limits: Limits | None = None) -> Ceiling:
        return ceiling_for(DEFAULT, limits or Limits(), Prices(), approved=approved)

    assert ceiling(shown).bytes == pytest.approx(110e9)
    assert ceiling(about) == Ceiling(rows=2e9, bytes=200e9)
    assert ceiling(unknown) == Ceiling()
    assert ceiling(unknown, Limits(read_bytes=1e12)).bytes == 1e12
    assert ceiling(shown, Limits(read_bytes=1e9)).bytes == 1e9


def test_a_few_rows_are_no_reason_not_to_ask_for_the_price():
    sizes = {"orders": 40_000}

    assert is_small(["orders"], sizes, DEFAULT)
    assert not is_small(["orders"], sizes, replace(DEFAULT, bytes=1e6))
    assert not is_small(["orders"], sizes, DEFAULT, Prices(usd_per_tib=5e6))
    assert not is_small(["orders"], sizes, DEFAULT, Prices(usd_per_hour=3))
