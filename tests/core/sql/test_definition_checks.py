from dataclasses import replace

import pytest

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.definitions import Definition, Definitions, Join, Metric, Place, Synonym, Term
from core.domain.query import Dialect
from core.domain.table import ColumnKind
from core.sql.definition_checks import Fitted, fitted
from core.sql.guard import Guard

HERE = Place("definitions.yaml", 7)
ENGINES = (Dialect.SQLITE, Dialect.DUCKDB, Dialect.POSTGRES, Dialect.MYSQL)


def table(name: str, *columns: str, schema: str = "", masked: str = "") -> CatalogTable:
    return CatalogTable(
        name=name,
        schema=schema,
        columns=tuple(
            CatalogColumn(name=each, type="INTEGER", kind=ColumnKind.MEASURE, masked=each == masked)
            for each in columns
        ),
    )


TABLES = (
    table("customers", "id", "country", "secret", masked="secret"),
    table("orders", "id", "customer_id", "amount", "status", "day", "Odd Name"),
    table("refunds", "id", "order_id", "amount", schema="money"),
)


def held(
    *definitions: Definition,
    dialect: Dialect = Dialect.SQLITE,
    hidden: tuple[str, ...] = (),
    tables: tuple[CatalogTable, ...] = TABLES,
) -> Fitted:
    catalog = Catalog(dialect=dialect, tables=tables)
    return fitted(Definitions.of(definitions), Guard(catalog=catalog), hidden=hidden)


def metric(expression: str, *conditions: str, table: str = "orders") -> Metric:
    return Metric(name="m", place=HERE, table=table, expression=expression, conditions=conditions)


def term(condition: str, *, table: str = "orders", meaning: str = "", name: str = "t") -> Term:
    return Term(name=name, place=HERE, table=table, condition=condition, meaning=meaning)


def problem_of(*definitions: Definition, dialect: Dialect = Dialect.SQLITE) -> str:
    found = held(*definitions, dialect=dialect)
    [problem] = found.problems
    assert problem.place == HERE
    assert not found.definitions
    return problem.text


@pytest.mark.parametrize("dialect", ENGINES)
def test_what_holds_is_written_from_the_tree(dialect: Dialect):
    found = held(
        metric("avg( orders.amount ) /* x */", "status<>'open' or amount > 0", table="Orders"),
        term("customer_id in (select id from customers where country = 'ES')"),
        dialect=dialect,
    )

    assert found.problems == ()
    [kept] = found.definitions.metrics
    assert kept.table == "orders"
    assert kept.expression == "AVG(amount)"
    assert kept.conditions == ("(status <> 'open' OR amount > 0)",)
    assert found.definitions.terms[0].condition == (
        "customer_id IN (SELECT id FROM customers WHERE country = 'ES')"
    )


@pytest.mark.parametrize("dialect", ENGINES)
@pytest.mark.parametrize(
    "expression",
    [
        "SUM(amount) FROM orders; DROP TABLE orders",
        "1) FROM customers --",
        "SUM(amount) FROM customers",
        "SUM(amount), SUM(id)",
        "(SELECT SUM(amount) FROM nothing_here)",
        "SUM(amount) AS total",
        "*",
        "SELECT 1",
        "SUM(LOAD_EXTENSION('x'))",
        "MAX(PG_READ_FILE('/etc/passwd'))",
        "SUM(amount",
        "amount",
        "SUM(amount) + id",
        "1 + 1",
        "SUM(amount) OVER (ORDER BY day)",
        "SUM(customers.id)",
        "",
    ],
)
def test_what_is_no_figure_of_the_table_is_refused(dialect: Dialect, expression: str):
    assert problem_of(metric(expression), dialect=dialect).startswith("the metric 'm' ")


@pytest.mark.parametrize(
    "condition",
    ["SUM(amount) > 1", "1=1; DELETE FROM orders", "status = 'a' --\n) OR (1=1", "x = 1"],
)
def test_what_is_no_condition_on_rows_is_refused(condition: str):
    assert problem_of(metric("SUM(amount)", condition))
    assert problem_of(term(condition))


def test_the_guards_own_rule_and_reason_are_told():
    text = problem_of(metric("SUM(LOAD_EXTENSION('x'))"))

    assert "is refused (function" in text
    assert "load_extension" in text.lower()


def test_names_that_are_not_there_come_with_the_nearest():
    assert "The nearest: orders" in problem_of(metric("SUM(amount)", table="ordrs"))
    assert "The nearest: amount" in problem_of(metric("SUM(amont)"))
    assert "The nearest: status" in problem_of(
        Synonym(name="s", place=HERE, table="orders", column="state")
    )
    assert "The nearest: customer_id" in problem_of(
        Join(place=HERE, table="orders", column="customer", to_table="customers", to_column="id")
    )
    assert problem_of(replace(metric("SUM(amount)"), date="dya"))
    assert problem_of(replace(metric("SUM(amount)"), ranks=("nobody",)))
    assert "'nmae'" in problem_of(term("customer_id IN (SELECT nmae FROM customers)"))


def test_masked_columns_are_not_computed_with():
    assert "masked" in problem_of(metric("COUNT(secret)", table="customers"))
    assert "masked" in problem_of(term("secret = 'x'", table="customers"))
    assert "masked" in problem_of(term("id IN (SELECT secret FROM customers)"))
    assert "masked" in problem_of(Synonym(name="s", place=HERE, table="customers", column="secret"))


def test_schemas_are_part_of_a_tables_name():
    found = held(
        metric("SUM(amount)", table="money.refunds"),
        Synonym(name="paid back", place=HERE, table="money", column="refunds"),
        dialect=Dialect.POSTGRES,
    )

    assert found.problems == ()
    assert found.definitions.metrics[0].table == "money.refunds"
    assert found.definitions.synonyms[0].target == "money.refunds"


@pytest.mark.parametrize(
    ("meaning", "rule", "stays"),
    [
        ("Who earns by customers.ssn.", "customers.ssn", False),
        ("The social number, SSN.", "customers.ssn", False),
        ("Sees the ssns of nobody.", "customers.ssn", True),
        ("From the table salaries.", "salaries.*", False),
        ("By home address.", "people.home_address", False),
        ("By the amount paid.", "wages.amount", True),
        ("By wages.amount.", "wages.amount", False),
        ("By the amount in wages.", "wages.amount", True),
        ("Nothing of it.", "*.ssn", True),
    ],
)
def test_what_speaks_of_hidden_columns_is_left_out(meaning: str, rule: str, *, stays: bool):
    found = held(term("amount > 1", meaning=meaning), hidden=(rule,))

    assert bool(found.definitions) is stays
    assert all("hidden" in each.text for each in found.problems)


def test_one_that_does_not_fit_leaves_the_others():
    found = held(metric("SUM(nothing)"), term("amount > 1"))

    assert [each.name for each in found.definitions] == ["t"]
    assert len(found.problems) == 1


@pytest.mark.parametrize("dialect", ENGINES)
@pytest.mark.parametrize("text", ["INTERVAL", "INT", "INT[]", "{}", "[]", "?", "(("])
def test_what_is_no_expression_at_all_is_refused_and_breaks_nothing(dialect: Dialect, text: str):
    found = held(term(text), metric(text), dialect=dialect)

    assert all(each.text for each in found.problems)
    assert len(found.problems) >= 1
