from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import ClassVar
from uuid import UUID

import duckdb
import pytest
import pytest_asyncio

from adapters.warehouses.opening import open_warehouse
from core.domain.catalog import ForeignKey
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
    with duckdb.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


class TestDuckDBWarehouse(WarehouseContract):
    values: ClassVar = {
        "decimal": Value("0.10::DECIMAL(4, 2)", Decimal("0.10")),
        "long decimal": Value(
            "1234567890123456789012345678.0123456789::DECIMAL(38, 10)",
            Decimal("1234567890123456789012345678.0123456789"),
        ),
        "whole number": Value("170141183460469231731687303715884105727::HUGEINT", 2**127 - 1),
        "date": Value("DATE '2025-01-31'", date(2025, 1, 31)),
        "moment": Value("TIMESTAMPTZ '2025-01-31 12:00+02'", datetime(2025, 1, 31, 10, tzinfo=UTC)),
        "time": Value("TIME '23:59:59.5'", time(23, 59, 59, 500_000)),
        "interval": Value("INTERVAL '1 day 2 hours'", timedelta(days=1, hours=2)),
        "identifier": Value(
            "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID",
            UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        ),
        "bytes": Value("'\\x00\\xFF'::BLOB", b"\x00\xff"),
        "json": Value("'{\"a\": [1, 0.1, null]}'::JSON", '{"a": [1, 0.1, null]}'),
        "true": Value("TRUE", cell=True),
        "infinity": Value("'inf'::DOUBLE", float("inf")),
        "minus infinity": Value("'-inf'::DOUBLE", float("-inf")),
        "not a number": Value("'nan'::DOUBLE", float("nan")),
        "unicode": Value("'名前 é 🧮'", "名前 é 🧮"),
        "null": Value("NULL", None),
    }

    async def cut_off(self, address: str, *, streaming: bool = False) -> None:
        await (kill_children() if streaming else kill_the_reading())

    @pytest.fixture(scope="class")
    @classmethod
    def address(cls, tmp_path_factory: pytest.TempPathFactory) -> str:
        tmp_path = tmp_path_factory.mktemp("shop")
        return f"duckdb:///{make_file(tmp_path / 'shop.db', *SCRIPT)}"


