import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.charts import numerals


@pytest.mark.parametrize(
    ("value", "unit", "written"),
    [
        (0, "", "0"),
        (7, "", "7"),
        (1234, "EUR", "1,234"),
        (9999.4, "", "10k"),
        (12_345, "", "12.3k"),
        (890_500, "", "891k"),
        (999_950, "", "1M"),
        (1_230_000, "", "1.23M"),
        (4_560_000_000, "", "4.56bn"),
        (7.8e12, "", "7.8T"),
        (1.5e18, "", "1.5e18"),
        (-4300, "", "\N{MINUS SIGN}4,300"),
        (12.5, "", "12.5"),
        (0.01234, "", "0.0123"),
        (0.000001234, "", "1.23e\N{MINUS SIGN}6"),
        (0.12, "share", "12%"),
        (0.1234, "share", "12.3%"),
        (-0.034, "share", "\N{MINUS SIGN}3.4%"),
        (1.5, "share", "150%"),
        (0.0, "share", "0"),
    ],
)
def test_writes_one_number_with_about_three_digits(value: float, unit: str, written: str):
    assert numerals.write(value, unit) == written


@pytest.mark.parametrize(
    ("marks", "unit", "written"),
    [
        ((0, 500_000, 1_000_000, 1_500_000), "EUR", ["0.0", "0.5M", "1.0M", "1.5M"]),
        ((0, 2500, 5000), "", ["0", "2,500", "5,000"]),
        ((-0.1, 0.0, 0.1), "share", ["\N{MINUS SIGN}10%", "0", "10%"]),
        ((0.0, 0.025, 0.05), "share", ["0.0", "2.5%", "5.0%"]),
        ((0, 1, 2), "", ["0", "1", "2"]),
    ],
)
def test_writes_the_marks_of_an_axis_alike(marks: tuple[float, ...], unit: str, written: list[str]):
    write = numerals.for_marks(marks, unit)

    assert [write.write(mark) for mark in marks] == written


@given(
    st.floats(-1e12, 1e12, allow_nan=False),
    st.floats(-1e12, 1e12, allow_nan=False),
    st.integers(2, 8),
)
def test_marks_hold_all_values_between_them_and_are_few(one: float, other: float, about: int):
    low, high = sorted((one, other))

    marks = numerals.marks(low, high, about=about)

    slack = max(abs(low), abs(high)) * 1e-9 + 1e-280
    assert marks[0] <= low + slack
    assert marks[-1] >= high - slack
    assert 2 <= len(marks) <= about + 4
    assert list(marks) == sorted(set(marks))


def test_marks_of_next_to_nothing_are_no_division_by_zero():
    assert numerals.marks(0.0, 5e-324, about=5) == (0.0, 0.2)


def test_marks_of_counts_are_whole():
    assert numerals.marks(0, 2, about=5, whole=True) == (0, 1, 2)
