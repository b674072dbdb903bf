import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.figures import rounded


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (1234.567, 2, "1,234.57"),
        (0.0, 2, "0.00"),
        (4e-44, 6, "< 0.000001"),
        (0.004, 2, "< 0.01"),
        (0.006, 2, "0.01"),
        (-0.004, 2, "> -0.01"),
    ],
)
def test_rounds_for_a_reader(value: float, decimals: int, text: str):
    assert rounded(value, decimals) == text


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(min_value=1, max_value=8))
def test_what_is_not_zero_never_reads_as_zero(value: float, decimals: int):
    reads_as_zero = not any(digit in "123456789" for digit in rounded(value, decimals))

    assert reads_as_zero == (value == 0)
