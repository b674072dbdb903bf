"""The contract against the real engine, embedded, through the real driver; no server is needed."""

from __future__ import annotations

import math
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, ClassVar
from uuid import UUID

import pytest
import pytest_asyncio

from adapters.warehouses.clickhouse.engine import ClickHouseEngine
from adapters.warehouses.clickhouse.warehouse import ways
from adapters.warehouses.threads.warehouse import ThreadWarehouse
from core.domain.connection import Limits
from core.domain.errors import QueryRejected
from core.domain.query import Ceiling
from core.ports.warehouse import Warehouse
from tests.conformance.warehouse import SCRIPT, WarehouseContract
from tests.conformance.warehouse_values import Value
from tests.kit.unguarded import unguarded

pytest.importorskip("chdb", reason="the embedded ClickHouse is missing: pip install chdb")
driver: Any = pytest.importorskip("clickhouse_connect", reason="resona[clickhouse] is missing")

_NULLABLE = re.compile(r"(?<= )((?:VARCHAR|DECIMAL)\([\d, ]+\)|DATE)(?=[,)])")


def as_clickhouse(statement: str) -> str:
    """Write the contract's tables as ClickHouse does: with an engine, NULL only where said."""
    if not statement.startswith("CREATE TABLE"):
        return statement
    columns = re.sub(r", (PRIMARY|FOREIGN) KEY.*", ")", statement)
    order = "n" if "numbers" in statement else "id"
    return _NULLABLE.sub(r"Nullable(\1)", columns) + f" ENGINE = MergeTree ORDER BY {order}"


@dataclass(frozen=True)
class Place:
    """Where an embedded database is; it is one for each process."""

    path: str

    def client(self) -> Any:
        return driver.get_client(interface="chdb", path=self.path, database="shop")

    def open(self, limits: Limits | None = None) -> ThreadWarehouse:
        engine = ClickHouseEngine(self.client, driver.driver.exceptions.ClickHouseError)
        return ThreadWarehouse("clickhouse://here/shop", ways(engine), engine, limits or Limits())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    path = tmp_path_factory.mktemp("clickhouse")
    client = driver.get_client(interface="chdb", path=str(path))
    client.command("CREATE DATABASE shop")
    client.command("USE shop")
    for statement in SCRIPT:
        client.command(as_clickhouse(statement))
    yield Place(str(path))
    client.close()


class TestClickHouse(WarehouseContract):
    values: ClassVar = {
        "decimal": Value("toDecimal32('12.50', 2)", Decimal("12.50")),
        "long decimal": Value(
            "toDecimal128('12345678901234567890.123456789', 9)",
            Decimal("12345678901234567890.123456789"),
        ),
        "whole number": Value("toInt64('9223372036854775807')", 9223372036854775807),
        "date": Value("toDate('2025-01-03')", date(2025, 1, 3)),
        # Its driver leaves UTC out.
        "moment": Value(
            "toDateTime64('2025-01-03 10:00:00.5', 3, 'UTC')",
            datetime(2025, 1, 3, 10, microsecond=500_000, tzinfo=UTC).replace(tzinfo=None),
        ),
        "time": None,
        "interval": None,
        "identifier": Value(
            "toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')",
            UUID("61f0c404-5cb3-11e7-907b-a6006ad3dba0"),
        ),
        "bytes": None,
        "json": None,
        "true": Value("true", cell=True),
        "infinity": Value("inf", math.inf),
        "minus infinity": Value("-inf", -math.inf),
        "not a number": Value("nan", math.nan),
        "unicode": Value("'naïve 日本 🎉'", "naïve 日本 🎉"),
        "null": Value("NULL", None),
    }
    has_keys = False
    duplicates = ("id", "b.id", "id_2")

    async def test_a_connection_that_is_lost_in_mid_query_is_told_and_replaced(
        self, warehouse: Warehouse, address: str
    ):
        pytest.skip("the embedded engine has no connection that could be lost")

    async def test_a_stream_that_is_cut_off_ends_in_an_error(
        self, warehouse: Warehouse, address: str
    ):
        pytest.skip("the embedded engine has no connection that could be lost")

    @pytest.fixture(scope="class")
    @classmethod
    def address(cls, place: Place) -> str:
        return place.path

    @pytest_asyncio.fixture(scope="class", loop_scope="class")
    @classmethod
    async def warehouse(cls, address: str) -> AsyncIterator[Warehouse]:
        # The embedded engine lets no query be killed: what was cancelled ends by its own limit.
        warehouse = Place(address).open(Limits(seconds=4))
        yield warehouse
        await warehouse.close()

    @pytest_asyncio.fixture(scope="class", loop_scope="class")
    @classmethod
    async def hurried(cls, address: str) -> AsyncIterator[Warehouse]:
        warehouse = Place(address).open(Limits(seconds=0.5, result_bytes=20_000))
        yield warehouse
        await warehouse.close()


