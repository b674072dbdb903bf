from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import ClassVar
from urllib.parse import quote

import pytest
import pytest_asyncio

from adapters.warehouses.opening import open_warehouse
from core.domain.connection import Limits
from core.domain.errors import QueryRejected
from core.domain.login import RoleWarnings
from core.domain.query import Dialect
from core.domain.table import ColumnKind, Row
from core.ports.warehouse import Warehouse
from tests.conformance.warehouse import SCRIPT, WarehouseContract
from tests.conformance.warehouse_values import Value
from tests.kit.servers import a_name, mariadb_database, mariadb_port, run_in_mariadb
from tests.kit.unguarded import unguarded, until_it_counts

pytestmark = [pytest.mark.service, pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    with mariadb_database(*SCRIPT) as url:
        yield url


class TestMysqlWarehouse(WarehouseContract):
    values: ClassVar = {
        "decimal": Value("0.10", Decimal("0.10")),
        "long decimal": Value(
            "CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38, 10))",
            Decimal("1234567890123456789012345678.0123456789"),
        ),
        "whole number": Value("18446744073709551615", 2**64 - 1),
        "date": Value("DATE '2025-01-31'", date(2025, 1, 31)),
        "moment": Value(
            "TIMESTAMP '2025-01-31 12:00:00'", datetime.fromisoformat("2025-01-31T12:00")
        ),
        "time": Value("TIME '23:59:59.5'", timedelta(hours=23, minutes=59, seconds=59.5)),
        "interval": Value("TIMEDIFF('26:00:00', '00:00:00')", timedelta(hours=26)),
        "identifier": Value(
            "CAST('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' AS UUID)",
            "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        ),
        "bytes": Value("x'00ff'", b"\x00\xff"),
        "json": Value("JSON_OBJECT('a', 0.1)", '{"a": 0.1}'),
        "true": Value("TRUE", 1),
        "infinity": None,
        "minus infinity": None,
        "not a number": None,
        "unicode": Value("'名前 é 🧮'", "名前 é 🧮"),
        "null": Value("NULL", None),
    }

    async def cut_off(self, address: str, *, streaming: bool = False) -> None:
        administrator = await open_warehouse(address)
        found = ()
        while not found:
            found = await answer(administrator, _ASKING)
        await administrator.close()
        run_in_mariadb(mariadb_port(address), "", *(f"KILL {number}" for (number,) in found))

    @pytest.fixture(scope="class")
    @classmethod
    def address(cls, shop: str) -> str:
        return shop


RICH = (
    "CREATE TABLE elsewhere (n INT)",
    "CREATE TABLE moments (id INT AUTO_INCREMENT PRIMARY KEY COMMENT 'A number', body TEXT,"
    " mood ENUM('calm', 'wild'), price DECIMAL(30, 10), odd DOUBLE, small FLOAT, flags BIT(3),"
    " raw VARBINARY(4), seen TIMESTAMP NULL, day DATE, took TIME, extra JSON, year YEAR,"
    " fine BOOLEAN, big BIGINT UNSIGNED) COMMENT 'What happened'",
    "INSERT INTO moments VALUES (1, 'it''s \\\\ fine', 'wild',"
    " 12345678901234567890.0123456789, 1e10, 0.1, b'101', x'00ff', '2025-01-01 12:00:00',"
    " '2025-01-01', '100:00:00', '{\"a\": 1}', 2025, TRUE, 18446744073709551615)",
)


@pytest.fixture(scope="module")
def rich_url() -> Iterator[str]:
    with mariadb_database(*RICH) as url:
        yield url


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def rich(rich_url: str) -> AsyncIterator[Warehouse]:
    warehouse = await open_warehouse(rich_url, limits=Limits(seconds=1_200))
    yield warehouse
    await warehouse.close()


_ASKING = """
SELECT id FROM information_schema.processlist
WHERE db = database() AND id <> connection_id() AND info LIKE '%CROSS JOIN%'
"""


_SLEEPING = """
SELECT count(*) FROM information_schema.processlist
WHERE db = database() AND info LIKE '%a_long_sleep%' AND id <> connection_id()
"""


async def answer(warehouse: Warehouse, sql: str) -> tuple[Row, ...]:
    return (await warehouse.fetch(unguarded(sql, Dialect.MYSQL), max_rows=100)).rows


async def test_keeps_every_type_of_cell_exact(rich: Warehouse):
    table = await rich.fetch(unguarded("SELECT * FROM moments", Dialect.MYSQL), max_rows=1)

    [cells] = table.rows
    assert dict(zip(table.names, cells, strict=True)) == {
        "id": 1,
        "body": "it's \\ fine",
        "mood": "wild",
        "price": Decimal("12345678901234567890.0123456789"),
        "odd": 1e10,
        "small": 0.1,
        "flags": 5,
        "raw": b"\x00\xff",
        "seen": datetime.fromisoformat("2025-01-01T12:00"),
        "day": date(2025, 1, 1),
        "took": timedelta(hours=100),
        "extra": '{"a": 1}',
        "year": 2025,
        "fine": 1,
        "big": 2**64 - 1,
    }


async def test_judges_columns_by_their_types_and_reads_comments(rich: Warehouse):
    moments = (await rich.inspect()).table("moments")

    assert moments is not None
    assert moments.comment == "What happened"
    assert moments.columns[0].comment == "A number"
    kinds = {column.name: column.kind for column in moments.columns}
    assert {name for name, kind in kinds.items() if kind is ColumnKind.TIME} == {"seen", "day"}
    assert {name for name, kind in kinds.items() if kind is ColumnKind.MEASURE} == {
        *("price", "odd", "small", "big")
    }
    assert {name for name, kind in kinds.items() if kind is ColumnKind.TEXT} == {"raw"}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1; SELECT 2",
        "SET SESSION max_statement_time = 0",
        "SET STATEMENT max_statement_time = 0 FOR SELECT 1",
        "EXPLAIN SELECT 1",
        "ANALYZE SELECT 1",
        "DO SLEEP(1)",
        "CREATE TEMPORARY TABLE mine (n INT)",
        "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE moments",
        "LOCK TABLES moments WRITE",
        "HANDLER moments OPEN",
        "KILL 1",
        "WITH a AS (SELECT 1) DELETE FROM moments",
        "",
    ],
)
async def test_refuses_what_reaches_beyond_reading(rich: Warehouse, sql: str):
    with pytest.raises(QueryRejected):
        await answer(rich, sql)

    assert await answer(rich, "SELECT count(*) FROM moments") == ((1,),)


