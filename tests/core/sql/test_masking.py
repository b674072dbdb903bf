"""Tries to get at what is hidden or masked, on real engines: nothing of it may ever come back."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.warehouses.opening import open_warehouse
from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.connection import Connection
from core.domain.errors import ApprovalNeeded, ToolError
from core.domain.ids import ConnectionName
from core.domain.query import Dialect
from core.domain.rights import Rights, narrowed
from core.domain.table import ColumnKind, Table
from core.ports.warehouse import Warehouse
from core.sql.gateway import QueryGateway
from core.sql.guard import Guard
from tests.kit.servers import postgres_database
from tests.kit.trail import trail

# The doors are opened once a module, and belong to its loop.
in_one_loop = pytest.mark.asyncio(loop_scope="module")
FOLDER = Path(__file__).parent
SCRIPT = (
    "CREATE TABLE customers (id INTEGER, email VARCHAR(99), country VARCHAR(9), ssn VARCHAR(99),"
    " salary INTEGER)",
    "INSERT INTO customers VALUES (1, 'zoe@secret', 'ES', 'secret-9', 7654301),"
    " (2, 'bob@secret', 'DE', 'secret-1', 7654399), (3, NULL, 'ES', 'secret-5', NULL),"
    " (4, 'ann@secret', 'FR', 'secret-3', 7654350)",
    "CREATE TABLE orders (id INTEGER, customer_id INTEGER, amount INTEGER, email VARCHAR(99))",
    "INSERT INTO orders VALUES (1, 1, 10, 'zoe@secret'), (2, 2, 20, 'bob@secret'),"
    " (3, 4, 30, 'ann@secret'), (4, 1, 40, 'zoe@secret')",
    "CREATE TABLE codes (code VARCHAR(99))",
    "INSERT INTO codes VALUES ('secret-code')",
    "CREATE TABLE places (country VARCHAR(9), name VARCHAR(9))",
    "INSERT INTO places VALUES ('ES', 'Spain'), ('DE', 'Germany'), ('FR', 'France')",
)
RIGHTS = Rights(hide=("customers.ssn", "codes.*"), mask=("*.email", "customers.salary"))
SECRETS = ("@secret", "secret-", "76543", "zoe", "bob", "ann@")
ENGINES = ("sqlite", "duckdb", pytest.param("postgres", marks=pytest.mark.service))


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("masking")
    with closing(sqlite3.connect(folder / "shop.sqlite")) as database:
        database.executescript(";".join(SCRIPT))
        database.commit()
    with duckdb.connect(str(folder / "shop.duckdb")) as database:
        database.execute(";".join(SCRIPT))
    return {"sqlite": str(folder / "shop.sqlite"), "duckdb": str(folder / "shop.duckdb")}


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with postgres_database(*SCRIPT) as url:
        yield url


@pytest.fixture(params=ENGINES, scope="module")
def url(request: pytest.FixtureRequest, urls: dict[str, str]) -> str:
    if request.param == "postgres":
        found: str = request.getfixturevalue("postgres_url")
        return found
    return urls[request.param]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def door(url: str) -> AsyncIterator[QueryGateway]:
    warehouse = await open_warehouse(url)
    yield await opened(warehouse)
    await warehouse.close()


async def opened(warehouse: Warehouse, rights: Rights = RIGHTS) -> QueryGateway:
    return QueryGateway(
        warehouse=warehouse,
        guard=Guard(catalog=narrowed(await warehouse.inspect(), rights)),
        connection=Connection(name=ConnectionName("shop"), dialect=warehouse.dialect),
        audit=trail(),
    )


async def told(door: QueryGateway, sql: str) -> str:
    """Return everything that a statement gives away: its cells, or why there are none."""
    try:
        table = await door.fetch(sql)
    except ApprovalNeeded as needed:
        return await told(door.for_call(needed.approval), sql)
    except ToolError as error:
        return f"refused: {error.advice}"
    return repr(table.rows)


async def cells(door: QueryGateway, sql: str) -> list[tuple[object, ...]]:
    table: Table = await door.fetch(sql)
    return [tuple(row) for row in table.rows]


@in_one_loop
async def test_visible_columns_are_as_they_are(door: QueryGateway):
    rows = await cells(door, "SELECT id, country FROM customers ORDER BY id")

    assert rows == [(1, "ES"), (2, "DE"), (3, "ES"), (4, "FR")]


@in_one_loop
async def test_a_star_shows_what_may_be_seen(door: QueryGateway):
    table = await door.fetch("SELECT * FROM customers ORDER BY id")

    assert table.names == ("id", "email", "country", "salary")
    assert [tuple(row) for row in table.rows] == [
        (1, "***", "ES", "***"),
        (2, "***", "DE", "***"),
        (3, None, "ES", None),
        (4, "***", "FR", "***"),
    ]


@in_one_loop
async def test_joins_groups_and_sums_of_visible_columns_are_right(door: QueryGateway):
    rows = await cells(
        door,
        "WITH spent AS (SELECT customer_id, SUM(amount) AS total FROM orders GROUP BY customer_id)"
        " SELECT p.name, SUM(s.total) FROM customers AS c JOIN spent AS s ON s.customer_id = c.id"
        " JOIN places p ON p.country = c.country GROUP BY p.name ORDER BY 1",
    )

    assert [(name, int(str(total))) for name, total in rows] == [
        ("France", 30),
        ("Germany", 20),
        ("Spain", 50),
    ]


@in_one_loop
async def test_values_of_a_masked_column_can_be_counted(door: QueryGateway):
    rows = await cells(
        door, "SELECT COUNT(email), COUNT(*) FROM customers WHERE salary IS NOT NULL"
    )

    assert rows == [(3, 3)]


@in_one_loop
async def test_a_masked_column_gives_no_order(door: QueryGateway):
    up = await cells(door, "SELECT id FROM customers WHERE email IS NOT NULL ORDER BY salary, id")
    down = await cells(
        door, "SELECT id FROM customers WHERE email IS NOT NULL ORDER BY salary DESC, id"
    )

    assert up == down == [(1,), (2,), (4,)]


@in_one_loop
async def test_what_ran_can_run_again(door: QueryGateway):
    await door.fetch("SELECT c.email, country FROM customers AS c ORDER BY country")

    await door.fetch(door.executed[-1].sql)

    assert door.executed[-1].sql == door.executed[-2].sql


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM customers WHERE email = 'zoe@secret'",
        "SELECT id FROM customers AS c WHERE c.email LIKE 'z%'",
        "SELECT email, COUNT(*) FROM customers GROUP BY email",
        "SELECT COUNT(DISTINCT email) FROM customers",
        "SELECT SUM(salary) FROM customers",
        "SELECT UPPER(email) FROM customers",
        "SELECT o.id FROM customers AS c JOIN orders AS o ON o.email = c.email",
        "SELECT 1 FROM customers JOIN orders USING (email)",
        "SELECT 1 FROM customers NATURAL JOIN orders",
        "SELECT id FROM customers WHERE salary > 7654321",
        "SELECT id FROM customers ORDER BY LENGTH(email)",
        "SELECT (SELECT COUNT(*) FROM orders AS o WHERE o.id < c.salary) FROM customers AS c",
        "SELECT CASE WHEN email > 'm' THEN 1 ELSE 0 END FROM customers",
        "SELECT ROW_NUMBER() OVER (ORDER BY salary) FROM customers",
        "SELECT id FROM customers ORDER BY salary DESC LIMIT 1",
        "SELECT id, salary AS s FROM customers ORDER BY s DESC LIMIT 1",
        "SELECT id, salary FROM customers ORDER BY 2 DESC LIMIT 1",
        "SELECT AVG(s) FROM (SELECT salary AS s FROM customers) AS t",
        "SELECT s - 7000000 FROM (SELECT c.salary AS s FROM customers AS c) AS t",
        "WITH t AS (SELECT id, email AS e FROM customers) SELECT id FROM t WHERE e LIKE 'z%'",
        "WITH t (a, b) AS (SELECT id, email FROM customers) SELECT MAX(x.b) FROM t AS x",
        "WITH t AS (SELECT * FROM customers), u AS (SELECT t.* FROM t) SELECT SUM(salary) FROM u",
        "SELECT COUNT(*) FROM (SELECT * FROM customers) AS t GROUP BY email",
        "SELECT v FROM (SELECT salary FROM customers) AS t (v) WHERE v > '1'",
        "SELECT a.id FROM (SELECT id, email AS e FROM customers) AS a"
        " JOIN (SELECT id, email AS e FROM orders) AS b ON a.e = b.e",
        "SELECT 1 FROM (SELECT email FROM customers) AS a JOIN orders USING (email)",
        "SELECT UPPER(e) FROM (SELECT country AS e FROM places"
        " UNION ALL SELECT email FROM customers) AS t",
        "SELECT (SELECT MAX(country) FROM places) = (SELECT email FROM customers WHERE id = 1)",
        "SELECT 'zoe@secret' IN (SELECT email FROM customers)",
        "SELECT id FROM places, customers WHERE 'x' = (SELECT c.email FROM customers c LIMIT 1)",
        "SELECT email FROM customers INTERSECT SELECT email FROM orders",
        "SELECT email FROM customers EXCEPT SELECT email FROM orders",
        "SELECT DISTINCT email FROM customers",
        "SELECT RANK() OVER (ORDER BY e) FROM (SELECT email AS e FROM customers) AS t",
        "SELECT x.e || '' FROM (customers AS c JOIN (SELECT id, email AS e FROM orders) AS x"
        " ON x.id = c.id)",
    ],
)
@in_one_loop
async def test_what_would_be_wrong_with_stars_is_refused_in_words(door: QueryGateway, sql: str):
    assert "is masked here" in await told(door, sql)


@pytest.mark.parametrize(
    ("sql", "shown"),
    [
        ("SELECT e FROM (SELECT id, email AS e FROM customers) AS t ORDER BY id", "***"),
        ("WITH t AS (SELECT email AS e, country FROM customers) SELECT MAX(country) FROM t", "FR"),
        ("SELECT COUNT(e) FROM (SELECT email AS e FROM customers) AS t", 3),
        ("SELECT COUNT(*) FROM (SELECT * FROM customers) AS t WHERE email IS NULL", 1),
        ("SELECT MAX(email) FROM (SELECT country AS email FROM customers) AS t", "FR"),
        ("WITH t (a, b) AS (SELECT email, country FROM customers) SELECT MAX(b) FROM t", "FR"),
        (
            "SELECT c.country FROM customers AS c WHERE EXISTS (SELECT o.email FROM orders AS o"
            " WHERE o.customer_id = c.id) ORDER BY c.id LIMIT 1",
            "ES",
        ),
        ("SELECT email FROM orders UNION ALL SELECT name FROM places", "***"),
    ],
)
@in_one_loop
async def test_what_stars_do_not_make_wrong_is_answered(
    door: QueryGateway, sql: str, shown: object
):
    assert (await cells(door, sql))[0][0] == shown


TRIES = (FOLDER / "masking_tries.sql").read_text(encoding="utf-8").splitlines()


def leaks(sql: str, given_away: str) -> list[str]:
    """Return what of the secrets was told; words that the statement itself brought do not count."""
    for literal in re.findall(r"'([^']+)'", sql):
        given_away = given_away.replace(literal, "")
    return [secret for secret in SECRETS if secret in given_away]


@in_one_loop
async def test_no_spelling_gets_at_a_hidden_or_masked_value(door: QueryGateway):
    answers = {sql: await told(door, sql) for sql in TRIES}

    assert not {sql: told for sql, told in answers.items() if leaks(sql, told)}
    assert sum(not each.startswith("refused") for each in answers.values()) >= 25


PROBES = (FOLDER / "masking_probes.sql").read_text(encoding="utf-8").splitlines()


async def outcome(door: QueryGateway, sql: str) -> str:
    given_away = await told(door, sql)
    return "refused" if given_away.startswith("refused") else given_away


@pytest.mark.parametrize("right", ["zoe@secret", "secret-9", "secret-code", "z", "s"])
@in_one_loop
async def test_a_right_guess_and_a_wrong_one_give_the_same(door: QueryGateway, right: str):
    guesses = [
        (probe, await outcome(door, probe.format(right)), await outcome(door, probe.format("~")))
        for probe in PROBES
    ]

    assert not [probe for probe, hit, miss in guesses if hit != miss]


NAMES = st.sampled_from(
    ["email", "c.email", "salary", "c.salary", "ssn", "c.ssn", "id", "c.id", "country", '"email"']
)
VALUES = st.recursive(
    NAMES,
    lambda inner: st.one_of(
        st.builds("UPPER({})".format, inner),
        st.builds("MAX({})".format, inner),
        st.builds("COUNT({})".format, inner),
        st.builds("(SELECT {})".format, inner),
        st.builds("COALESCE({}, {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
        st.builds("CASE WHEN {} IS NULL THEN 'none' ELSE {} END".format, inner, inner),
        st.builds("CAST({} AS TEXT)".format, inner),
        st.builds("json_array({}, {})".format, inner, inner),
        st.builds("FIRST_VALUE({}) OVER (ORDER BY id)".format, inner),
    ),
    max_leaves=3,
)
SOURCES = st.recursive(
    st.sampled_from(["customers AS c", "customers c", "main.customers AS c", "customers"]),
    lambda inner: st.one_of(
        st.builds("(SELECT * FROM {}) AS c".format, inner),
        st.builds("(SELECT c.* FROM {}) AS c".format, inner),
        st.builds("(SELECT id, {} AS email, country FROM {}) AS c".format, VALUES, inner),
        st.builds("{} JOIN orders AS o ON o.customer_id = c.id".format, inner),
        st.builds("{}, (SELECT {} AS other FROM customers AS c) AS d".format, inner, VALUES),
    ),
    max_leaves=3,
)
SELECTS = st.one_of(
    st.builds("SELECT {} FROM {}".format, VALUES, SOURCES),
    st.builds("SELECT {}, * FROM {}".format, VALUES, SOURCES),
    st.builds("SELECT {0} FROM {1} WHERE {2} IS NOT NULL".format, VALUES, SOURCES, VALUES),
    st.builds("SELECT {0} FROM {1} GROUP BY {2}".format, VALUES, SOURCES, VALUES),
    st.builds("SELECT {0} FROM {1} ORDER BY {2}".format, VALUES, SOURCES, VALUES),
)
STATEMENTS = st.one_of(
    SELECTS,
    st.builds("WITH t (v) AS ({}) SELECT * FROM t AS a, t AS b".format, SELECTS),
    st.builds("WITH t AS ({}) SELECT MAX(t.email), MIN(t.email) FROM t".format, SELECTS),
    st.builds("{} UNION SELECT name FROM places".format, SELECTS),
    st.builds("SELECT v FROM (SELECT * FROM ({}) AS x) AS y (v)".format, SELECTS),
)


@pytest.fixture(scope="module")
def database() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as opened_here:
        opened_here.executescript(";".join(SCRIPT))
        yield opened_here


def table_of(name: str, *columns: str) -> CatalogTable:
    kinds = [CatalogColumn(name=each, type="TEXT", kind=ColumnKind.DIMENSION) for each in columns]
    return CatalogTable(name=name, columns=tuple(kinds))


CATALOG = Catalog(
    dialect=Dialect.SQLITE,
    tables=(
        table_of("codes", "code"),
        table_of("customers", "id", "email", "country", "ssn", "salary"),
        table_of("orders", "id", "customer_id", "amount", "email"),
        table_of("places", "country", "name"),
    ),
)
GUARD = Guard(catalog=narrowed(CATALOG, RIGHTS))


@settings(max_examples=400, deadline=None)
@given(sql=STATEMENTS)
def test_no_combination_gets_at_a_hidden_or_masked_value(database: sqlite3.Connection, sql: str):
    verdict = GUARD.judge(sql)

    given_away = ""
    if verdict.allowed:
        try:
            given_away = repr(database.execute(verdict.sql).fetchall())
        except sqlite3.Error as error:
            given_away = str(error)

    assert not leaks(sql, given_away)


TWINS = Catalog(
    dialect=Dialect.POSTGRES,
    tables=(
        table_of("Codes", "code"),
        table_of("codes", "code"),
    ),
)


@pytest.mark.parametrize(
    ("sql", "may"),
    [
        ("SELECT * FROM codes", True),
        ("SELECT * FROM CODES", True),
        ('SELECT * FROM "codes"', True),
        ("SELECT * FROM public.codes", True),
        ('SELECT * FROM "Codes"', False),
        ('SELECT * FROM public."Codes"', False),
        ('SELECT * FROM "Public".codes', False),
    ],
)
def test_a_hidden_table_is_not_read_by_the_name_of_its_twin(sql: str, *, may: bool):
    guard = Guard(catalog=replace(TWINS, tables=TWINS.tables[1:], narrowed=True))

    assert guard.judge(sql).allowed is may
