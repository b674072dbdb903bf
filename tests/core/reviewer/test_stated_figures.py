from datetime import date

import pytest

from core.domain.table import Cell, Column, ColumnKind, Table
from core.reviewer.evidence import Evidence
from core.reviewer.grounding import unsupported

LABEL, TIME, MEASURE = ColumnKind.DIMENSION, ColumnKind.TIME, ColumnKind.MEASURE


def table(columns: dict[str, ColumnKind], *rows: tuple[Cell, ...]) -> Table:
    return Table(columns=tuple(Column(name, kind) for name, kind in columns.items()), rows=rows)


SHOPS = table(
    {"shop": LABEL, "revenue_2024": MEASURE, "revenue_2025": MEASURE, "churn_rate": MEASURE},
    ("Lisbon", 4_100.0, 5_330.0, 30.4),
    ("Porto", 2_750.0, 2_475.0, 28.1),
    ("Faro", 1_200.0, 1_890.0, 24.9),
)
QUARTERS = table(
    {"quarter": LABEL, "revenue": MEASURE},
    *(("2024-Q1", 310), ("2024-Q2", 270), ("2024-Q3", 305), ("2024-Q4", 615)),
    *(("2025-Q1", 420), ("2025-Q2", 390), ("2025-Q3", 455), ("2025-Q4", 735)),
)
LONG = table(
    {"shop": LABEL, "year": LABEL, "orders": MEASURE},
    *(("Lisbon", "2024", 412), ("Porto", "2024", 288)),
    *(("Lisbon", "2025", 533), ("Porto", "2025", 267)),
)
MONTHS = table(
    {"month": TIME, "tickets": MEASURE},
    (date(2025, 6, 1), 384),
    (date(2025, 7, 1), 973),
    (date(2025, 8, 1), 875),
)
WEEK = table(
    {"weekday": LABEL, "orders": MEASURE},
    *(("Monday", 310), ("Tuesday", 290), ("Wednesday", 340), ("Thursday", 300)),
    *(("Friday", 280), ("Saturday", 130), ("Sunday", 90)),
)


def wrong(text: str, *tables: Table) -> list[str]:
    return [each.written for each in unsupported(text, Evidence(tables))]


@pytest.mark.parametrize(
    ("read", "right", "mistaken"),
    [
        (SHOPS, "In 2025 they range from 1.9 to 5.3 thousand.", "They range from 6.4 to 7.3k."),
        (SHOPS, "Lisbon made 5,330 in 2025.", "Lisbon made 4,100 in 2025."),
        (SHOPS, "Churn differs by 5.5 percentage points.", "Churn differs by 7.5 pp."),
        (SHOPS, "Faro is the smallest shop (1,890).", "Faro is the smallest shop (2,475)."),
        (SHOPS, "Lisbon is more than twice as large as Porto.", "Faro is 3 times as big as Porto."),
        (SHOPS, "Porto fell by 10.0%.", "Porto fell by 30.0%."),
        (QUARTERS, "Q4 2025 made 735.", "Q4 2024 made 735."),
        (QUARTERS, "The second quarter of 2025 made 390.", "The second quarter of 2024 made 390."),
        (QUARTERS, "2025 came to 2,000 in all.", "2025 came to 1,500 in all."),
        (QUARTERS, "Q4 was 36.8% of 2025.", "Q4 2025 was 46.8% of the year."),
        (LONG, "In 2025 Lisbon took 533 of 800 orders.", "In 2025 Lisbon took 533 of 650 orders."),
        (LONG, "In 2025 Lisbon took 66.6% of all orders.", "In 2025 Lisbon took 76.6% of orders."),
        (MONTHS, "July had 973, 43.6% of the 2,232.", "July had 973, 53.6% of the 2,232."),
        (
            MONTHS,
            "Of the 2,232 tickets, 973 (44%) are July's.",
            "Of 2,232 tickets, 973 (54%) are so.",
        ),
        (SHOPS, "Porto has less than Lisbon (2,475 vs. 5,330).", "Porto (1,890) has less."),
        (MONTHS, "It went from 973 to 875 (-10.1%).", "It went from 973 to 875 (-12.1%)."),
        (WEEK, "Weekends bring 12.6% of orders.", "Weekends bring 22.6% of orders."),
        (WEEK, "About 1 in 8 orders comes on a weekend.", "1 in 3 orders comes on weekends."),
    ],
)
def test_a_figure_is_held_against_what_its_words_say(read: Table, right: str, mistaken: str):
    assert wrong(right, read) == []
    assert wrong(mistaken, read) != []


def test_a_drawn_column_is_one_column_of_the_result():
    head = "| Shop | 2024 | 2025 |\n|---|---|---|\n"

    assert wrong(head + "| Lisbon | 4,100 | 5,330 |\n| Porto | 2,750 | 2,475 |", SHOPS) == []
    assert wrong(head + "| Lisbon | 5,330 | 4,100 |\n| Porto | 2,750 | 2,475 |", SHOPS) != []


def test_a_drawn_cell_belongs_to_its_line_and_its_head():
    head = "| Shop | 2024 | 2025 |\n|---|---|---|\n"

    assert wrong(head + "| Lisbon | 412 | 533 |\n| Porto | 288 | 267 |", LONG) == []
    assert wrong(head + "| Lisbon | 412 | 533 |\n| Porto | 267 | 288 |", LONG) == ["267", "288"]


def test_a_comparison_with_a_time_that_was_not_read_is_invented():
    single = table({"refunds": MEASURE, "open_refunds": MEASURE}, (480, 120))

    assert wrong("Refunds are 25% open.", single) == []
    assert wrong("Refunds rose by 25% against the previous year.", single) == ["25%"]
    assert wrong("Tickets rose by 153% from the month before.", MONTHS) == []


def test_a_change_that_the_text_computes_from_its_own_figures_is_left():
    assert wrong("An order in Lisbon is worth 5,330, 115% more than Porto's 2,475.", SHOPS) == []
