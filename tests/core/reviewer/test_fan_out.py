from dataclasses import replace

import pytest

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable, ForeignKey
from core.domain.query import Dialect
from core.domain.table import ColumnKind
from core.reviewer.fan_out import FanOut, fan_outs
from core.sql.reading import tree_of


def table(name: str, key: tuple[str, ...], *columns: str) -> CatalogTable:
    return CatalogTable(
        name=name,
        columns=tuple(
            CatalogColumn(name=each, type="INTEGER", kind=ColumnKind.MEASURE)
            for each in (*key, *columns)
        ),
        primary_key=key,
    )


CATALOG = Catalog(
    dialect=Dialect.POSTGRES,
    tables=(
        table("customers", ("id",), "region_id", "credit", "email"),
        table("lines", ("order_id", "line_no"), "product_id", "quantity"),
        table("log", (), "order_id", "size"),
        table("orders", ("id",), "customer_id", "amount", "email"),
        table("payments", ("id",), "order_id", "paid"),
        table("products", ("id",), "price"),
        table("regions", ("id",), "size"),
    ),
)


def found_in(sql: str, catalog: Catalog) -> tuple[FanOut, ...]:
    return fan_outs(tree_of(sql, catalog.dialect), catalog)


@pytest.mark.parametrize(
    ("sql", "total", "counted", "repeated_by"),
    [
        (
            "SELECT SUM(o.amount) FROM orders o JOIN lines l ON l.order_id = o.id",
            "SUM(o.amount)",
            "orders",
            "lines",
        ),
        (
            "SELECT AVG(amount) FROM orders, lines JOIN products p ON p.id = product_id"
            " WHERE order_id = orders.id",
            "AVG(amount)",
            "orders",
            "lines",
        ),
        (
            "SELECT c.id, SUM(p.paid) FROM customers c JOIN orders o ON o.customer_id = c.id"
            " JOIN payments p ON p.order_id = o.id JOIN lines l ON l.order_id = o.id GROUP BY c.id",
            "SUM(p.paid)",
            "payments",
            "lines",
        ),
        (
            "SELECT SUM(credit) FROM customers JOIN orders ON customers.id = customer_id",
            "SUM(credit)",
            "customers",
            "orders",
        ),
        (
            "WITH x AS (SELECT SUM(o.amount) AS s FROM orders o"
            " LEFT JOIN lines l ON l.order_id = o.id) SELECT s FROM x",
            "SUM(o.amount)",
            "orders",
            "lines",
        ),
        (
            "WITH x AS (SELECT o.amount, l.quantity FROM orders o"
            " JOIN lines l ON l.order_id = o.id) SELECT SUM(amount) FROM x",
            "SUM(amount)",
            "orders",
            "lines",
        ),
        (
            "SELECT SUM(t.total) FROM (SELECT o.amount * 2 AS total, l.* FROM orders o"
            " JOIN lines l ON l.order_id = o.id) AS t",
            "SUM(t.total)",
            "orders",
            "lines",
        ),
        (
            "SELECT COUNT(o.id) FROM orders o JOIN lines l ON l.order_id = o.id",
            "COUNT(o.id)",
            "orders",
            "lines",
        ),
    ],
)
def test_a_measure_whose_rows_a_join_repeats_is_found(
    sql: str, total: str, counted: str, repeated_by: str
):
    assert found_in(sql, CATALOG) == (
        FanOut(total=total, counted=counted, repeated_by=repeated_by),
    )


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(amount) FROM orders",
        "SELECT SUM(o.amount) FROM orders o JOIN customers c ON c.id = o.customer_id",
        "SELECT SUM(l.quantity) FROM orders o JOIN lines l ON l.order_id = o.id",
        "SELECT SUM(l.quantity * p.price) FROM lines l JOIN products p ON p.id = l.product_id",
        "SELECT COUNT(*) FROM orders o JOIN lines l ON l.order_id = o.id",
        "SELECT c.id, COUNT(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id"
        " GROUP BY c.id",
        "SELECT COUNT(o.email) FROM orders o JOIN lines l ON l.order_id = o.id",
        "SELECT SUM(a) FROM (SELECT DISTINCT o.id, o.amount AS a FROM orders o"
        " JOIN lines l ON l.order_id = o.id) AS t",
        "SELECT SUM(a) FROM (SELECT o.id, MAX(o.amount) AS a FROM orders o"
        " JOIN lines l ON l.order_id = o.id GROUP BY o.id) AS t",
        "SELECT SUM(t.quantity) FROM (SELECT * FROM orders o JOIN lines l ON l.order_id = o.id) t",
        "SELECT COUNT(DISTINCT o.id), MAX(amount) FROM orders o JOIN lines l ON order_id = o.id",
        "SELECT SUM(o.amount) FROM orders o JOIN lines l ON l.order_id = o.id AND l.line_no = 1",
        "SELECT SUM(DISTINCT o.amount) FROM orders o JOIN lines l ON l.order_id = o.id",
        "SELECT SUM(o.amount) FROM orders o JOIN log l ON l.order_id = o.id",
        "SELECT SUM(o.amount) FROM orders o JOIN customers c ON c.email = o.email",
        "SELECT SUM(o.amount) FROM orders o JOIN (SELECT DISTINCT order_id FROM lines) l"
        " ON l.order_id = o.id",
        "SELECT SUM(o.amount) FROM orders o WHERE EXISTS"
        " (SELECT 1 FROM lines l JOIN products p ON p.id = l.product_id WHERE l.order_id = o.id)",
        "SELECT SUM(o.amount) FROM orders o JOIN lines l ON l.order_id = o.id AND l.line_no ="
        " o.customer_id",
        "SELECT o.amount FROM orders o JOIN lines l ON l.order_id = o.id",
        "SELECT SUM(x.y) FROM nowhere x JOIN lines l ON l.order_id = x.id",
        "WITH orders AS (SELECT 1 AS id, 2 AS amount) SELECT SUM(amount) FROM orders o"
        " JOIN lines l ON l.order_id = o.id",
    ],
)
def test_what_counts_each_row_once_is_left_alone(sql: str):
    assert found_in(sql, CATALOG) == ()


def test_a_join_by_the_name_of_a_column_counts_too():
    catalog = Catalog(
        dialect=Dialect.SQLITE,
        tables=(
            table("lines", ("order_id", "line_no"), "quantity"),
            table("orders", ("order_id",), "amount"),
        ),
    )

    [found] = found_in("SELECT SUM(amount) FROM orders JOIN lines USING (order_id)", catalog)

    assert (found.counted, found.repeated_by) == ("orders", "lines")


def test_two_tables_that_point_at_a_third_repeat_each_other():
    to_customers = (ForeignKey(columns=("customer_id",), to_table="customers", to_columns=("id",)),)
    catalog = Catalog(
        dialect=Dialect.POSTGRES,
        tables=(
            replace(table("orders", ("id",), "customer_id", "amount"), foreign_keys=to_customers),
            replace(table("tickets", ("id",), "customer_id", "hours"), foreign_keys=to_customers),
        ),
    )
    join = "FROM orders o JOIN tickets t ON t.customer_id = o.customer_id"

    [orders] = found_in(f"SELECT SUM(o.amount) {join}", catalog)
    [tickets] = found_in(f"SELECT SUM(t.hours) {join}", catalog)

    assert (orders.counted, orders.repeated_by) == ("orders", "tickets")
    assert (tickets.counted, tickets.repeated_by) == ("tickets", "orders")
