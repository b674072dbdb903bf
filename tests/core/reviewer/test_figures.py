import pytest

from core.reviewer.figures import claims


def written(text: str) -> list[str]:
    return [figure.written for figure in claims(text)]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Revenue was $1.24 million, up 12.3 % from before.", ["1.24 million", "12.3 %"]),
        ("There were 1,234 orders and 56 returns.", ["1,234", "56"]),
        ("Umsatz: 1.234.567,89 € (12,5 %).", ["1.234.567,89", "12,5 %"]),
        ("12 345 customers.", ["12 345"]),
        ("It is 2.5x as much, or 3\u00d7.", ["2.5x"]),
        ("-45 or \u221246.", ["45", "46"]),
        ("99.9%.", ["99.9%"]),
        ("between 30 and 40", ["30", "40"]),
        ("3% of them", ["3%"]),
        ("$4.5k each, 12bn in all", ["4.5k", "12bn"]),
        ("(1,234)", ["1,234"]),
        ("and 45 more than before", ["45"]),
        ("**1,234** orders", ["1,234"]),
    ],
)
def test_finds_what_is_claimed(text: str, figures: list[str]):
    assert written(text) == figures


@pytest.mark.parametrize(
    "text",
    [
        "In 2025 and until 2026-11-30 at 12:30.",
        "On 30 November, Nov 29 and 1.12.2026.",
        "The 21st order, in Q3, week 45, H1.",
        "Top 20 of the last 90 days.",
        "1. First\n12) Twelfth\n",
        "See `orders_2024` and `45`.",
        "See https://example.org/45?x=99.",
        "Three of 5 regions.",
        "Ada, Bo and 225 more; Cy and 1,234 others.",
        "Version v45, order-17, A320, ISO-8601.",
        "",
        "No figures at all.",
    ],
)
def test_days_ranks_and_names_are_no_claims(text: str):
    assert written(text) == []


@pytest.mark.parametrize(
    ("text", "value", "tolerance"),
    [
        ("12.3 apples", 12.3, 0.05),
        ("1.24 million", 1_240_000, 5_000),
        ("1,234,567 rows", 1_234_567, 0.5),
        ("1,240,000 rows", 1_240_000, 5_000),
        ("about 1,200 rows", 1_200, 100),
        ("1,000 rows", 1_000, 5),
        ("340 rows", 340, 0.5),
        ("1.234,5 rows", 1_234.5, 0.05),
    ],
)
def test_knows_how_far_a_rounded_figure_reaches(text: str, value: float, tolerance: float):
    [figure] = claims(text)

    assert (pytest.approx(value), pytest.approx(tolerance)) in figure.readings


def test_a_point_that_may_be_either_is_read_both_ways():
    [figure] = claims("1.234 rows")

    assert [value for value, _ in figure.readings] == [1.234, 1234]
