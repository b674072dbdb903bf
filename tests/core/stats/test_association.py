import pytest

from core.stats.association import association_of, correlation_p
from core.stats.scipy_door import scipy_stats


@pytest.mark.parametrize("n", [3, 4, 20, 200])
def test_the_p_value_of_a_correlation_is_scipys(n: int):
    xs = list(range(n))
    ys = [(at * 7) % 5 + at * 0.1 for at in range(n)]
    expected = scipy_stats().pearsonr(xs, ys)

    assert correlation_p(float(expected.statistic), n) == pytest.approx(float(expected.pvalue))


@pytest.mark.parametrize(("r", "n", "p_value"), [(1.0, 10, 0.0), (-1.0, 3, 0.0), (0.5, 2, None)])
def test_the_ends_of_the_scale(r: float, n: int, p_value: float | None):
    assert correlation_p(r, n) == p_value


def test_complete_association_has_a_v_of_one():
    assert association_of([[10, 0], [0, 20]]).v == pytest.approx(1.0)


def test_few_expected_rows_are_called_sparse():
    assert association_of([[1, 2], [3, 4]]).sparse
    assert not association_of([[50, 40], [30, 60]]).sparse
