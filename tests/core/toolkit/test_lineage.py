import pytest

from core.domain.errors import NotPossible
from core.toolkit.lineage import conditions, origins, outputs, parsed, tables_read
from tests.kit.shop_catalog import shop_catalog

CATALOG = shop_catalog()


def names(sql: str) -> dict[str, str]:
    return {name: column.name for name, column in origins(sql, CATALOG).items()}


def stored(sql: str) -> dict[str, list[str]]:
    found = outputs(parsed(sql, CATALOG), CATALOG)
    return {each.name: [str(column) for column in each.stored] for each in found}


@pytest.mark.parametrize(
    ("sql", "copies"),
    [
        ("SELECT amount AS a, amount + 1 AS b FROM orders", {"a": "amount"}),
        ("SELECT o.* FROM daily_totals o", {"day": "day", "total": "total"}),
        ('SELECT "Country Name" FROM customers c', {"Country Name": "Country Name"}),
        ("SELECT total FROM (SELECT * FROM daily_totals) t", {"total": "total"}),
        (
            "WITH a AS (SELECT order_id AS x FROM orders), b AS (SELECT x AS y FROM a)"
            " SELECT y FROM b",
            {"y": "order_id"},
        ),
        ("SELECT COUNT(*) AS amount FROM orders", {}),
        ("SELECT customer_id FROM orders, customers", {}),
        ("SELECT customer_id FROM orders UNION SELECT customer_id FROM customers", {}),
        ("SELECT status FROM orders UNION ALL SELECT status FROM orders", {"status": "status"}),
        ("SELECT x FROM nowhere", {}),
        ("SELECT order_id FROM orders o, orders o", {}),
        ("VALUES (1, 2)", {}),
    ],
)
def test_tells_copies_from_computed_columns(sql: str, copies: dict[str, str]):
    assert names(sql) == copies


def test_finds_every_stored_column_behind_a_computed_one():
    sql = """
        WITH spent AS (SELECT customer_id, SUM(amount) AS total FROM orders GROUP BY 1)
        SELECT c."Country Name" AS country, SUM(s.total) / COUNT(c.customer_id) AS each
        FROM customers c JOIN spent s ON s.customer_id = c.customer_id GROUP BY 1
    """

    assert stored(sql) == {
        "country": ["customers.Country Name"],
        "each": ["orders.amount", "customers.customer_id"],
    }


def test_looks_into_subqueries_of_an_expression():
    sql = "SELECT (SELECT MAX(amount) FROM orders) AS top FROM customers"

    assert stored(sql) == {"top": ["orders.amount"]}


def test_a_long_chain_of_subqueries_is_read_once():
    links = ", ".join(f"t{i} AS (SELECT * FROM t{i - 1})" for i in range(1, 40))
    sql = f"WITH t0 AS (SELECT * FROM orders), {links} SELECT * FROM t39"

    assert names(sql)["amount"] == "amount"


def test_a_recursive_query_comes_to_an_end():
    sql = """
        WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5)
        SELECT i FROM n
    """

    assert names(sql) == {}


def test_finds_filters_and_joins_wherever_they_are():
    sql = """
        SELECT o.status FROM orders o JOIN customers c ON c.customer_id = o.customer_id
        WHERE o.amount > 10 AND EXISTS (
            SELECT 1 FROM events e WHERE e.customer_id = c.customer_id
        )
        GROUP BY 1 HAVING COUNT(*) > 3
    """

    found = {
        (each.joined, each.holds.sql("postgres"), *map(str, each.stored))
        for each in conditions(parsed(sql, CATALOG), CATALOG)
    }

    assert (
        "c",
        "c.customer_id = o.customer_id",
        "customers.customer_id",
        "orders.customer_id",
    ) in found
    assert ("", "o.amount > 10", "orders.amount") in found
    assert ("", "COUNT(*) > 3") in found
    assert (
        "",
        "e.customer_id = c.customer_id",
        "events.customer_id",
        "customers.customer_id",
    ) in found


def test_lists_each_table_once_and_no_named_subquery():
    sql = """
        WITH events AS (SELECT * FROM orders)
        SELECT * FROM events JOIN orders USING (order_id)
        JOIN support."Refund Reasons" USING (order_id)
    """

    found = [table.qualified_name for table in tables_read(parsed(sql, CATALOG), CATALOG)]

    assert sorted(found) == ["orders", "support.Refund Reasons"]


@pytest.mark.parametrize(
    "sql", ["", "SELECT 1; SELECT 2", "DROP TABLE orders", "SELECT (", "(" * 500]
)
def test_refuses_what_is_not_one_select(sql: str):
    with pytest.raises(NotPossible):
        parsed(sql, CATALOG)
