import pytest

from core.domain.catalog import Catalog, CatalogTable, ForeignKey
from core.domain.errors import BadArguments
from core.domain.query import Dialect
from core.toolkit.sources import Source
from tests.kit.shop_catalog import DIMENSION, column, shop_catalog


def sql(source: Source, *names: str, where: str = "") -> str:
    values = {name: source.column(name).value for name in names}
    condition = source.condition(where)
    return source.rows(values, [condition]).sql(dialect=source.dialect)


def test_a_table_alone_needs_no_qualification():
    source = Source.of(shop_catalog(), "ORDERS")

    assert sql(source, "amount", where="Status = 'paid'") == (
        'SELECT "amount" AS "amount" FROM "orders" WHERE "status" = \'paid\''
    )


def test_a_look_up_joins_along_the_key():
    source = Source.of(shop_catalog(), "orders")

    assert sql(source, "customers.Country Name", where="amount > 1") == (
        'SELECT "customers"."Country Name" AS "customers.Country Name" FROM "orders" '
        'LEFT JOIN "customers" ON "orders"."customer_id" = "customers"."customer_id" '
        'WHERE "orders"."amount" > 1'
    )


def test_a_look_up_may_stand_in_a_condition_alone():
    source = Source.of(shop_catalog(), "orders")

    assert 'LEFT JOIN "customers"' in sql(source, "amount", where="customers.signup_date IS NULL")


def test_tables_in_a_schema_are_named_by_an_alias_once_joined():
    source = Source.of(shop_catalog(), "support.Refund Reasons")

    assert 'FROM "support"."Refund Reasons" AS "Refund Reasons" LEFT JOIN "orders"' in sql(
        source, "orders.amount"
    )


def test_a_subquery_in_a_condition_is_left_alone():
    source = Source.of(shop_catalog(), "orders")
    where = "customer_id IN (SELECT customer_id FROM customers WHERE signup_date > '2025-01-01')"

    assert where.replace("customer_id IN", '"customer_id" IN') in sql(source, "amount", where=where)


def test_the_own_table_may_be_named():
    source = Source.of(shop_catalog(), "orders")

    assert sql(source, "orders.amount", where="orders.status = 'x'") == (
        'SELECT "amount" AS "orders.amount" FROM "orders" WHERE "status" = \'x\''
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("amuont", "nearest: amount"),
        ("Country Name", "Through a key there is customers.Country Name"),
        ("custmers.Country Name", "no table 'custmers'"),
        ("customers.Contry", "no column of customers 'Contry'"),
        ("daily_totals.total", "does not point at one row of daily_totals"),
    ],
)
def test_an_unknown_column_is_answered_with_what_there_is(name: str, words: str):
    with pytest.raises(BadArguments, match=words):
        Source.of(shop_catalog(), "orders").column(name)


def test_never_joins_what_would_count_twice():
    with pytest.raises(BadArguments, match="Begin with orders"):
        Source.of(shop_catalog(), "customers").column("orders.amount")


def test_two_ways_to_a_table_are_for_a_person_to_choose():
    country = CatalogTable(
        name="country", columns=(column("id", "INTEGER", DIMENSION),), primary_key=("id",)
    )
    keys = [ForeignKey(columns=(c,), to_table="country", to_columns=("id",)) for c in ("a", "b")]
    order = CatalogTable(
        name="order",
        columns=(column("a", "INTEGER", DIMENSION), column("b", "INTEGER", DIMENSION)),
        foreign_keys=tuple(keys),
    )
    source = Source.of(Catalog(dialect=Dialect.POSTGRES, tables=(country, order)), "order")

    with pytest.raises(BadArguments, match="several ways from order to country"):
        source.column("country.id")


@pytest.mark.parametrize(
    "text", ["SUM(amount)", "amount; DROP TABLE x", "(SELECT 1)", "amount >", "'text", ""]
)
def test_refuses_what_is_no_arithmetic(text: str):
    with pytest.raises(BadArguments, match="neither a column nor arithmetic"):
        Source.of(shop_catalog(), "orders").expression(text)


def test_divides_exactly():
    value = Source.of(shop_catalog(), "orders").expression("amount / 2 + 1")

    assert value.sql(dialect="postgres") == 'CAST("amount" AS DOUBLE PRECISION) / 2 + 1'
