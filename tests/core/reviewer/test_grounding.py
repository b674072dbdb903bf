from datetime import date
from decimal import Decimal

import pytest

from core.domain.table import Cell, Column, ColumnKind, Table
from core.reviewer.evidence import Evidence
from core.reviewer.grounding import unsupported, without

TIME, MEASURE, DIMENSION = ColumnKind.TIME, ColumnKind.MEASURE, ColumnKind.DIMENSION


def table(columns: str, *rows: tuple[Cell, ...]) -> Table:
    kinds = {"month": TIME, "day": TIME}
    made = [
        Column(name, kinds.get(name, MEASURE if name[0] in "vrun" else DIMENSION))
        for name in columns.split()
    ]
    return Table(columns=tuple(made), rows=rows)


REVENUE = table(
    "country revenue",
    ("Spain", Decimal("5560.25")),
    ("Norway", Decimal("2780.50")),
    ("Chad", None),
)
MONTHS = table(
    "month value",
    (date(2026, 1, 1), 100.0),
    (date(2026, 2, 1), 120.0),
    (date(2026, 3, 1), 90.0),
    (date(2026, 4, 1), 180.0),
)
PAIRS = table(
    "country segment revenue users",
    ("Spain", "new", 100, 40),
    ("Spain", "old", 300, 60),
    ("Norway", "new", 250, 50),
    ("Norway", "old", 150, 30),
)


def wrong(text: str, *tables: Table, texts: tuple[str, ...] = ()) -> list[str]:
    return [each.written for each in unsupported(text, Evidence(tables, texts))]


@pytest.mark.parametrize(
    "text",
    [
        "Spain leads with 5,560.25.",
        "Spain leads with 5,560 and Norway follows with 2,780.5.",
        "Spain made $5.6k, or about 5,600.",
        "Together they made 8,340.75, of which Spain 66.7 % and Norway 33.3 %.",
        "Spain is 2,779.75 ahead, twice as much (2.0x).",
        "On average they made 4,170.",
        "Norway is 50 % below Spain.",
        "Two of the 3 countries sold anything.",
    ],
)
def test_cells_sums_differences_and_shares_are_supported(text: str):
    assert wrong(text, REVENUE) == []


@pytest.mark.parametrize(
    "text",
    [
        "It grew by 20 % in February and fell by 25 % in March.",
        "From January to April it rose by 80 %.",
        "April is double of March (100 % more).",
        "The mean is 122.5 and the median 110.",
        "The first quarter made 310, the whole 490.",
        "April is 36.7 % of all.",
        "It grows by 21.6 % a month on average, compounded.",
        "It goes from a low of 90 to a high of 180, a range of 90.",
        "The average month grew by 31.7 %.",
    ],
)
def test_growth_and_partial_sums_are_supported(text: str):
    assert wrong(text, MONTHS) == []


@pytest.mark.parametrize(
    "text",
    [
        "Spain made 400 and Norway 400.",
        "New customers made 350, 43.8 % of 800.",
        "A new user in Spain brings 2.5, an old one 5.",
        "In Norway the new ones make 62.5 % of revenue.",
        "Spain has 100 users, Norway 80.",
    ],
)
def test_groups_and_ratios_of_columns_are_supported(text: str):
    assert wrong(text, PAIRS) == []


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("Spain leads with 5,660.25.", "5,660.25"),
        ("It grew by 17.3 %.", "17.3 %"),
        ("There are 4,711 customers.", "4,711"),
        ("Revenue was 12.9 million.", "12.9 million"),
        ("Each user brings 77.", "77"),
        ("Exactly 5,500.", "5,500"),
    ],
)
def test_an_invented_figure_is_found(text: str, figure: str):
    assert wrong(text, REVENUE, PAIRS) == [figure]


def test_two_results_may_be_put_in_relation():
    orders = table("number", (120,))
    customers = table("number", (48,))

    assert wrong("That is 2.5 orders a customer, 40 % of them.", orders, customers) == []


def test_a_cell_may_be_a_share_of_a_total_that_stands_alone():
    total = table("revenue", (10_000,))

    assert wrong("Spain made 55.6 % of the 10,000.", REVENUE, total) == []


def test_figures_of_the_question_and_of_earlier_answers_are_given():
    assert wrong("More than 4,711 and 12.5 %.", texts=("over 4711?", "It was 12.5 % before.")) == []


def test_shares_are_percents():
    shares = table("country value", ("Spain", 0.1234), ("Norway", 0.8766))

    assert wrong("Spain has 12.3 %, Norway 87.7 %, and the rest of Spain is 87.66 %.", shares) == []


def test_days_between_dates_are_counted():
    assert wrong("That is 90 days.", MONTHS) == []
    assert wrong("That is 97 days.", MONTHS) == ["97"]


