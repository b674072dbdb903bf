"""What is said of a statement's conditions, and what is left unsaid."""

from __future__ import annotations

import pytest

from core.domain.answer import Conditions
from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.query import Dialect
from core.domain.table import ColumnKind
from core.reviewer.conditions import common, conditions_of

TIME, DIMENSION, MEASURE = ColumnKind.TIME, ColumnKind.DIMENSION, ColumnKind.MEASURE
OTHER = "other conditions"


def column(name: str, type_: str, kind: ColumnKind, *, masked: bool = False) -> CatalogColumn:
    return CatalogColumn(name=name, type=type_, kind=kind, masked=masked)


def catalog(dialect: Dialect, moment: str = "timestamp") -> Catalog:
    orders = CatalogTable(
        name="orders",
        columns=(
            column("id", "integer", DIMENSION),
            column("customer_id", "integer", DIMENSION),
            column("made", moment, TIME),
            column("shipped_on", "date", TIME),
            column("status", "text", DIMENSION),
            column("amount", "integer", MEASURE),
            column("is_paid", "boolean", DIMENSION),
            column("card", "text", DIMENSION, masked=True),
        ),
    )
    customers = CatalogTable(
        name="customers",
        columns=(
            column("id", "integer", DIMENSION),
            column("region", "text", DIMENSION),
            column("status", "text", DIMENSION),
        ),
    )
    return Catalog(dialect=dialect, tables=(customers, orders))


def read(sql: str, dialect: Dialect = Dialect.POSTGRES, moment: str = "timestamp") -> Conditions:
    return conditions_of(sql, catalog(dialect, moment))


def asked(condition: str) -> str:
    return " FROM orders WHERE " + condition


def where(condition: str, dialect: Dialect = Dialect.POSTGRES) -> tuple[str, ...]:
    found = read("SELECT COUNT(*)" + asked(condition), dialect)
    return (found.period, *found.filters)


@pytest.mark.parametrize(
    ("condition", "period"),
    [
        ("made >= '2025-01-01' AND made < '2026-01-01'", "2025"),
        ("made >= '2024-01-01' AND made < '2026-01-01'", "2024 to 2025"),
        ("made >= '2025-07-01' AND made < '2025-10-01'", "Q3 2025"),
        ("made >= '2025-03-01' AND made < '2025-04-01'", "Mar 2025"),
        ("made >= '2025-07-01' AND made < '2025-09-01'", "1 Jul to 31 Aug 2025"),
        ("made >= '2025-12-01' AND made < '2026-03-01'", "1 Dec 2025 to 28 Feb 2026"),
        ("made >= '2025-07-01'", "since 1 Jul 2025"),
        ("made < '2025-07-01'", "until 30 Jun 2025"),
        ("shipped_on BETWEEN '2025-01-01' AND '2025-12-31'", "2025"),
        ("shipped_on > '2025-06-30' AND shipped_on <= '2025-09-30'", "Q3 2025"),
        ("shipped_on = '2025-03-05'", "5 Mar 2025"),
        ("made BETWEEN '2025-01-01' AND '2025-12-31'", "1 Jan 2025 to 31 Dec 2025, 00:00"),
        ("made BETWEEN '2025-01-01' AND '2025-12-31 23:59:59'", "2025"),
        ("made >= '2025-01-01 08:30:00'", "since 1 Jan 2025, 08:30"),
        ("EXTRACT(YEAR FROM made) = 2025 AND EXTRACT(QUARTER FROM made) = 2", "Q2 2025"),
    ],
)
def test_periods_are_said_as_people_say_them(condition: str, period: str):
    assert where(condition) == (period,)


