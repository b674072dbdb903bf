from hypothesis import given
from hypothesis import strategies as st

from core.stats.bins import MOST, Spread, bins_for

VALUES = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=200)


def spread_of(values: list[float]) -> Spread:
    ordered = sorted(values)

    def at(share: float) -> float:
        return ordered[round(share * (len(ordered) - 1))]

    return Spread(
        count=len(values),
        low=ordered[0],
        high=ordered[-1],
        quartiles=(at(0.25), at(0.75)),
        tails=(at(0.01), at(0.99)),
        whole=all(value.is_integer() for value in values),
    )


@given(VALUES, st.integers(0, 60))
def test_every_value_has_its_bin_and_bins_are_few(values: list[float], wanted: int):
    spread = spread_of(values)

    bins = bins_for(spread, wanted=wanted)

    assert bins.width > 0
    assert bins.open_below or bins.low <= spread.low
    assert bins.open_above or bins.high > spread.high
    assert 1 <= bins.count <= max(MOST, wanted) * 2 + 2


def test_edges_are_round_numbers():
    spread = Spread(
        count=500, low=3.2, high=97.4, quartiles=(30.0, 60.0), tails=(4.0, 95.0), whole=False
    )

    bins = bins_for(spread)

    assert (bins.low, bins.width) == (0.0, 10.0)
    assert [bins.edges(at) for at in (0, 9)] == [(0.0, 10.0), (90.0, 100.0)]


def test_a_single_value_has_one_bin():
    spread = Spread(count=9, low=5.0, high=5.0, quartiles=(5.0, 5.0), tails=(5.0, 5.0), whole=True)

    bins = bins_for(spread)

    assert [bins.edges(at) for at in bins.places] == [(5.0, 6.0)]


def test_far_values_fall_into_an_open_bin():
    spread = Spread(
        count=1_000, low=0.5, high=90_000.0, quartiles=(20.0, 60.0), tails=(2.0, 180.0), whole=False
    )

    bins = bins_for(spread)

    assert bins.open_above
    assert bins.edges(bins.places[-1])[1] is None
    assert bins.high < 300
