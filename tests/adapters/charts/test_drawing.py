import math
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.charts.drawing import draw, page_of
from adapters.charts.grid import CannotDraw
from adapters.charts.page import Box, Page
from adapters.charts.theme import on_paper, width
from core.domain.artifact import (
    NARROW,
    WIDE,
    BarChart,
    Chart,
    ChartSpec,
    HeatMap,
    Histogram,
    LineChart,
    ScatterChart,
)
from core.domain.table import Cell
from tests.adapters.charts.charts import chart

MONTHS = [date(2024 + at // 12, at % 12 + 1, 1) for at in range(24)]
REGIONS = ["North", "South", "East", "West"]


def words_of(page: Page) -> list[str]:
    return [words for words, _ in page.written]


def assert_readable(page: Page) -> None:
    """No words leave the paper, and none lie over others."""
    written = page.written
    for words, box in written:
        assert box.left >= 0, words
        assert box.right <= width(), words
        assert box.top >= 0, words
        assert box.bottom <= page.height, words
    for at, (words, box) in enumerate(written):
        for other_words, other in written[at + 1 :]:
            assert not overlap(box, other), f"{words!r} lies over {other_words!r}"


def overlap(one: Box, other: Box) -> bool:
    across = one.left < other.right - 0.5 and other.left < one.right - 0.5
    return across and one.top < other.bottom - 0.5 and other.top < one.bottom - 0.5


CHARTS = {
    "lines of several regions": chart(
        LineChart(x="month", y="revenue", series="region"),
        "month:t region:d revenue:m:EUR",
        *[(m, r, 900 * k + 37 * i) for k, r in enumerate(REGIONS) for i, m in enumerate(MONTHS)],
    ),
    "lines of many shops": chart(
        LineChart(x="day", y="orders", series="shop"),
        "day:t shop:d orders:m",
        *[(MONTHS[0] + timedelta(d), f"Shop {s}", d * s) for d in range(40) for s in range(15)],
    ),
    "two measures that share no scale": chart(
        LineChart(x="month", y=("revenue", "margin")),
        "month:t revenue:m:EUR margin:m:share",
        *[(m, 900_000 + i, 0.3 - i / 100) for i, m in enumerate(MONTHS)],
    ),
    "a line with gaps": chart(
        LineChart(x="month", y="orders"),
        "month:t orders:m",
        *[(m, None if i in {3, 4} else i) for i, m in enumerate(MONTHS) if i != 9],
    ),
    "hours": chart(
        LineChart(x="hour", y="orders"),
        "hour:t orders:m",
        *[(f"2025-03-{1 + h // 24:02d} {h % 24:02d}:00", h % 7) for h in range(72)],
    ),
    "one point": chart(LineChart(x="day", y="orders"), "day:t orders:m", ("2025-03-01", 42)),
    "a line over numbers": chart(
        LineChart(x="weight", y="cost"), "weight:m:kg cost:m:EUR", *[(w, w**2) for w in range(30)]
    ),
    "few bars": chart(
        BarChart(x="region", y="orders"),
        "region:d orders:m",
        *[(r, 10 + k) for k, r in enumerate(REGIONS)],
    ),
    "bars with long names": chart(
        BarChart(x="product", y="units"),
        "product:d units:m",
        *[(f"A product with a rather long name, number {k}", k * 100) for k in range(8)],
    ),
    "bars of many names": chart(
        BarChart(x="product", y="units"), "product:d units:m", *[(f"P{k}", k) for k in range(90)]
    ),
    "bars by month": chart(
        BarChart(x="month", y="revenue"), "month:t revenue:m:EUR", *[(m, 5e6) for m in MONTHS]
    ),
    "bars below zero": chart(
        BarChart(x="region", y="profit"),
        "region:d profit:m:EUR",
        ("North", 12_000), ("South", -4_300), ("East", None), ("West", -11_900),
    ),
    "bars side by side": chart(
        BarChart(x="region", y="revenue", series="year"),
        "region:d year:d revenue:m",
        *[(r, y, 100 + k) for k, r in enumerate(REGIONS) for y in (2024, 2025)],
    ),
    "stacked bars": chart(
        BarChart(x="quarter", y="revenue", series="channel", stacked=True),
        "quarter:x channel:d revenue:m:EUR",
        *[(f"2025-Q{q}", c, 10_000 * k + q) for q in (1, 2, 3) for k, c in enumerate("ABCDEFGHI")],
    ),
    "stacked rows": chart(
        BarChart(x="team", y="tickets", series="status", stacked=True, horizontal=True),
        "team:d status:d tickets:m",
        *[(t, s, 5 + len(t)) for t in ("Support", "Billing") for s in ("open", "closed")],
    ),
    "measures side by side": chart(
        BarChart(x="product", y=("revenue", "orders", "avg_price")),
        "product:d revenue:m:EUR orders:m avg_price:m:EUR",
        *[(f"Product {k}", 90_000 * k, 30 * k, 12.5) for k in range(1, 6)],
    ),
    "points with names": chart(
        ScatterChart(x="price", y="units", label="product"),
        "product:d price:m:EUR units:m",
        *[(f"Product {k}", k * 3.5, 900 / (k + 1)) for k in range(40)],
    ),
    "points in groups": chart(
        ScatterChart(x="price", y="units", label="group"),
        "group:d price:m:EUR units:m",
        *[(f"Group {k % 3}", k, (k * 7) % 13) for k in range(60)],
    ),
    "a histogram": chart(
        Histogram(lower="lo", upper="hi", count="n"),
        "lo:m:EUR hi:m:EUR n:m",
        *[(k * 20, k * 20 + 20, 500 // (k + 1)) for k in range(12)], (240, None, 3),
    ),
    "a histogram of fractions": chart(
        Histogram(lower="lo", upper="hi", count="n"),
        "lo:m hi:m n:m",
        *[(k * 0.037, (k + 1) * 0.037, k) for k in range(30)],
    ),
    "a heat map": chart(
        HeatMap(x="hour", y="weekday", value="orders"),
        "weekday:d hour:m orders:m",
        *[(w, h, h * len(w)) for w in ("Monday", "Tuesday") for h in range(24)],
    ),
    "a heat map around zero": chart(
        HeatMap(x="a", y="b", value="correlation"),
        "a:d b:d correlation:m",
        *[(a, b, 1 if a == b else -0.4) for a in REGIONS for b in REGIONS],
    ),
    "a heat map of a cross table": chart(
        HeatMap(x="", y="region", value=("2024", "2025")),
        "region:d 2024:m 2025:m total:m",
        *[(r, k, k * 2, k * 3) for k, r in enumerate(REGIONS)],
    ),
    "a heat map by month": chart(
        HeatMap(x="month", y="region", value="revenue"),
        "month:t region:d revenue:m",
        *[(m, r, i) for i, m in enumerate(MONTHS) for r in REGIONS],
    ),
}  # fmt: skip


@pytest.mark.parametrize("px", [WIDE, NARROW])
@pytest.mark.parametrize("name", CHARTS)
def test_words_stay_on_the_paper_and_apart(name: str, px: float):
    with on_paper(px):
        page = page_of(CHARTS[name])

        assert_readable(page)
    assert "A finding" in words_of(page)
    assert page.png().startswith(b"\x89PNG")


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=40)
NUMBERS = st.none() | st.floats() | st.floats(-1e6, 1e6) | st.integers(-(10**9), 10**9)
SPECS: list[ChartSpec] = [
    LineChart(x="name", y="value"),
    BarChart(x="name", y="value"),
    BarChart(x="name", y="value", series="group", stacked=True),
    BarChart(x="name", y=("value", "other")),
    ScatterChart(x="other", y="value", label="name"),
    HeatMap(x="name", y="group", value="value"),
]
ROWS = st.lists(st.tuples(NAMES, NUMBERS, NUMBERS, st.sampled_from("ABCDEFGHIJ")), max_size=45)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(spec=st.sampled_from(SPECS), rows=ROWS, title=NAMES)
def test_any_words_and_numbers_stay_readable(
    spec: ChartSpec, rows: list[tuple[Cell, ...]], title: str
):
    drawn = chart(spec, "name:d value:m other:m group:d", *rows, title=title)

    try:
        page = page_of(drawn)
    except CannotDraw:
        return

    assert_readable(page)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    days=st.lists(st.dates(), min_size=1, max_size=60, unique=True),
    spec=st.sampled_from([LineChart(x="day", y="value"), BarChart(x="day", y="value")]),
)
def test_any_dates_stay_readable(days: list[date], spec: ChartSpec):
    drawn = chart(spec, "day:t value:m", *[(day, at) for at, day in enumerate(days)])

    assert_readable(page_of(drawn))


def test_a_long_finding_is_wrapped_and_not_lost():
    long = "Revenue grew in every region and in every month of the year, " * 2
    wrapped = page_of(chart(BarChart(x="a", y="b"), "a:d b:m", ("x", 1), title=long.strip()))

    lines = words_of(wrapped)[:2]

    assert " ".join(lines) == long.strip()


def test_months_are_named_as_people_name_them():
    few = chart(BarChart(x="m", y="v"), "m:x v:m", ("2025-01", 1), ("2025-02", 2))

    assert {"Jan 2025", "Feb 2025"} <= set(words_of(page_of(few)))


def test_a_month_without_rows_keeps_its_place():
    rows = [("2025-01", 1), ("2025-02", 2), ("2025-04", 4)]

    words = words_of(page_of(chart(BarChart(x="m", y="v"), "m:x v:m", *rows)))

    assert [each for each in words if each.endswith("2025")] == [
        "Jan 2025", "Feb 2025", "Mar 2025", "Apr 2025",
    ]  # fmt: skip


def test_what_there_is_no_room_for_is_put_together_where_it_adds_up():
    rows = [(f"P{k}", 30 - k) for k in range(30)]

    words = words_of(page_of(chart(BarChart(x="p", y="orders"), "p:d orders:m", *rows)))

    assert {"other (10)", "55"} <= set(words)


def test_what_was_put_together_never_dwarfs_the_rest():
    rows = [(f"P{k}", 1) for k in range(30)]

    words = words_of(page_of(chart(BarChart(x="p", y="orders"), "p:d orders:m", *rows)))

    assert "Not drawn, because it would dwarf the rest: other (10) with 10." in words
    assert "other (10)" not in words


def test_averages_are_never_put_together():
    rows = [(f"P{k}", 100.0) for k in range(30)]

    words = words_of(page_of(chart(BarChart(x="p", y="avg_price"), "p:d avg_price:m", *rows)))

    assert not [each for each in words if each.startswith("other")]
    assert "The first 20 of 30." in words


def test_shares_of_one_whole_are_put_together():
    rows = [("P", 0.2), *((f"P{k}", 0.8 / 29) for k in range(29))]

    words = words_of(page_of(chart(BarChart(x="p", y="part"), "p:d part:m:share", *rows)))

    assert {"other (10)", "27.6%"} <= set(words)


def test_averages_are_not_stacked():
    rows = [(f"2025-0{m}", r, 10.0) for m in (1, 2) for r in "AB"]
    spec = BarChart(x="month", y="avg_price", series="region", stacked=True)

    words = words_of(page_of(chart(spec, "month:x region:d avg_price:m", *rows)))

    assert words.count("10") == 4
    assert "20" not in words


def test_measures_of_different_units_share_no_axis():
    spec = LineChart(x="month", y=("revenue", "margin"))
    rows = [("2025-01", 900, 0.1), ("2025-02", 950, 0.2)]

    words = words_of(page_of(chart(spec, "month:x revenue:m:EUR margin:m:share", *rows)))

    assert {"revenue (EUR)", "margin", "950", "20%"} <= set(words)


def test_dollars_are_no_formula():
    title = "From $1 to $2_3^4"
    page = page_of(chart(BarChart(x="a", y="b"), "a:d b:m", ("$x_1$", 1), title=title))

    assert {title, "$x_1$"} <= set(words_of(page))
    assert page.png()


@pytest.mark.parametrize("name", ["Москва", "Αθήνα", "القاهرة", "תל אביב", "Łódź", "Việt Nam"])
def test_letters_of_many_scripts_are_drawn(name: str):
    words = words_of(page_of(chart(BarChart(x="a", y="b"), "a:d b:m", (name, 1))))

    assert name in words
    assert not [each for each in words if "□" in each]


def test_letters_without_a_font_are_owned_up_to():
    page = page_of(chart(BarChart(x="a", y="b"), "a:d b:m", ("\U00012000", 1)))

    assert "□" in words_of(page)
    assert "Letters that no installed font has are shown as □." in words_of(page)


def test_pictograms_are_left_out():
    words = words_of(page_of(chart(BarChart(x="a", y="b"), "a:d b:m", ("Party \U0001f973", 1))))

    assert "Party" in words


def test_correlations_are_shaded_from_minus_one_to_one():
    words = words_of(page_of(CHARTS["a heat map around zero"]))

    assert {"\N{MINUS SIGN}1", "1", "\N{MINUS SIGN}0.40", "1.00"} <= set(words)


def test_ranked_rows_keep_their_order():
    rows = [("A", 1), ("B", 2), ("C", 3)]
    spec = BarChart(x="name", y="orders", horizontal=True)

    words = words_of(page_of(chart(spec, "name:d orders:m", *rows)))

    assert [each for each in words if each in {"A", "B", "C"}] == ["A", "B", "C"]


def test_an_unfinished_period_is_pointed_out():
    rows = [("2025-01", 9, True), ("2025-02", 2, False)]
    heads = "month:t orders:m complete:d"
    line = chart(LineChart(x="month", y="orders", complete="complete"), heads, *rows)
    bars = chart(BarChart(x="month", y="orders", complete="complete"), heads, *rows)

    assert "Dashed: the period is not over yet." in words_of(page_of(line))
    assert "Lighter: the period is not over yet." in words_of(page_of(bars))


def test_notes_of_the_chart_stand_below_it():
    noted = Chart(
        spec=CHARTS["few bars"].spec,
        title="A finding",
        table=CHARTS["few bars"].table,
        notes=("Without cancelled orders.",),
    )

    assert "Without cancelled orders." in words_of(page_of(noted))


@pytest.mark.parametrize(
    "spec",
    [
        ScatterChart(x="a", y="b"),
        Histogram(lower="a", upper="a", count="b"),
        HeatMap(x="a", y="a", value="b"),
        LineChart(x="a", y="b"),
    ],
)
def test_a_chart_without_numbers_says_so(spec: ChartSpec):
    with pytest.raises(CannotDraw):
        draw(chart(spec, "a:d b:m", ("x", math.nan), ("y", None)))
