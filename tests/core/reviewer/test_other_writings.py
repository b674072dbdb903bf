from datetime import date

import pytest

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.query import Dialect
from core.domain.table import Column, ColumnKind, Table
from core.reviewer.checks import review

PRIORITY = CatalogColumn(
    name="priority", type="TEXT", kind=ColumnKind.DIMENSION, values=("high", "HIGH", "low")
)
YEAR = CatalogColumn(name="year", type="TEXT", kind=ColumnKind.DIMENSION, values=("2014", "2015"))
CATALOG = Catalog(
    dialect=Dialect.SQLITE, tables=(CatalogTable(name="tickets", columns=(PRIORITY, YEAR)),)
)
COUNTED = Table(columns=(Column("n", ColumnKind.MEASURE),), rows=((7,),))


def said(sql: str) -> list[str]:
    found = review(COUNTED, statements=[sql], today=date(2026, 1, 1), catalog=CATALOG)
    return [each.text for each in found if each.for_reader]


def test_rows_that_write_the_word_otherwise_are_told():
    [text] = said("SELECT COUNT(*) AS n FROM tickets WHERE priority = 'high'")

    assert "priority has 'HIGH' as well as 'high'" in text


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) AS n FROM tickets WHERE LOWER(priority) = 'high'",
        "SELECT COUNT(*) AS n FROM tickets WHERE priority IN ('high', 'HIGH')",
        "SELECT COUNT(*) AS n FROM tickets WHERE priority = 'high' OR priority = 'HIGH'",
        "SELECT COUNT(*) AS n FROM tickets WHERE priority = 'low'",
        "SELECT COUNT(*) AS n FROM tickets WHERE year > '2013'",
    ],
)
def test_all_writings_one_writing_and_years_as_text_are_left_alone(sql: str):
    assert said(sql) == []


def test_a_number_as_text_of_another_length_is_told():
    [text] = said("SELECT COUNT(*) AS n FROM tickets WHERE year > '999'")

    assert "year holds numbers as text" in text
