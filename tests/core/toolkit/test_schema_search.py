import pytest

from core.domain.catalog import Catalog, CatalogTable
from core.domain.query import Dialect
from core.toolkit.schema_search import search_schema
from tests.kit.shop_catalog import DIMENSION, MEASURE, column, shop_catalog


def catalog_of(**tables: tuple[str, ...]) -> Catalog:
    return Catalog(
        dialect=Dialect.POSTGRES,
        tables=tuple(
            CatalogTable(
                name=name, columns=tuple(column(each, "TEXT", DIMENSION) for each in columns)
            )
            for name, columns in tables.items()
        ),
    )


def best(catalog: Catalog, text: str) -> str:
    return search_schema(catalog, text, at_most=1)[0].table.name


def test_a_tables_name_counts_more_than_a_column():
    catalog = catalog_of(orders=("id",), log=("orders",))

    assert best(catalog, "orders") == "orders"


@pytest.mark.parametrize(
    ("text", "table"),
    [("quantity in stock", "inv"), ("customer", "cust_mstr"), ("employee departments", "emp_dept")],
)
def test_abbreviations_find_what_they_shorten(text: str, table: str):
    catalog = catalog_of(inv=("qty",), cust_mstr=("nm",), emp_dept=("x",), other=("y",))

    assert best(catalog, text) == table


def test_synonyms_find_each_other():
    catalog = catalog_of(clients=("id",), parcels=("id",))

    assert best(catalog, "customers") == "clients"


def test_the_word_itself_counts_more_than_its_synonym():
    catalog = catalog_of(clients=("id",), customers=("id",))

    assert best(catalog, "customers") == "customers"


def test_comments_and_values_are_searched():
    assert best(shop_catalog(), "who has an account") == "customers"
    assert best(shop_catalog(), "customers in Spain") == "customers"
    assert best(shop_catalog(), "euros") == "orders"


def test_an_unknown_word_finds_nothing():
    assert search_schema(shop_catalog(), "unicorn", at_most=5) == ()


def test_an_empty_catalog_has_nothing_to_find():
    assert search_schema(Catalog(dialect=Dialect.POSTGRES), "orders", at_most=5) == ()


def test_a_changed_catalog_is_read_anew():
    before = catalog_of(orders=("id",))
    after = Catalog(
        dialect=Dialect.POSTGRES,
        tables=(CatalogTable(name="sales", columns=(column("amount", "REAL", MEASURE),)),),
    )

    assert best(before, "orders") == "orders"
    assert search_schema(after, "orders", at_most=1)[0].table.name == "sales"