@pytest.fixture(scope="module")
def rich_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_file(
        tmp_path_factory.mktemp("rich") / "rich.duckdb",
        "CREATE TYPE mood AS ENUM ('calm', 'wild')",
        "CREATE TABLE moments (feels mood, seen TIMESTAMPTZ, at_night TIME, lasted INTERVAL,"
        " id UUID, raw BLOB, tags VARCHAR[], extra STRUCT(k INTEGER), pairs MAP(VARCHAR, INTEGER),"
        " big HUGEINT, exact DECIMAL(38, 10), odd DOUBLE, fine BOOLEAN, day DATE)",
        "INSERT INTO moments VALUES ('wild', '2025-01-01 12:00:00+02', '23:59:59',"
        " INTERVAL '1 day 2 hours', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00\\xFF'::BLOB,"
        " ['a', 'b'], {'k': 1}, MAP {'x': 1}, 170141183460469231731687303715884105727,"
        " 1234567890123456789012345678.0123456789, 'NaN', true, '2025-01-01')",
        "CREATE SCHEMA sales",
        "CREATE TABLE sales.regions (code VARCHAR PRIMARY KEY, label VARCHAR NOT NULL)",
        "CREATE TABLE sales.visits (region VARCHAR REFERENCES sales.regions (code), n INTEGER)",
        "COMMENT ON TABLE sales.regions IS 'Where we sell'",
        "COMMENT ON COLUMN sales.regions.label IS 'As printed'",
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def rich(rich_file: Path) -> AsyncIterator[Warehouse]:
    warehouse = await open_warehouse(str(rich_file))
    yield warehouse
    await warehouse.close()


async def test_keeps_every_type_of_cell_exact(rich: Warehouse):
    table = await rich.fetch(unguarded("SELECT * FROM moments", Dialect.DUCKDB), max_rows=1)

    [cells] = table.rows
    row = dict(zip(table.names, cells, strict=True))
    assert str(row.pop("odd")) == "nan"
    assert row == {
        "feels": "wild",
        "seen": datetime(2025, 1, 1, 10, tzinfo=UTC),
        "at_night": time(23, 59, 59),
        "lasted": timedelta(days=1, hours=2),
        "id": UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        "raw": b"\x00\xff",
        "tags": ["a", "b"],
        "extra": {"k": 1},
        "pairs": {"x": 1},
        "big": 2**127 - 1,
        "exact": Decimal("1234567890123456789012345678.0123456789"),
        "fine": True,
        "day": date(2025, 1, 1),
    }


async def test_judges_columns_by_their_types(rich: Warehouse):
    moments = (await rich.inspect()).table("moments")

    assert moments is not None
    assert {column.name: column.kind for column in moments.columns} == {
        "feels": ColumnKind.DIMENSION,
        "seen": ColumnKind.TIME,
        "at_night": ColumnKind.DIMENSION,
        "lasted": ColumnKind.MEASURE,
        "id": ColumnKind.DIMENSION,
        "raw": ColumnKind.TEXT,
        "tags": ColumnKind.TEXT,
        "extra": ColumnKind.TEXT,
        "pairs": ColumnKind.TEXT,
        "big": ColumnKind.MEASURE,
        "exact": ColumnKind.MEASURE,
        "odd": ColumnKind.MEASURE,
        "fine": ColumnKind.DIMENSION,
        "day": ColumnKind.TIME,
    }


async def test_knows_schemas_comments_and_keys(rich: Warehouse):
    catalog = await rich.inspect()

    regions, visits = catalog.table("sales.regions"), catalog.table("sales.visits")
    assert regions is not None
    assert visits is not None
    assert regions.comment == "Where we sell"
    assert [column.comment for column in regions.columns] == ["", "As printed"]
    assert visits.foreign_keys == (
        ForeignKey(
            columns=("region",), to_table="regions", to_columns=("code",), to_schema="sales"
        ),
    )


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM '/etc/hostname'",
        "SELECT * FROM read_csv('https://example.com/a.csv')",
        "COPY (SELECT 1) TO '/tmp/stolen.csv'",
        "ATTACH '/tmp/other.duckdb'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET memory_limit = '100GB'",
        "SET VARIABLE mine = 1",
        "PRAGMA enable_external_access",
        "CREATE TEMP TABLE mine (n INTEGER)",
        "EXPLAIN ANALYZE SELECT 1",
        "SELECT * FROM connection",
        "SELECT * FROM settings",
        "SELECT 1; SELECT 2",
        "",
    ],
)
async def test_refuses_what_reaches_beyond_reading(rich: Warehouse, sql: str):
    with pytest.raises(QueryRejected):
        await rich.fetch(unguarded(sql, Dialect.DUCKDB), max_rows=1)


@pytest.mark.parametrize(
    "bomb",
    [
        "SELECT COUNT(*) FROM range(10000000) AS a, range(10000000) AS b"
        " WHERE a.range * b.range % 1000003 = 7",
        "SELECT length(list_aggregate(range(200000000), 'string_agg', ','))",
    ],
)
async def test_ends_a_bomb_and_answers_the_next_question(rich_file: Path, bomb: str):
    hurried = await open_warehouse(str(rich_file), limits=Limits(seconds=0.5))
    honest = unguarded("SELECT 2", Dialect.DUCKDB)

    with pytest.raises((TemporarilyUnavailable, QueryRejected)):
        await hurried.fetch(unguarded(bomb, Dialect.DUCKDB), max_rows=1)

    assert (await patiently(lambda: hurried.fetch(honest, max_rows=1))).rows == ((2,),)
    await hurried.close()


async def test_says_what_is_wrong_with_a_file(tmp_path: Path):
    (tmp_path / "wrong.duckdb").write_text("This is no database.")
    wrong = await open_warehouse(str(tmp_path / "wrong.duckdb"))
    empty = await open_warehouse(str(make_file(tmp_path / "empty.duckdb")))

    with pytest.raises(ConnectionUnusable, match="is no DuckDB database"):
        await wrong.inspect()
    with pytest.raises(ConnectionUnusable, match="has no tables"):
        await empty.inspect()

    await wrong.close()
    await empty.close()


async def test_says_that_another_program_writes_to_the_file(tmp_path: Path):
    path = make_file(tmp_path / "busy.duckdb", "CREATE TABLE t AS SELECT 1 AS n")
    warehouse = await open_warehouse(str(path))
    with (
        duckdb.connect(path),
        pytest.raises(ConnectionUnusable, match="open for writing in another program"),
    ):
        await warehouse.inspect()

    assert (await warehouse.inspect()).table("t") is not None
    await warehouse.close()


async def test_a_recursive_query_has_no_known_cost(rich: Warehouse):
    query = unguarded(
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9)"
        " SELECT * FROM c",
        Dialect.DUCKDB,
    )

    assert (await rich.estimate(query)).confidence == "unknown"
