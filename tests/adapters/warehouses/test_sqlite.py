from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import ClassVar

import pytest
import pytest_asyncio

from adapters.warehouses.opening import open_warehouse
from core.domain.catalog import CatalogColumn, CatalogTable, ForeignKey
from core.domain.connection import Limits
from core.domain.errors import ConnectionUnusable, QueryRejected, TemporarilyUnavailable
from core.domain.query import Dialect
from core.domain.table import ColumnKind
from core.ports.warehouse import Warehouse
from tests.conformance.warehouse import SCRIPT, WarehouseContract
from tests.conformance.warehouse_values import Value
from tests.kit.children import kill_children, kill_the_reading
from tests.kit.patience import patiently
from tests.kit.unguarded import unguarded

pytestmark = pytest.mark.asyncio(loop_scope="module")


def make_file(path: Path, *statements: str) -> Path:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


class TestSqliteWarehouse(WarehouseContract):
    values: ClassVar = {
        "decimal": Value("0.10", 0.1),
        "long decimal": None,
        "whole number": Value("9223372036854775807", 2**63 - 1),
        "date": Value("'2025-01-31'", "2025-01-31"),
        "moment": Value("'2025-01-31 12:00:00'", "2025-01-31 12:00:00"),
        "time": Value("'23:59:59'", "23:59:59"),
        "interval": None,
        "identifier": Value(
            "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
        ),
        "bytes": Value("x'00ff'", b"\x00\xff"),
        "json": Value("json('{\"a\": [1, 0.1, null]}')", '{"a":[1,0.1,null]}'),
        "true": Value("TRUE", 1),
        "infinity": Value("9e999", float("inf")),
        "minus infinity": Value("-9e999", float("-inf")),
        "not a number": Value("9e999 - 9e999", None),
        "unicode": Value("'名前 é 🧮'", "名前 é 🧮"),
        "null": Value("NULL", None),
    }

    async def cut_off(self, address: str, *, streaming: bool = False) -> None:
        await (kill_children() if streaming else kill_the_reading())

    keeps_decimals = False
    has_dates = False

    @pytest.fixture(scope="class")
    @classmethod
    def address(cls, tmp_path_factory: pytest.TempPathFactory) -> str:
        tmp_path = tmp_path_factory.mktemp("shop")
        return f"sqlite:///{make_file(tmp_path / 'shop, 100%?.sqlite', *SCRIPT)}"


@pytest.fixture(scope="module")
def odd_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_file(
        tmp_path_factory.mktemp("odd") / "odd.sqlite",
        'CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY, "the order" REAL, body TEXT)',
        'CREATE TABLE pairs (a INTEGER REFERENCES "odd ""name", b TEXT, PRIMARY KEY (a, b))'
        " WITHOUT ROWID",
        "CREATE TABLE loose (day TEXT, month TEXT, amount, active INT, twice INT AS (active * 2))",
        "INSERT INTO loose (day, month, amount, active) VALUES"
        " ('2025-01-03', '2025-01', 1.5, 1), ('2025-02-03', '2025-02', 7, 0),"
        " (NULL, NULL, NULL, 1)",
        "INSERT INTO \"odd \"\"name\" VALUES (1, 2.5, 'x'), (9007199254740993, 9e999, 'y')",
        "CREATE VIRTUAL TABLE words USING fts5(body)",
        "INSERT INTO words VALUES ('hello world')",
        "CREATE VIEW broken AS SELECT * FROM gone",
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def odd(odd_file: Path) -> AsyncIterator[Warehouse]:
    warehouse = await open_warehouse(str(odd_file))
    yield warehouse
    await warehouse.close()


async def test_lists_what_can_be_read_and_leaves_out_shadows_and_broken_views(odd: Warehouse):
    catalog = await odd.inspect()

    assert [table.name for table in catalog.tables] == ["loose", 'odd "name', "pairs", "words"]
    assert [table.row_estimate for table in catalog.tables] == [3, 2, 0, 1]


async def test_names_the_columns_that_a_short_foreign_key_points_at(odd: Warehouse):
    pairs = (await odd.inspect()).table("pairs")

    assert pairs is not None
    assert pairs.primary_key == ("a", "b")
    assert pairs.foreign_keys == (
        ForeignKey(columns=("a",), to_table='odd "name', to_columns=("id",)),
    )


async def test_judges_columns_without_a_type_by_what_they_hold(odd: Warehouse):
    loose = (await odd.inspect()).table("loose")

    assert loose is not None
    assert {column.name: column.kind for column in loose.columns} == {
        "day": ColumnKind.TIME,
        "month": ColumnKind.TIME,
        "amount": ColumnKind.MEASURE,
        "active": ColumnKind.DIMENSION,
        "twice": ColumnKind.MEASURE,
    }
    assert loose.column("active") == CatalogColumn(
        name="active", type="INT", kind=ColumnKind.DIMENSION, values=("0", "1")
    )


async def test_keeps_whole_numbers_infinity_bytes_and_long_text_exact(odd: Warehouse):
    table = await odd.fetch(
        unguarded(
            "SELECT MAX(id), MAX(\"the order\"), x'00ff', replace(hex(zeroblob(2000)), '0', 'é')"
            ' FROM "odd ""name"',
            Dialect.SQLITE,
        ),
        max_rows=1,
    )

    assert table.rows == ((9007199254740993, float("inf"), b"\x00\xff", "é" * 4000),)


async def test_reads_text_that_is_no_utf_8(tmp_path: Path):
    path = make_file(
        tmp_path / "latin.db", "CREATE TABLE t AS SELECT CAST(x'636166e9' AS TEXT) AS name"
    )
    warehouse = await open_warehouse(str(path))
    query = unguarded("SELECT name FROM t", Dialect.SQLITE)

    await warehouse.inspect()
    table = await warehouse.fetch(query, max_rows=1)

    assert table.rows == (("caf\N{REPLACEMENT CHARACTER}",),)
    await warehouse.close()


async def test_searches_full_text_and_json(odd: Warehouse):
    sql = (
        "SELECT w.body, j.value, json_extract('{\"a\":3}', '$.a'), '{\"a\":4}' ->> 'a'"
        " FROM words AS w, json_each('[1,2]') AS j WHERE w.body MATCH 'hello' ORDER BY j.value"
    )

    table = await odd.fetch(unguarded(sql, Dialect.SQLITE), max_rows=9)

    assert table.rows == (("hello world", 1, 3, 4), ("hello world", 2, 3, 4))


@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH DATABASE 'other.db' AS other",
        "PRAGMA query_only = 0",
        "PRAGMA journal_mode = DELETE",
        "SELECT * FROM pragma_database_list",
        "SELECT load_extension('evil')",
        "SELECT 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' REGEXP '(a+)+$'",
        "SELECT fts3_tokenizer('simple')",
        "CREATE TEMP TABLE mine (n INTEGER)",
        "UPDATE sqlite_master SET sql = ''",
        "VACUUM INTO 'copy.db'",
        "BEGIN",
        "SELECT randomblob(1000000000)",
        "SELECT zeroblob(1000000000)",
    ],
)
async def test_refuses_what_reaches_beyond_reading(odd: Warehouse, sql: str):
    with pytest.raises(QueryRejected):
        await odd.fetch(unguarded(sql, Dialect.SQLITE), max_rows=1)