async def test_a_query_that_reads_more_than_it_may_is_ended(place: Place):
    warehouse = place.open()
    query = unguarded("SELECT label FROM numbers WHERE n % 7 = 0", warehouse.dialect)

    with pytest.raises(QueryRejected, match="TOO_MANY_ROWS"):
        await warehouse.fetch(query, max_rows=10, ceiling=Ceiling(rows=1_000))
    with pytest.raises(QueryRejected, match="TOO_MANY_BYTES"):
        await warehouse.fetch(query, max_rows=10, ceiling=Ceiling(bytes=1_000))
    assert len((await warehouse.fetch(query, max_rows=10)).rows) == 10
    await warehouse.close()


async def test_every_kind_of_value_arrives(place: Place):
    warehouse = place.open()
    query = unguarded(
        "SELECT toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0') AS u, [1, 2] AS a, (1, 'x') AS t,"
        " map('k', 1.5) AS m, toInt128(2) AS i,"
        " toLowCardinality('low') AS l, CAST('a', 'Enum8(\\'a\\' = 1)') AS e, true AS b,"
        " toDateTime('2025-01-03 10:00:00', 'UTC') AS d",
        warehouse.dialect,
    )

    [(*row, moment)] = (await warehouse.fetch(query, max_rows=1)).rows
    await warehouse.close()

    assert isinstance(moment, datetime)
    assert moment.isoformat().startswith("2025-01-03T10:00:00")
    assert row == [
        UUID("61f0c404-5cb3-11e7-907b-a6006ad3dba0"),
        [1, 2],
        [1, "x"],
        {"k": 1.5},
        *(2, "low", "a", True),
    ]


@pytest.mark.parametrize(
    ("sql", "rows", "largest"),
    [
        ("SELECT 1", 0, 0),
        ("SELECT name FROM customers", 3, 3),
        ("SELECT 1 FROM numbers AS a, numbers AS b", 10_000, 25_000_000),
        ("SELECT 1 FROM numbers AS a, numbers AS b WHERE a.n = b.n", 10_000, 10_000),
        ("SELECT 1 FROM orders AS o JOIN customers AS c ON c.id = o.customer_id", 7, 4),
    ],
)
async def test_says_what_would_be_read(place: Place, sql: str, rows: float, largest: float):
    warehouse = place.open()

    estimate = await warehouse.estimate(unguarded(sql, warehouse.dialect))
    await warehouse.close()

    assert (estimate.rows, estimate.intermediate_rows) == (rows, largest)
    assert estimate.confidence == "estimate"


async def test_what_it_does_not_know_is_unknown(place: Place):
    warehouse = place.open()
    query = unguarded("SELECT sum(number) FROM system.numbers", warehouse.dialect)

    assert (await warehouse.estimate(query)).confidence == "unknown"
    await warehouse.close()


async def test_warns_of_a_login_that_may_write(place: Place):
    warehouse = place.open()

    warnings = await warehouse.role_warnings()
    await warehouse.close()

    assert any("does not say readonly = 1" in each for each in warnings.sentences)
    assert "GRANT SELECT ON `shop`.* TO resona_reader;" in warnings.remedy