DIALECTS_OF_A_YEAR = {
    Dialect.POSTGRES: "date_trunc('year', made) = DATE '2025-01-01'",
    Dialect.MYSQL: "YEAR(made) = 2025",
    Dialect.SQLITE: "strftime('%Y', made) = '2025'",
    Dialect.DUCKDB: "year(made) = 2025",
    Dialect.BIGQUERY: "EXTRACT(YEAR FROM made) = 2025",
    Dialect.SNOWFLAKE: "DATE_TRUNC('year', made) = '2025-01-01'::date",
    Dialect.REDSHIFT: "date_part(year, made) = 2025",
    Dialect.DATABRICKS: "date_format(made, 'yyyy') = '2025'",
    Dialect.CLICKHOUSE: "toYear(made) = 2025",
    Dialect.TRINO: "made >= timestamp '2025-01-01 00:00:00' AND made < date '2026-01-01'",
    Dialect.TSQL: "YEAR(made) = 2025",
    Dialect.ORACLE: "made >= TO_DATE('2025-01-01', 'YYYY-MM-DD') AND made < DATE '2026-01-01'",
    Dialect.SPARK: "year(made) = 2025",
}


@pytest.mark.parametrize("dialect", Dialect)
def test_a_year_is_read_in_every_dialect(dialect: Dialect):
    assert where(DIALECTS_OF_A_YEAR[dialect], dialect) == ("2025",)


@pytest.mark.parametrize(
    ("condition", "filters"),
    [
        ("status = 'paid'", "status = paid"),
        ("LOWER(status) = 'paid'", "status = paid"),
        ("status <> 'paid'", "status is not paid"),
        ("status IN ('paid', 'shipped')", "status in paid, shipped"),
        ("status NOT IN ('paid')", "status not in paid"),
        ("status IN ('a', 'b', 'c', 'd', 'e', 'f')", "status in a, b, c, d and 2 more"),
        ("amount > 100", "amount > 100"),
        ("100 > amount", "amount < 100"),
        ("amount >= -2.5", "amount >= -2.5"),
        ("amount BETWEEN 1 AND 9", "amount from 1 to 9"),
        ("is_paid", "is paid = true"),
        ("NOT is_paid", "is paid = false"),
        ("is_paid IS NOT TRUE", "is paid is not true"),
        ("customer_id IS NULL", "customer id is empty"),
        ("NOT customer_id IS NULL", "customer id is not empty"),
        ("shipped_on IS NOT NULL", "shipped on is not empty"),
        ("status = 'a, b'", 'status = "a, b"'),
        ("status = ''", 'status = ""'),
        ("status = 'two\nlines\tand\u202e more'", "status = two lines and more"),
        (f"status = '{'x' * 99}'", f"status = {'x' * 39}…"),
    ],
)
def test_simple_filters_are_said_in_plain_words(condition: str, filters: str):
    assert where(condition) == ("", filters)


@pytest.mark.parametrize(
    "condition",
    [
        "status LIKE 'p%'",
        "status = 'paid' OR amount > 3",
        "amount > customer_id",
        "amount * 2 > 100",
        "made >= CURRENT_DATE - INTERVAL '30 days'",
        "made >= '2025-01-01' OR made IS NULL",
        "EXTRACT(MONTH FROM made) = 3",
        "EXTRACT(MONTH FROM made) = 13 AND 1 = 1",
        "made < '2025-01-01' AND made >= '2026-01-01'",
        "date_trunc('month', made) = DATE '2025-03-05'",
        "amount = (SELECT MAX(amount) FROM orders)",
        "customer_id IN (SELECT id FROM customers WHERE region = 'Spain')",
        "EXISTS (SELECT 1 FROM customers WHERE customers.id = customer_id)",
        "NOT (amount BETWEEN 1 AND 2)",
        "1 = 0",
    ],
)
def test_what_has_no_simple_form_is_other_conditions(condition: str):
    assert where(condition) == ("", OTHER)


def test_values_of_masked_columns_are_not_told():
    assert where("card = '4111' AND status = 'paid'") == ("", "status = paid", OTHER)


@pytest.mark.parametrize("sql", ["SELECT 1", "SELECT * FROM orders", "", "not SQL", "SELECT '"])
def test_nothing_is_said_where_nothing_is_asked(sql: str):
    assert read(sql) == Conditions()