async def test_a_cancelled_query_stops_in_the_database(rich: Warehouse):
    running = asyncio.create_task(answer(rich, "SELECT sleep(3600) AS a_long_sleep"))
    await until_it_counts(rich, _SLEEPING, count=1)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    await until_it_counts(rich, _SLEEPING, count=0)


async def test_a_connection_that_the_server_ended_is_replaced(rich: Warehouse, rich_url: str):
    [[number]] = await answer(rich, "SELECT connection_id()")

    run_in_mariadb(mariadb_port(rich_url), "", f"KILL {number}")

    assert await answer(rich, "SELECT 1") == ((1,),)


async def test_a_named_lock_does_not_last(rich: Warehouse):
    name = a_name()  # the locks of a server are everybody's
    await answer(rich, f"SELECT get_lock('{name}', 1)")

    for _ in range(4):
        assert await answer(rich, f"SELECT is_free_lock('{name}')") == ((1,),)


async def test_a_plan_that_recurses_has_no_known_cost(rich: Warehouse):
    query = unguarded(
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9)"
        " SELECT * FROM c",
        Dialect.MYSQL,
    )

    assert (await rich.estimate(query)).confidence == "unknown"


async def test_rights_that_were_taken_back_are_told_and_may_be_given_again(rich_url: str):
    user, port, database = a_name(), mariadb_port(rich_url), name_in(rich_url)
    run_in_mariadb(
        port, database, f"CREATE USER '{user}'@'%'", f"GRANT SELECT ON moments TO '{user}'@'%'"
    )
    warehouse = await open_warehouse(rich_url.replace("root@", f"{user}@", 1))
    query = unguarded("SELECT count(*) FROM moments", Dialect.MYSQL)
    await warehouse.inspect()

    # A connection keeps the right to its database as long as it has any.
    run_in_mariadb(
        port,
        database,
        f"GRANT SELECT ON elsewhere TO '{user}'@'%'",
        f"REVOKE SELECT ON moments FROM '{user}'@'%'",
    )
    for ask in (warehouse.fetch(query, max_rows=1), warehouse.estimate(query)):
        with pytest.raises(QueryRejected, match="denied"):
            await ask
    run_in_mariadb(port, database, f"GRANT SELECT ON moments TO '{user}'@'%'")

    assert (await warehouse.fetch(query, max_rows=1)).rows == ((1,),)
    await warehouse.close()
    run_in_mariadb(port, "", f"DROP USER '{user}'@'%'")


