"""Rules about the columns of a table hold for whatever shows them: views, children, parents."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing

import duckdb
import pytest

from adapters.warehouses.opening import open_warehouse
from core.domain.catalog import Catalog, CatalogColumn, CatalogTable, Origin
from core.domain.errors import ToolError
from core.domain.query import Dialect
from core.domain.rights import Rights, narrowed
from core.domain.table import ColumnKind
from core.ports.warehouse import Warehouse
from core.sql.guard import Guard
from core.sql.view_lineage import traced
from tests.kit.servers import mariadb_database, postgres_database

SCRIPT = (
    "CREATE TABLE customers (id INTEGER, name VARCHAR(20), email VARCHAR(40), ssn VARCHAR(20))",
    "INSERT INTO customers VALUES (1, 'Ann', 'ann@secret', '111-secret')",
    "CREATE VIEW plain AS SELECT id, name FROM customers",
    "CREATE VIEW renamed AS SELECT id, email AS contact FROM customers",
    "CREATE VIEW made AS SELECT id, UPPER(email) AS loud, LENGTH(ssn) AS digits FROM customers",
    "CREATE VIEW nested AS SELECT r.contact FROM renamed AS r",
    "CREATE VIEW mixed AS SELECT name AS word FROM customers UNION ALL SELECT email FROM customers",
    "CREATE VIEW derived AS SELECT t.e, t.name FROM (SELECT email AS e, name FROM customers) AS t",
    "CREATE VIEW asked AS SELECT name, (SELECT MAX(ssn) FROM customers) AS top FROM customers",
    "CREATE VIEW whole AS SELECT * FROM customers",
    "CREATE VIEW cte AS WITH c(a, b) AS (SELECT id, email FROM customers) SELECT a, b FROM c",
    "CREATE VIEW counted AS SELECT COUNT(*) AS n FROM customers",
    "CREATE VIEW given (x, y) AS SELECT email, id FROM customers",
    "CREATE VIEW filtered AS SELECT name FROM customers WHERE email LIKE '%a%'",
    "CREATE VIEW turned AS WITH t (id, email) AS (SELECT email, id FROM customers)"
    " SELECT t.id AS a, t.email AS b FROM t",
    "CREATE VIEW chosen AS SELECT CASE WHEN id > 0 THEN email ELSE name END AS who FROM customers",
)
RIGHTS = Rights(mask=("customers.email",), hide=("customers.ssn",))
SHOWN = {
    "asked": ["name"],
    "chosen": ["who masked"],
    "counted": ["n"],
    "cte": ["a", "b masked"],
    "customers": ["id", "name", "email masked"],
    "derived": ["e masked", "name"],
    "filtered": ["name"],
    "given": ["x masked", "y"],
    "made": ["id", "loud masked"],
    "mixed": ["word masked"],
    "nested": ["contact masked"],
    "plain": ["id", "name"],
    "renamed": ["id", "contact masked"],
    "turned": ["a masked", "b"],
    "whole": ["id", "name", "email masked"],
}


def shown(catalog: Catalog) -> dict[str, list[str]]:
    return {
        table.qualified_name: [
            f"{column.name} masked" if column.masked else column.name for column in table.columns
        ]
        for table in catalog.tables
    }


@pytest.fixture(scope="module")
def sqlite_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("views") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        for statement in SCRIPT:
            connection.execute(statement)
        connection.commit()
    return str(path)


@pytest.fixture(scope="module")
def duckdb_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("views") / "shop.duckdb"
    with duckdb.connect(path) as connection:
        for statement in SCRIPT:
            connection.execute(statement)
    return str(path)


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with postgres_database(*SCRIPT, *ONLY_IN_POSTGRES) as url:
        yield url


@pytest.fixture(scope="module")
def mysql_url() -> Iterator[str]:
    with mariadb_database(*SCRIPT) as url:
        yield url


ONLY_IN_POSTGRES = (
    "CREATE SCHEMA extra",
    "CREATE FUNCTION mail_of(number INT) RETURNS TEXT LANGUAGE sql AS"
    " 'SELECT email FROM public.customers WHERE id = number'",
    "CREATE VIEW extra.called AS SELECT id, mail_of(id) AS found FROM customers",
    "CREATE VIEW extra.rows AS SELECT c AS all_of_it, c.id FROM customers AS c",
    "CREATE MATERIALIZED VIEW extra.kept AS SELECT email, id FROM customers",
    "CREATE TABLE extra.people (id INT, email TEXT)",
    "CREATE TABLE extra.staff (badge INT) INHERITS (extra.people)",
    "INSERT INTO extra.staff VALUES (1, 'staff@secret', 7)",
    "CREATE TABLE extra.visits (day DATE, email TEXT) PARTITION BY RANGE (day)",
    "CREATE TABLE extra.visits_2025 PARTITION OF extra.visits"
    " FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')",
    "INSERT INTO extra.visits VALUES ('2025-05-05', 'visit@secret')",
)


@pytest.fixture(
    params=[
        "sqlite_url",
        "duckdb_url",
        pytest.param("postgres_url", marks=pytest.mark.service),
        pytest.param("mysql_url", marks=pytest.mark.service),
    ]
)
def url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(request.param)
    return found


@pytest.fixture
async def warehouse(url: str) -> AsyncIterator[Warehouse]:
    opened = await open_warehouse(url)
    yield opened
    await opened.close()


async def told(warehouse: Warehouse, catalog: Catalog, sql: str) -> str:
    try:
        query = Guard(catalog=catalog).check(sql, max_rows=10)
        return str((await warehouse.fetch(query, max_rows=10)).rows)
    except ToolError as error:
        return error.advice


async def test_views_show_no_more_than_the_tables_behind_them(warehouse: Warehouse):
    catalog = narrowed(traced(await warehouse.inspect()), RIGHTS)

    found = {name: columns for name, columns in shown(catalog).items() if "." not in name}
    assert found == SHOWN
    for name in found:
        answer = await told(warehouse, catalog, f"SELECT * FROM {name}")
        assert "secret" not in answer.casefold()
        assert answer.startswith("("), answer


async def test_what_is_hidden_is_not_reached_by_its_name(warehouse: Warehouse):
    catalog = narrowed(traced(await warehouse.inspect()), RIGHTS)

    for sql in ("SELECT top FROM asked", "SELECT digits FROM made", "SELECT ssn FROM whole"):
        answer = await told(warehouse, catalog, sql)
        assert not answer.startswith("("), answer


async def test_rules_about_a_view_do_not_reach_the_table(warehouse: Warehouse):
    catalog = narrowed(traced(await warehouse.inspect()), Rights(mask=("renamed.contact",)))

    with_masks = {each.name for each in catalog.tables if any(c.masked for c in each.columns)}
    assert with_masks == {"renamed", "nested"}


@pytest.mark.service
async def test_postgres_functions_rows_and_relatives(postgres_url: str):
    warehouse = await open_warehouse(postgres_url)
    inspected = traced(await warehouse.inspect())

    catalog = narrowed(inspected, RIGHTS)
    of_parent = narrowed(inspected, Rights(mask=("people.email",)))
    of_child = narrowed(inspected, Rights(mask=("staff.email",)))
    of_parts = narrowed(inspected, Rights(mask=("visits.email",)))

    extra = {name: columns for name, columns in shown(catalog).items() if "." in name}
    assert "extra.called" not in extra
    assert "all_of_it" not in extra.get("extra.rows", [])
    assert extra["extra.kept"] == ["email masked", "id"]
    for seen in (of_parent, of_child):
        assert "email masked" in shown(seen)["extra.people"]
        assert "email masked" in shown(seen)["extra.staff"]
        for table in ("people", "staff"):
            assert "secret" not in await told(warehouse, seen, f"SELECT * FROM extra.{table}")
    assert "visit@" not in await told(warehouse, of_parts, "SELECT * FROM extra.visits")
    assert "visit@" not in await told(warehouse, of_parts, "SELECT * FROM extra.visits_2025")
    await warehouse.close()


def view(definition: str, *columns: str, dialect: Dialect = Dialect.POSTGRES) -> Catalog:
    def made(*names: str) -> tuple[CatalogColumn, ...]:
        return tuple(CatalogColumn(name=each, type="text", kind=ColumnKind.TEXT) for each in names)

    return Catalog(
        dialect=dialect,
        tables=(
            CatalogTable(name="customers", columns=made("id", "email")),
            CatalogTable(name="v", columns=made(*columns), is_view=True, definition=definition),
        ),
    )


@pytest.mark.parametrize(
    "definition",
    [
        "",
        "no SQL at all (",
        "SELECT secret_of(id) AS x FROM customers",
        "SELECT x FROM read_csv('f')",
        "SELECT id, email FROM customers",
        "WITH RECURSIVE r AS (SELECT email AS x FROM customers UNION SELECT x FROM r) SELECT x"
        " FROM r",
        "SELECT a.x FROM customers AS c CROSS JOIN LATERAL (SELECT c.email AS x) AS a",
        "SELECT unknown_name AS x FROM customers",
        "SELECT * FROM elsewhere",
    ],
)
def test_a_view_of_which_nothing_can_be_told_is_not_there_under_rules(definition: str):
    catalog = traced(view(definition, "x"))

    assert shown(narrowed(catalog, Rights(mask=("customers.email",)))) == {
        "customers": ["id", "email masked"]
    }
    assert shown(narrowed(catalog, Rights(people=("ann",))))["v"] == ["x"]


def test_names_given_behind_an_alias_are_followed():
    turned = "(SELECT email, id FROM customers)"
    for around in (f"{turned} AS t (id, email)", f"({turned}) AS t (id, email)"):
        catalog = traced(view(f"SELECT t.id AS x FROM {around}", "x"))

        assert catalog.tables[1].columns[0].origins == (Origin("customers", "email"),)


def test_two_columns_that_swap_their_names_are_told_apart_from_others():
    catalog = traced(view("SELECT id AS email, email AS id, 1 AS one FROM customers", *"abc"))

    origins = [each.origins for each in catalog.tables[1].columns]
    both = (Origin("customers", "email"), Origin("customers", "id"))
    assert origins == [both, both, ()]


def test_a_rule_of_its_own_brings_such_a_view_back_with_stars():
    catalog = traced(view("", "x"))

    seen = narrowed(catalog, Rights(mask=("customers.email", "v.x")))

    assert shown(seen)["v"] == ["x masked"]


def test_a_column_of_a_table_that_is_not_in_the_catalog_keeps_its_name():
    catalog = traced(view("SELECT e.email AS x FROM hr.elsewhere AS e", "x"))

    assert catalog.tables[1].columns[0].origins == (Origin("hr.elsewhere", "email"),)
    assert shown(narrowed(catalog, Rights(mask=("*.email",))))["v"] == ["x masked"]