def test_a_right_sentence_survives_the_removal_of_a_wrong_one():
    text = (
        "Spain leads with 5,560.25. Growth was 99.9 % last year! Norway follows at 2,780.5.\n\n"
        "- Spain 66.7 %\n- Chad 12.9 %\n"
    )

    left = without(text, unsupported(text, Evidence([REVENUE])))

    assert left == "Spain leads with 5,560.25. Norway follows at 2,780.5.\n\n- Spain 66.7 %"


def test_nothing_is_left_of_a_text_that_is_all_wrong():
    text = "It was 99.9 %."

    assert without(text, unsupported(text, Evidence([REVENUE]))) == ""


def test_a_large_result_is_checked_in_reasonable_time():
    large = table("country value", *((f"c{n}", float(n * n % 9_973)) for n in range(20_000)))

    assert wrong("There were 123,456,789,123 of them.", large) == ["123,456,789,123"]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Spain made 2,780.50 and Norway 5,560.25.", ["2,780.50", "5,560.25"]),
        ("- Spain: 2,780.5\n- Norway: 5,560.25", ["2,780.5", "5,560.25"]),
        ("Norway leads with 5,560.25.", ["5,560.25"]),
        ("Spain is 71.3 % above Norway.", ["71.3 %"]),
        ("Spain made 5,560.25 % of it.", ["5,560.25 %"]),
    ],
)
def test_a_figure_beside_another_label_or_unit_is_found(text: str, figures: list[str]):
    assert wrong(text, REVENUE) == figures


def test_a_figure_of_another_month_is_found():
    assert wrong("In February 2026 it was 180.", MONTHS) == ["180"]
    assert wrong("In February 2026 it was 120, in April 2026 180.", MONTHS) == []


@pytest.mark.parametrize(
    "text",
    [
        "Norway stays behind the 5,560.25 of Spain.",
        "Spain and Norway made 5,560.25 and 2,780.50.",
        "5,560.25 in Spain, 2,780.50 in Norway.",
        "Norway needs another 2,779.75.",
        "Norway is 50 % of Spain.",
        "All countries but Norway made 5,560.25.",
    ],
)
def test_labels_that_only_stand_near_a_figure_are_left_alone(text: str):
    assert wrong(text, REVENUE) == []


def test_another_result_may_explain_a_labels_figure():
    users = table("country users", ("Norway", 5560.25), ("Spain", 3.0))

    assert wrong("Norway has 5,560.25.", REVENUE, users) == []


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Spain has twice as much as Norway, which is half of what Spain has.", []),
        ("Spain has about three times as much as Norway.", ["three times"]),
        ("Two thirds of it came from Spain.", []),
        ("A quarter of it came from Spain.", ["A quarter"]),
        ("Norway made half of the total.", ["half"]),
        ("In the second half of 2025 and a quarter of the year nothing happened.", []),
        ("A third party booked twice.", []),
    ],
)
def test_comparisons_in_words_are_held_against_the_results(text: str, figures: list[str]):
    assert wrong(text, REVENUE) == figures


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("It doubled between March 2026 and April 2026.", []),
        ("It doubled between January 2026 and February 2026.", ["doubled"]),
        ("Q1 2026 made 310, Jan. 2026 100 and Apr '26 180.", []),
        ("Q2 2026 made 310.", ["310"]),
        ("2026-03: 120", ["120"]),
        ("January\u2013March came to 310.", []),
        ("April was up 100% on March.", []),
        ("April was up 80% on March.", ["80%"]),
    ],
)
def test_periods_are_known_under_all_their_names(text: str, figures: list[str]):
    assert wrong(text, MONTHS) == figures


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("New customers in Spain made 100, old ones in Norway 150.", []),
        ("In Spain, the old ones made 300 and the new ones 100.", []),
        ("Norway: 400 in all.", []),
    ],
)
def test_a_long_result_is_narrowed_to_what_is_named(text: str, figures: list[str]):
    assert wrong(text, PAIRS) == figures


def test_a_long_result_by_year_is_held_to_the_year_that_is_named():
    long = table(
        "country year revenue",
        *(("Spain", 2024, 510), ("Spain", 2025, 640), ("Norway", 2024, 280), ("Norway", 2025, 330)),
    )

    assert wrong("In 2025, Norway made 330 and Spain 640.", long) == []
    assert wrong("In 2025, Norway made 640.", long) == ["640"]


@pytest.mark.parametrize("text", ["Spain: 40%", "It was 300 %.", "Spain made 40.0 percent."])
def test_an_amount_is_no_percentage(text: str):
    assert wrong(text, table("country users", ("Spain", 40), ("Norway", 300))) != []


def test_many_figures_beside_a_large_result_are_checked_once_over():
    large = table("country value", *((f"c{n}", float(n * n % 9_973)) for n in range(20_000)))
    small = table("country value", *((f"Country {n}", float(n * 997)) for n in range(100)))
    text = "\n".join(f"- Country {n}: {n * 1_000_003:,}" for n in range(11, 60))

    assert len(wrong(text, small, large)) == 49
