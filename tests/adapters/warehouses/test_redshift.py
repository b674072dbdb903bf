"""The contract through Redshift's real driver, against PostgreSQL, from which Redshift descends.

What only Redshift has stands in as views with its catalog's names. The plans are PostgreSQL's
here, whose lines have the form of Redshift's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import ClassVar
from urllib.parse import urlsplit

import pytest

from adapters.warehouses.opening import open_warehouse
from core.domain.errors import ConnectionUnusable
from core.ports.warehouse import Warehouse
from tests.conformance.warehouse import SCRIPT, WarehouseContract
from tests.conformance.warehouse_values import Value
from tests.kit.redshift_greeting import greeting_redshift
from tests.kit.servers import postgres_database, run_in_postgres
from tests.kit.unguarded import unguarded

pytestmark = pytest.mark.service
pytest.importorskip("redshift_connector", reason="resona[redshift] is not installed")

_STAND_INS = (
    "CREATE SCHEMA stand_ins",
    "CREATE VIEW stand_ins.svv_tables AS SELECT *, NULL::text AS remarks"
    " FROM information_schema.tables WHERE table_schema <> 'stand_ins'",
    "CREATE VIEW stand_ins.svv_columns AS SELECT *, NULL::text AS remarks"
    " FROM information_schema.columns WHERE table_schema <> 'stand_ins'",
    'CREATE VIEW stand_ins.svv_table_info AS SELECT n.nspname AS schema, c.relname AS "table",'
    " c.reltuples::bigint AS tbl_rows, 1 AS size FROM pg_class AS c"
    " JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.relkind = 'r'",
    "ANALYZE",
)


# The way to the same database without the greeting.
_straight: dict[str, str] = {}


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    with postgres_database(*SCRIPT, *_STAND_INS) as url:
        place = urlsplit(url)
        name = place.path.removeprefix("/")
        asyncio.run(
            run_in_postgres(url, f"ALTER DATABASE {name} SET search_path = public, stand_ins")
        )
        with greeting_redshift(place.hostname or "", place.port or 5432) as port:
            address = f"redshift://{place.username}:none@127.0.0.1:{port}/{name}?ssl=false"
            _straight[address] = url
            yield address


_ENDING = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
  AND (query LIKE '%CROSS JOIN%' OR query LIKE 'FETCH%')
"""


class TestRedshift(WarehouseContract):
    values: ClassVar = {
        "decimal": Value("CAST(0.10 AS numeric(4, 2))", Decimal("0.10")),
        "long decimal": Value(
            "12345678901234567890.0123456789", Decimal("12345678901234567890.0123456789")
        ),
        "whole number": Value("9223372036854775807", 2**63 - 1),
        "date": Value("DATE '2025-01-31'", date(2025, 1, 31)),
        "moment": Value("TIMESTAMPTZ '2025-01-31 12:00+02'", datetime(2025, 1, 31, 10, tzinfo=UTC)),
        "time": Value("TIME '23:59:59.5'", time(23, 59, 59, 500_000)),
        "true": Value("TRUE", cell=True),
        "infinity": Value("CAST('infinity' AS float8)", float("inf")),
        "minus infinity": Value("CAST('-infinity' AS float8)", float("-inf")),
        "not a number": Value("CAST('NaN' AS float8)", float("nan")),
        "unicode": Value("'名前 é 🧮'", "名前 é 🧮"),
        "null": Value("CAST(NULL AS text)", None),
        # Redshift has none of these as PostgreSQL has them.
        **dict.fromkeys(("interval", "identifier", "bytes", "json")),
    }

    async def cut_off(self, address: str, *, streaming: bool = False) -> None:
        administrator = await open_warehouse(_straight[address])
        ended = ()
        while not ended:
            query = unguarded(_ENDING, administrator.dialect)
            ended = (await administrator.fetch(query, max_rows=9)).rows
        await administrator.close()

    async def test_knows_the_values_of_a_column_with_few(self, warehouse: Warehouse):
        pytest.skip("they are asked for as VARCHAR(MAX), which PostgreSQL does not have")

    @pytest.fixture(scope="class")
    @classmethod
    def address(cls, shop: str) -> str:
        return shop


async def test_says_what_its_login_may_write(shop: str):
    warehouse = await open_warehouse(shop)

    warnings = await warehouse.role_warnings()
    await warehouse.close()

    assert warnings.sentences[0] == "The login postgres is a superuser: it may do anything."
    assert "may change 3 tables, public.customers, public.numbers" in warnings.sentences[1]
    assert "GRANT SELECT ON ALL TABLES IN SCHEMA public TO resona_reader;" in warnings.remedy


async def test_a_database_that_is_not_there_is_missed(shop: str):
    warehouse = await open_warehouse(shop.replace("resona_test", "not_there"))

    with pytest.raises(ConnectionUnusable, match="does not exist there"):
        await warehouse.inspect()
    await warehouse.close()