INSIDE = (
    "SELECT id, made, status, amount FROM orders WHERE made >= '2025-01-01' AND made < '2026-01-01'"
)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("WITH o AS (<inside>) SELECT COUNT(*) FROM o", ("2025",)),
        (
            "SELECT COUNT(*) FROM (<inside>) AS o WHERE o.status = 'paid'",
            ("2025", "status = paid"),
        ),
        ("WITH a AS (<inside>), b AS (SELECT * FROM a) SELECT COUNT(*) FROM b", ("2025",)),
        # Conditions on a part of the rows, or on groups, are not those of the result.
        (
            "WITH o AS (<inside>) SELECT c.region FROM customers c LEFT JOIN o ON o.id = c.id",
            ("", OTHER),
        ),
        (
            "WITH o AS (<inside>) SELECT 1 FROM o RIGHT JOIN customers c ON o.id = c.id",
            ("", OTHER),
        ),
        ("<inside> UNION ALL <before>", ("", OTHER)),
        (
            "WITH o AS (<inside>), p AS (<before>) SELECT 1 FROM o CROSS JOIN p",
            ("", OTHER),
        ),
        ("<inside> AND amount > (SELECT AVG(amount) FROM customers)", ("2025", OTHER)),
        ("SELECT status FROM orders GROUP BY status HAVING SUM(amount) > 9", ("", OTHER)),
        ("SELECT COUNT(*) FILTER (WHERE status = 'paid') FROM orders", ("",)),
        (
            "SELECT 1 FROM orders o JOIN customers c ON c.id = o.customer_id"
            " WHERE c.region = 'Spain' AND o.status = 'paid'",
            ("", "region = Spain", "orders status = paid"),
        ),
        (
            "SELECT 1 FROM orders o JOIN customers c ON c.id = o.id AND c.region = 'Spain'",
            ("", OTHER),
        ),
        (
            "SELECT 1 FROM customers c LEFT JOIN orders o ON c.id = o.id WHERE o.id IS NULL",
            ("", OTHER),
        ),
        (
            "SELECT 1 FROM orders a JOIN orders b ON a.id = b.id WHERE a.made >= '2025-01-01'"
            " AND b.made < '2026-01-01'",
            ("", OTHER),
        ),
        (
            "SELECT 1 FROM orders WHERE made >= '2025-01-01' AND shipped_on < '2026-01-01'",
            ("", "made: since 1 Jan 2025", "shipped on: until 31 Dec 2025"),
        ),
        (
            "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5)"
            " SELECT i FROM n",
            ("", OTHER),
        ),
    ],
)
def test_only_conditions_on_all_rows_of_the_result_are_told(sql: str, said: tuple[str, ...]):
    found = read(
        sql.replace("<inside>", INSIDE).replace("<before>", INSIDE.replace("2025", "2024"))
    )

    assert (found.period, *found.filters) == said


@pytest.mark.parametrize(
    ("dialect", "moment", "zone"),
    [
        (Dialect.MYSQL, "timestamp", "UTC"),
        (Dialect.MYSQL, "datetime", ""),
        (Dialect.TRINO, "timestamp(3) with time zone", "UTC"),
        (Dialect.POSTGRES, "timestamp with time zone", ""),
    ],
)
def test_a_time_zone_is_told_where_it_is_certain(dialect: Dialect, moment: str, zone: str):
    found = read("SELECT 1 FROM orders WHERE made >= DATE '2025-01-01'", dialect, moment)

    assert (found.period, found.time_zone) == ("since 1 Jan 2025", zone)


def test_several_results_have_in_common_what_all_of_them_ask():
    spain, paid = "region = Spain", "status = paid"
    first = Conditions(period="2024", filters=(spain, paid))

    assert common([first, first]) == first
    assert common([first, Conditions(period="2025", filters=(paid,))]) == Conditions(
        filters=(paid, OTHER)
    )
    assert common([]) == Conditions()


def test_a_line_holds_three_filters_and_the_number_of_the_rest():
    found = Conditions(period="2025", time_zone="UTC", filters=("a = 1", "b = 2", "c = 3", "d = 4"))

    assert found.in_short() == ("2025 (UTC)", "a = 1", "b = 2", "c = 3", "and 1 more")
