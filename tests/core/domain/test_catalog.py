from dataclasses import replace

import pytest

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable, ForeignKey
from core.domain.query import Dialect
from core.domain.table import ColumnKind

COLUMN = CatalogColumn(name="status", type="text", kind=ColumnKind.TEXT)
TABLE = CatalogTable(name="orders", columns=(COLUMN,), primary_key=("id",))
KEY = ForeignKey(columns=("status",), to_table="states", to_columns=("name",))


def version(table: CatalogTable) -> str:
    return Catalog(dialect=Dialect.SQLITE, tables=(table,)).version


def with_column(column: CatalogColumn) -> CatalogTable:
    return replace(TABLE, columns=(column,))


@pytest.mark.parametrize(
    "table",
    [
        replace(TABLE, row_estimate=10),
        replace(TABLE, comment="What was sold"),
        with_column(replace(COLUMN, values=("open", "paid"))),
        with_column(replace(COLUMN, kind=ColumnKind.DIMENSION)),
        with_column(replace(COLUMN, comment="As printed")),
    ],
)
def test_what_a_table_holds_does_not_change_the_version(table: CatalogTable):
    assert version(table) == version(TABLE)


@pytest.mark.parametrize(
    "table",
    [
        replace(TABLE, name="sales"),
        replace(TABLE, schema="sales"),
        replace(TABLE, is_view=True),
        replace(TABLE, restricted=True),
        replace(TABLE, primary_key=()),
        replace(TABLE, foreign_keys=(KEY,)),
        replace(TABLE, columns=()),
        with_column(replace(COLUMN, name="state")),
        with_column(replace(COLUMN, type="integer")),
        with_column(replace(COLUMN, nullable=False)),
        with_column(replace(COLUMN, masked=True)),
    ],
)
def test_another_structure_is_another_version(table: CatalogTable):
    assert version(table) != version(TABLE)


def test_another_engine_or_default_schema_is_another_version():
    versions = {
        Catalog(dialect=dialect, tables=(TABLE,), default_schema=schema).version
        for dialect in (Dialect.SQLITE, Dialect.MYSQL)
        for schema in ("", "shop")
    }

    assert len(versions) == 4
