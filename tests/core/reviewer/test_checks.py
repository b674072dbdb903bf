from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from core.domain.catalog import Catalog
from core.domain.query import Dialect
from core.domain.table import Cell, Column, ColumnKind, Table
from core.reviewer.checks import review

TODAY = date(2026, 11, 30)
CATALOG = Catalog(dialect=Dialect.SQLITE)
T, M, D = ColumnKind.TIME, ColumnKind.MEASURE, ColumnKind.DIMENSION


def table(
    columns: dict[str, ColumnKind], *rows: tuple[Cell, ...], truncated: bool = False
) -> Table:
    return Table(
        columns=tuple(Column(*each) for each in columns.items()), rows=rows, truncated=truncated
    )


def remarks(made: Table, *statements: str) -> list[str]:
    return [each.text for each in review(made, statements=statements, today=TODAY, catalog=CATALOG)]


def for_reader(made: Table) -> list[str]:
    return [
        each.text
        for each in review(made, statements=(), today=TODAY, catalog=CATALOG)
        if each.for_reader
    ]


def months(*first_days: Cell) -> Table:
    return table({"month": T, "orders": M}, *((day, 1) for day in first_days))


def test_an_ordinary_result_needs_no_words():
    made = table({"country": D, "orders": M}, ("Spain", 3), ("Norway", None))

    assert remarks(made, "SELECT country, COUNT(*) FROM t") == []


def test_an_empty_result_is_remarkable():
    assert "empty" in remarks(table({"a": M}))[0]


def test_a_result_without_a_value_is_remarkable():
    assert "NULL" in remarks(table({"a": M, "b": D}, (None, None)))[0]
    assert remarks(table({"a": M, "b": D}, (None, "x"))) == []


def test_a_cut_off_result_is_the_readers_to_know():
    made = table({"a": M}, (1,), (2,), truncated=True)

    assert for_reader(made) == ["Only the first 2 rows were read; there are more."]


@pytest.mark.parametrize(
    ("name", "values", "odd"),
    [
        ("share", (0.2, 0.8), False),
        ("share_of_total", (20, 80), False),
        ("revenue_share", (20, 180), True),
        ("pct_of_total", (-5, 20), True),
        ("growth_pct", (-50, 250), False),
        ("change", (-5, 1_000), False),
        ("shares_sold", (500, 900), False),
    ],
)
def test_a_share_beyond_its_whole_is_remarkable(name: str, values: tuple[int, ...], *, odd: bool):
    made = table({name: M}, *((value,) for value in values))

    assert any("outside of 0 to 100" in each for each in remarks(made)) is odd


@pytest.mark.parametrize(
    ("days", "named"),
    [
        ((date(2026, 9, 1), date(2026, 10, 1), date(2026, 11, 1)), "2026-11"),
        (("2026-09", "2026-10", "2026-11"), "2026-11"),
        (("2026-09-01", "2026-10-01", "2026-11-01"), "2026-11"),
        ((date(2026, 4, 1), date(2026, 7, 1), date(2026, 10, 1)), "quarter from 2026-10"),
        ((date(2024, 1, 1), date(2025, 1, 1), date(2026, 1, 1)), "2026"),
        ((date(2026, 11, 16), date(2026, 11, 23), date(2026, 11, 30)), "week of 2026-11-30"),
        (
            tuple(datetime(2026, n, 1, tzinfo=UTC) for n in (9, 11, 10)),
            "2026-11",
        ),
    ],
)
def test_a_period_that_is_not_over_is_the_readers_to_know(days: tuple[Cell, ...], named: str):
    assert for_reader(months(*days)) == [f"The last period ({named}) is not over yet."]


@pytest.mark.parametrize(
    ("name", "cells", "named"),
    [
        ("year", (2024, 2025, 2026), "2026"),
        ("order_year", (2026.0, 2025.0, 2024.0), "2026"),
        ("yr", (Decimal(2024), Decimal(2025), Decimal(2026)), "2026"),
        ("orderYear", ("2024", "2025", "2026"), "2026"),
        ("quarter", ("2026-Q2", "2026-Q3", "2026-Q4"), "quarter from 2026-10"),
        ("quarter", ("Q4 2024", "Q4 2025", "Q4 2026"), "quarter from 2026-10"),
        ("period", ("2026Q2", None, "2026Q3", "2026Q4"), "quarter from 2026-10"),
        ("week", ("2026-W47", "2026-W48", "2026-W49"), "week of 2026-11-30"),
        ("wk", ("2026W47", "2026W48", "2026W49"), "week of 2026-11-30"),
    ],
)
def test_years_quarters_and_weeks_are_periods_however_they_are_written(
    name: str, cells: tuple[Cell, ...], named: str
):
    made = table({name: D, "n": M}, *((cell, 1) for cell in cells))

    assert for_reader(made) == [f"The last period ({named}) is not over yet."]


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("year", (2023, 2024, 2025)),
        ("year", (1, 2, 3)),
        ("year", (2025, 2026)),
        ("number", (2024, 2025, 2026)),
        ("quarter", ("2026-Q1", "2026-Q2", "2026-Q3")),
        ("quarter", ("2026-Q3", "2026-Q4", "other")),
        ("week", ("2026-W46", "2026-W47", "2026-W48")),
        ("week", ("2026-W54", "2026-W55", "2026-W56")),
        ("code", ("Q1", "Q2", "Q3")),
    ],
)
def test_other_numbers_and_codes_are_no_periods(name: str, cells: tuple[Cell, ...]):
    assert for_reader(table({name: D, "n": M}, *((cell, 1) for cell in cells))) == []


@pytest.mark.parametrize(
    "days",
    [
        (date(2026, 8, 1), date(2026, 9, 1), date(2026, 10, 1)),
        (date(2026, 11, 28), date(2026, 11, 29), date(2026, 11, 30)),
        (date(2026, 10, 1), date(2026, 11, 1)),
        (date(2026, 12, 1), date(2027, 1, 1), date(2027, 2, 1)),
        ("north", "south", "2026-13"),
        (None, None, None),
    ],
)
def test_periods_that_are_over_or_none_are_left_alone(days: tuple[Cell, ...]):
    assert for_reader(months(*days)) == []