async def test_a_plan_that_the_server_keeps_to_itself_has_no_known_cost(rich_url: str):
    user, port, database = a_name(), mariadb_port(rich_url), name_in(rich_url)
    run_in_mariadb(
        port,
        database,
        "CREATE VIEW bodies AS SELECT body FROM moments",
        f"CREATE USER '{user}'@'%'",
        f"GRANT SELECT ON bodies TO '{user}'@'%'",
    )
    warehouse = await open_warehouse(rich_url.replace("root@", f"{user}@", 1))
    query = unguarded("SELECT count(*) FROM bodies", Dialect.MYSQL)

    assert (await warehouse.estimate(query)).confidence == "unknown"
    assert (await warehouse.fetch(query, max_rows=1)).rows == ((1,),)
    await warehouse.close()
    run_in_mariadb(port, database, f"DROP USER '{user}'@'%'", "DROP VIEW bodies")


def name_in(url: str) -> str:
    return url.rsplit("/", 1)[1]


async def test_warns_of_a_login_that_may_write_and_makes_one_that_only_reads(rich_url: str):
    user = a_name()
    port = mariadb_port(rich_url)
    powerful = await open_warehouse(rich_url)

    warnings = await powerful.role_warnings()
    remedy = warnings.remedy.replace("resona_reader", user)
    run_in_mariadb(port, "", *remedy.splitlines())
    careful = await open_warehouse(rich_url.replace("root@", f"{user}:choose%20a%20long%20one@", 1))

    assert "on the whole server" in warnings.sentences[0]
    assert await careful.role_warnings() == RoleWarnings()
    assert (await careful.inspect()).tables == (await powerful.inspect()).tables
    await careful.close()
    await powerful.close()
    run_in_mariadb(port, "", f"DROP USER '{user}'@'%'")


@pytest.mark.parametrize("password", ["p@ss:w/o#r d%25?\"'\\", "pässé", "秘密 🔑"])
async def test_any_password_opens_it(rich_url: str, password: str):
    user = a_name()
    port, database = mariadb_port(rich_url), name_in(rich_url)
    written = password.replace("\\", "\\\\").replace("'", "''")
    run_in_mariadb(
        port,
        "",
        f"CREATE USER '{user}'@'%' IDENTIFIED BY '{written}'",
        f"GRANT SELECT ON {database}.* TO '{user}'@'%'",
    )

    url = rich_url.replace("root@", f"{user}:{quote(password, safe='')}@", 1)
    careful = await open_warehouse(url)

    assert await answer(careful, "SELECT 1") == ((1,),)
    await careful.close()
    run_in_mariadb(port, "", f"DROP USER '{user}'@'%'")