@pytest.mark.parametrize(
    "bomb",
    [
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT COUNT(*) FROM c",
        "SELECT length(printf('%.*c', 2000000000, 'x'))",
    ],
)
async def test_ends_a_bomb_and_answers_the_next_question(odd_file: Path, bomb: str):
    hurried = await open_warehouse(str(odd_file), limits=Limits(seconds=0.5))
    honest = unguarded("SELECT 2", Dialect.SQLITE)

    with pytest.raises(TemporarilyUnavailable, match=r"0\.5 seconds"):
        await hurried.fetch(unguarded(bomb, Dialect.SQLITE), max_rows=1)

    assert (await patiently(lambda: hurried.fetch(honest, max_rows=1))).rows == ((2,),)
    await hurried.close()


@pytest.fixture
def locked(odd_file: Path) -> Iterator[Path]:
    holder = sqlite3.connect(odd_file)
    holder.execute("BEGIN EXCLUSIVE")
    yield odd_file
    holder.rollback()
    holder.close()


async def test_says_that_another_program_holds_the_file(locked: Path):
    warehouse = await open_warehouse(str(locked))

    with pytest.raises(ConnectionUnusable, match="locked by another program"):
        await warehouse.inspect()
    with pytest.raises(TemporarilyUnavailable, match="locked"):
        await warehouse.fetch(unguarded("SELECT * FROM loose", Dialect.SQLITE), max_rows=1)
    await warehouse.close()


async def test_reads_a_file_that_somebody_else_writes_to(tmp_path: Path):
    path = make_file(tmp_path / "busy.sqlite", "CREATE TABLE loose AS SELECT 1 AS amount")
    warehouse = await open_warehouse(str(path))
    await warehouse.inspect()
    make_file(path, "INSERT INTO loose (amount) VALUES (99)")

    table = await warehouse.fetch(
        unguarded("SELECT MAX(amount) FROM loose", Dialect.SQLITE), max_rows=1
    )

    assert table.rows == ((99,),)
    await warehouse.close()


async def test_a_table_that_somebody_else_drops_is_missed(tmp_path: Path):
    path = make_file(tmp_path / "busy.sqlite", "CREATE TABLE loose (n)", "CREATE TABLE other (n)")
    warehouse = await open_warehouse(str(path))
    await warehouse.inspect()
    make_file(path, "DROP TABLE loose")

    with pytest.raises(QueryRejected, match="no such table: loose"):
        await warehouse.fetch(unguarded("SELECT n FROM loose", Dialect.SQLITE), max_rows=1)
    assert (
        await warehouse.fetch(unguarded("SELECT n FROM other", Dialect.SQLITE), max_rows=1)
    ).rows == ()
    await warehouse.close()


async def test_a_recursive_query_has_no_known_cost(odd: Warehouse):
    query = unguarded(
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9)"
        " SELECT * FROM c",
        Dialect.SQLITE,
    )

    estimate = await odd.estimate(query)

    assert estimate.confidence == "unknown"
    assert estimate.rows is None


async def test_a_table_without_a_name_of_its_own_is_no_table(odd: Warehouse):
    catalog = await odd.inspect()

    assert isinstance(catalog.table('ODD "NAME'), CatalogTable)
    assert catalog.table("words_data") is None
