from dataclasses import replace

import pytest

from bench.made_schema import make_schema, recall_at
from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.query import Dialect
from core.domain.table import ColumnKind
from core.memory.recall import TableIndex, TableRecall


def table(
    name: str, *columns: str, comment: str = "", values: tuple[str, ...] = ()
) -> CatalogTable:
    return CatalogTable(
        name=name,
        columns=tuple(
            CatalogColumn(name=each, type="TEXT", kind=ColumnKind.TEXT, values=values)
            for each in columns
        ),
        comment=comment,
    )


TABLES = (
    table("cust_mstr", "cust_id", "nm", "cntry"),
    table("sales_order_hdr", "order_id", "order_dt", "status", values=("open", "shipped")),
    table("sales_order_line", "order_id", "product_id", "qty", "amt"),
    table("product", "product_id", "title", "category"),
    table("emp_salaries", "emp_id", "gross", "paid_on"),
    table("web_visits", "visitor", "page", "seen_at", comment="Sessions of the public site"),
    table("inv_stock_lvl", "product_id", "on_hand"),
    *(table(f"unrelated_{n}", "alpha", "beta") for n in range(40)),
)
CATALOG = Catalog(dialect=Dialect.SQLITE, tables=TABLES)


def best(question: str) -> str:
    found = TableIndex(CATALOG).find(question, at_most=1)
    return found[0].name if found else ""


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which customers are from Spain?", "cust_mstr"),
        ("quantities by product and order line", "sales_order_line"),
        ("How many orders were shipped?", "sales_order_hdr"),
        ("What do employees earn?", "emp_salaries"),
        ("number of sessions on the site", "web_visits"),
        ("stock levels", "inv_stock_lvl"),
        ("titles of products by categories", "product"),
        ("the weather", ""),
        ("", ""),
    ],
)
def test_finds_the_table_that_a_question_is_about(question: str, name: str):
    assert best(question) == name


async def test_a_small_catalog_comes_whole():
    recall = TableRecall()
    small = Catalog(dialect=Dialect.SQLITE, tables=TABLES[:5])

    assert await recall.recall(small, "the weather", at_most=8) == TABLES[:5]


async def test_gives_tables_in_the_order_of_their_names():
    found = await TableRecall().recall(CATALOG, "customers who order products", at_most=4)

    names = [each.name for each in found]
    assert names == sorted(names)
    assert {"cust_mstr", "product"} <= set(names)


async def test_tables_that_are_certain_come_first():
    found = await TableRecall().recall(
        CATALOG, "customers who order products", certain=["unrelated_7", "no_such"], at_most=2
    )

    assert "unrelated_7" in [each.name for each in found]
    assert len(found) == 2


async def test_a_question_without_a_known_word_still_gets_tables():
    assert len(await TableRecall().recall(CATALOG, "xyzzy", at_most=3)) == 3


async def test_a_changed_catalog_is_read_anew():
    recall = TableRecall()
    await recall.recall(CATALOG, "customers", at_most=2)
    changed = Catalog(dialect=Dialect.SQLITE, tables=(*TABLES, table("zebra_counts", "zebras")))

    found = await recall.recall(changed, "how many zebras", at_most=2)

    assert "zebra_counts" in [each.name for each in found]


def test_only_a_changed_table_is_indexed_anew():
    index = TableIndex(CATALOG)
    changed = (*TABLES[:-1], table("unrelated_39", "zebras"))

    count = index.update(Catalog(dialect=Dialect.SQLITE, tables=changed))

    assert count == 1
    assert [each.name for each in index.find("zebras", at_most=3)] == ["unrelated_39"]
    assert index.find("alpha", at_most=60) == TableIndex(
        Catalog(dialect=Dialect.SQLITE, tables=changed)
    ).find("alpha", at_most=60)


async def test_a_table_that_changed_between_two_turns_is_found_by_its_new_words():
    recall = TableRecall()
    changed = Catalog(
        dialect=Dialect.SQLITE, tables=(*TABLES[:-1], table("unrelated_39", "zebras"))
    )
    await recall.recall(CATALOG, "customers", at_most=2)

    found = [await recall.recall(each, "zebras", at_most=1) for each in (changed, CATALOG)]

    assert [each.name for each in found[0]] == ["unrelated_39"]
    assert [each.name for each in found[1]] != ["unrelated_39"]


def test_statistics_alone_change_nothing_in_the_index():
    index = TableIndex(CATALOG)
    grown = tuple(replace(each, row_estimate=7_000) for each in TABLES)

    count = index.update(Catalog(dialect=Dialect.SQLITE, tables=grown))

    assert count == 0
    assert index.find("stock levels", at_most=1)[0].row_estimate == 7_000


async def test_new_values_are_found_although_the_version_stays():
    recall = TableRecall()
    filled = (*TABLES[:-1], table("unrelated_39", "alpha", "beta", values=("zebra",)))
    changed = Catalog(dialect=Dialect.SQLITE, tables=filled)
    await recall.recall(CATALOG, "zebras", at_most=1)

    found = await recall.recall(changed, "zebras", at_most=1)

    assert changed.version == CATALOG.version
    assert [each.name for each in found] == ["unrelated_39"]


@pytest.mark.parametrize(("tables", "least"), [(1_000, 0.98), (4_000, 0.9)])
def test_most_questions_find_their_table_among_shortened_names(tables: int, least: float):
    made = make_schema(tables, questions=200)
    index = TableIndex(made.catalog)

    found = [[each.name for each in index.find(q.text, at_most=10)] for q in made.questions]

    assert recall_at(found, made.questions) >= least


async def test_a_large_catalog_is_read_as_well():
    many = tuple(table(f"thing_{n:05}", f"column_{n % 50}") for n in range(2_000))
    catalog = Catalog(dialect=Dialect.SQLITE, tables=(*many, table("zebra_counts", "zebras")))

    found = await TableRecall().recall(catalog, "how many zebras in column 7", at_most=8)

    assert "zebra_counts" in [each.name for each in found]
    assert len(found) == 8
