import pytest

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.query import Dialect
from core.domain.table import Column, ColumnKind, Table
from core.toolkit.headings import needs_headings, with_headings, with_units


def table(name: str, *columns: str) -> CatalogTable:
    made = (CatalogColumn(name=each, type="text", kind=ColumnKind.DIMENSION) for each in columns)
    return CatalogTable(name=name, columns=tuple(made))


CATALOG = Catalog(
    dialect=Dialect.SQLITE,
    tables=(
        table("order_lines", "id", "product", "amount"),
        table("productCategories", "id", "name"),
        table("regions", "id", "name", "parent"),
    ),
)


def result(*names: str) -> Table:
    return Table(columns=tuple(Column(each, ColumnKind.DIMENSION) for each in names), rows=())


@pytest.mark.parametrize(
    ("sql", "names", "headings"),
    [
        ("SELECT name, COUNT(*) AS n FROM regions GROUP BY name", ["name", "n"], ["region", "n"]),
        ("SELECT r.name FROM regions AS r", ["name"], ["region"]),
        ("SELECT name AS area FROM regions", ["area"], ["area"]),
        ("SELECT id FROM order_lines", ["id"], ["order line id"]),
        (
            "SELECT r.name, c.name FROM regions AS r, productCategories AS c",
            ["name", "name_2"],
            ["region", "product category"],
        ),
        (
            "SELECT r.name, p.name FROM regions AS r JOIN regions AS p ON r.parent = p.id",
            ["name", "name_2"],
            ["name", "name 2"],
        ),
        ("SELECT UPPER(name) AS name FROM regions", ["name"], ["name"]),
        ("no statement at all", ["name"], ["name"]),
    ],
)
def test_a_name_is_called_what_it_is_the_name_of(sql: str, names: list[str], headings: list[str]):
    found = with_headings(result(*names), sql, CATALOG)

    assert [each.heading for each in found.columns] == headings
    assert list(found.names) == names


def test_only_words_that_fit_every_table_need_a_heading():
    assert needs_headings(result("name_2"))
    assert not needs_headings(result("region", "names", "identity"))


@pytest.mark.parametrize(
    ("name", "cells", "unit"),
    [
        ("percentage", (30.4, 28), "percent"),
        ("change_percent", (-0.5,), "percent"),
        ("market_share", (0.2, None), "share"),
        ("share_of_total", (0.2,), ""),
        ("share", (20, 30), ""),
        ("churn_rate", (0.12, 1), "share"),
        ("churnRate", (12.0,), ""),
        ("exchange_rate", (0.92,), ""),
        ("shares", (0.5,), ""),
    ],
)
def test_a_part_of_a_whole_is_known_by_its_name_and_values(
    name: str, cells: tuple[float | None, ...], unit: str
):
    measured = Table(
        columns=(Column(name, ColumnKind.MEASURE),), rows=tuple((each,) for each in cells)
    )

    assert with_units(measured).columns[0].unit == unit
