from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import ClassVar
from uuid import UUID

import pytest
import pytest_asyncio

from adapters.warehouses.opening import open_warehouse
from core.domain.catalog import ForeignKey
from core.domain.connection import Limits
from core.domain.errors import QueryRejected
from core.domain.login import RoleWarnings
from core.domain.query import Dialect
from core.domain.table import ColumnKind, Row
from core.ports.warehouse import Warehouse
from tests.conformance.warehouse import SCRIPT, WarehouseContract
from tests.conformance.warehouse_values import Value
from tests.kit.servers import a_name, postgres_database, run_in_postgres
from tests.kit.unguarded import unguarded, until_it_counts

pytestmark = [pytest.mark.service, pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    with postgres_database(*SCRIPT) as url:
        yield url


class TestPostgresWarehouse(WarehouseContract):
    values: ClassVar = {
        "decimal": Value("0.10::numeric(4, 2)", Decimal("0.10")),
        "long decimal": Value(
            "1234567890123456789012345678.0123456789",
            Decimal("1234567890123456789012345678.0123456789"),
        ),
        "whole number": Value("9223372036854775807", 2**63 - 1),
        "date": Value("DATE '2025-01-31'", date(2025, 1, 31)),
        "moment": Value("TIMESTAMPTZ '2025-01-31 12:00+02'", datetime(2025, 1, 31, 10, tzinfo=UTC)),
        "time": Value("TIME '23:59:59.5'", time(23, 59, 59, 500_000)),
        "interval": Value("INTERVAL '1 day 2 hours'", timedelta(days=1, hours=2)),
        "identifier": Value(
            "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid",
            UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        ),
        "bytes": Value("'\\x00ff'::bytea", b"\x00\xff"),
        "json": Value("'{\"a\": [1, 0.1, null]}'::jsonb", {"a": [1, Decimal("0.1"), None]}),
        "true": Value("TRUE", cell=True),
        "infinity": Value("'infinity'::float8", float("inf")),
        "minus infinity": Value("'-infinity'::float8", float("-inf")),
        "not a number": Value("'NaN'::float8", float("nan")),
        "unicode": Value("'名前 é 🧮'", "名前 é 🧮"),
        "null": Value("NULL::text", None),
    }

    async def cut_off(self, address: str, *, streaming: bool = False) -> None:
        administrator = await open_warehouse(address)
        ended = ()
        while not ended:
            ended = await answer(administrator, _ENDING)
        await administrator.close()

    @pytest.fixture(scope="class")
    @classmethod
    def address(cls, shop: str) -> str:
        return shop


RICH = (
    "CREATE TYPE mood AS ENUM ('calm', 'wild')",
    "CREATE DOMAIN euros AS NUMERIC(12, 2)",
    "CREATE TABLE moments (feels mood, price euros, id UUID, body TEXT, extra JSONB, raw BYTEA,"
    " tags TEXT[], seen TIMESTAMPTZ, local TIMESTAMP, day DATE, at_night TIME, took INTERVAL,"
    " odd DOUBLE PRECISION, small REAL, cash MONEY, fine BOOLEAN, address INET, span INT4RANGE,"
    " spot POINT, bits BIT(3), year SMALLINT)",
    "INSERT INTO moments VALUES ('wild', 12.50, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'it''s',"
    " '{\"a\": [1, 0.1, null]}', '\\x00ff', ARRAY['a', NULL], '2025-01-01 12:00+02',"
    " '2025-01-01 12:00', '2025-01-01', '23:59:59', '1 day 2 hours', 'NaN', 0.1, 1234.5, true,"
    " '10.0.0.1', '[1,5)', '(1,2)', B'101', 2025)",
    "CREATE SCHEMA sales",
    "CREATE TABLE sales.regions (code TEXT PRIMARY KEY, label TEXT NOT NULL)",
    "CREATE TABLE visits (region TEXT REFERENCES sales.regions, day DATE NOT NULL)"
    " PARTITION BY RANGE (day)",
    "CREATE TABLE visits_2025 PARTITION OF visits FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')",
    "COMMENT ON TABLE sales.regions IS 'Where we sell'",
    "COMMENT ON COLUMN sales.regions.label IS 'As printed'",
    "INSERT INTO sales.regions VALUES ('n', 'North')",
    "INSERT INTO visits VALUES ('n', '2025-02-01'), ('n', '2025-03-01')",
    "CREATE MATERIALIZED VIEW monthly AS SELECT date_trunc('month', day) AS month FROM visits",
    "CREATE SEQUENCE counter",
)


@pytest.fixture(scope="module")
def rich_url() -> Iterator[str]:
    with postgres_database(*RICH) as url:
        yield url


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def rich(rich_url: str) -> AsyncIterator[Warehouse]:
    warehouse = await open_warehouse(rich_url, limits=Limits(seconds=1_200))
    yield warehouse
    await warehouse.close()


_ENDING = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
  AND query LIKE '%CROSS JOIN%'
"""


_SLEEPING = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
  AND query LIKE '%a_long_sleep%' AND pid <> pg_backend_pid()
"""


async def answer(warehouse: Warehouse, sql: str) -> tuple[Row, ...]:
    return (await warehouse.fetch(unguarded(sql, Dialect.POSTGRES), max_rows=100)).rows


async def test_keeps_every_type_of_cell_exact(rich: Warehouse):
    table = await rich.fetch(unguarded("SELECT * FROM moments", Dialect.POSTGRES), max_rows=1)

    [cells] = table.rows
    row = dict(zip(table.names, cells, strict=True))
    assert str(row.pop("odd")) == "nan"
    assert row == {
        "feels": "wild",
        "price": Decimal("12.50"),
        "id": UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        "body": "it's",
        "extra": {"a": [1, Decimal("0.1"), None]},
        "raw": b"\x00\xff",
        "tags": ["a", None],
        "seen": datetime(2025, 1, 1, 10, tzinfo=UTC),
        "local": datetime.fromisoformat("2025-01-01T12:00"),
        "day": date(2025, 1, 1),
        "at_night": time(23, 59, 59),
        "took": timedelta(days=1, hours=2),
        "small": 0.1,
        "cash": Decimal("1234.50"),
        "fine": True,
        "address": "10.0.0.1",
        "span": "[1,5)",
        "spot": [1.0, 2.0],
        "bits": "101",
        "year": 2025,
    }


async def test_shows_numbers_that_are_none_and_intervals_without_a_length(rich: Warehouse):
    rows = await answer(
        rich,
        "SELECT 'NaN'::numeric::text, 'Infinity'::numeric, '-Infinity'::float8, 1e40::numeric,"
        " INTERVAL '14 months 3 days', ARRAY[INTERVAL '1 day'], ROW(1, 'a'), -INTERVAL '1 month'",
    )

    assert rows == (
        (
            "NaN",
            Decimal("Infinity"),
            float("-inf"),
            Decimal("1E+40"),
            "1 years 2 months 3 days, 0:00:00",
            [timedelta(days=1)],
            [1, "a"],
            "-1 months",
        ),
    )


async def test_shows_rows_within_rows_and_ranges_without_ends(rich: Warehouse):
    rows = await answer(
        rich,
        "SELECT r, 'empty'::int4range, int4range(NULL, 5, '[]'), ARRAY[inet '10.0.0.1/8'],"
        " '{[1,3)}'::int4multirange, '0/1'::pg_lsn FROM sales.regions AS r",
    )

    assert rows == (
        ({"code": "n", "label": "North"}, "empty", "(,6)", ["10.0.0.1/8"], ["[1,3)"], 1),
    )


async def test_a_value_that_python_cannot_hold_is_to_be_cast(rich: Warehouse):
    with pytest.raises(QueryRejected, match="Cast it to text"):
        await answer(rich, "SELECT TIME '24:00'")

    assert await answer(rich, "SELECT 1") == ((1,),)


async def test_judges_columns_by_their_types(rich: Warehouse):
    moments = (await rich.inspect()).table("moments")

    assert moments is not None
    kinds = {column.name: column.kind for column in moments.columns}
    assert {name for name, kind in kinds.items() if kind is ColumnKind.TIME} == {
        *("seen", "local", "day")
    }
    assert {name for name, kind in kinds.items() if kind is ColumnKind.MEASURE} == {
        *("price", "took", "odd", "small", "cash")
    }
    assert {name for name, kind in kinds.items() if kind is ColumnKind.TEXT} == {
        *("extra", "raw", "tags")
    }


async def test_knows_schemas_comments_keys_and_partitioned_tables(rich: Warehouse):
    catalog = await rich.inspect()

    assert [table.qualified_name for table in catalog.tables] == [
        *("moments", "monthly", "sales.regions", "visits")
    ]
    regions, visits = catalog.table("sales.regions"), catalog.table("visits")
    assert regions is not None
    assert visits is not None
    assert regions.comment == "Where we sell"
    assert [column.comment for column in regions.columns] == ["", "As printed"]
    assert visits.row_estimate == 2
    assert visits.foreign_keys == (
        ForeignKey(
            columns=("region",), to_table="regions", to_columns=("code",), to_schema="sales"
        ),
    )


async def test_what_a_function_changes_in_the_session_does_not_last(rich: Warehouse):
    await answer(rich, "SELECT set_config('work_mem', '64MB', false), pg_advisory_lock(4711)")
    await answer(rich, "SELECT setseed(0.5)")

    for _ in range(4):
        [[memory, locks, limit]] = await answer(
            rich,
            "SELECT current_setting('work_mem'), (SELECT count(*) FROM pg_locks"
            " WHERE locktype = 'advisory' AND objid = 4711), current_setting('statement_timeout')",
        )
        assert (memory, locks, limit) == ("4MB", 0, "20min")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT nextval('counter')",
        "COPY moments TO PROGRAM 'cat'",
        "COPY (SELECT 1) TO STDOUT",
        "DO $$ BEGIN DELETE FROM visits; END $$",
        "SELECT * FROM visits FOR UPDATE",
        "SET statement_timeout = 0",
        "LOCK TABLE visits",
        "VACUUM visits",
        "WITH gone AS (DELETE FROM visits RETURNING *) SELECT * FROM gone",
        "",
    ],
)
async def test_refuses_what_reaches_beyond_reading(rich: Warehouse, sql: str):
    with pytest.raises(QueryRejected):
        await answer(rich, sql)

    assert await answer(rich, "SELECT count(*) FROM visits") == ((2,),)


async def test_refuses_several_statements_in_one_text(rich: Warehouse):
    with pytest.raises(QueryRejected, match="multiple commands"):
        await answer(rich, "SELECT 1; SELECT 2")
    with pytest.raises(QueryRejected, match="multiple commands"):
        await answer(rich, "COMMIT; DELETE FROM visits")


async def test_a_cancelled_query_stops_in_the_database(rich: Warehouse):
    running = asyncio.create_task(answer(rich, "SELECT pg_sleep(3600) AS a_long_sleep"))
    await until_it_counts(rich, _SLEEPING, count=1)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    await until_it_counts(rich, _SLEEPING, count=0)


async def test_a_connection_that_the_server_ended_is_replaced(rich: Warehouse, rich_url: str):
    [[pid]] = await answer(rich, "SELECT pg_backend_pid()")

    await run_in_postgres(rich_url, f"SELECT pg_terminate_backend({pid})")

    assert await answer(rich, "SELECT 1") == ((1,),)


async def test_a_plan_that_recurses_has_no_known_cost(rich: Warehouse):
    query = unguarded(
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT * FROM c",
        Dialect.POSTGRES,
    )

    assert (await rich.estimate(query)).confidence == "unknown"


async def test_a_plan_that_takes_too_long_has_no_known_cost(
    rich: Warehouse, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("adapters.warehouses.sql_warehouse.SECONDS_TO_PLAN", 0.3)
    query = unguarded("SELECT length(repeat('x', 1000000000)) + 1", Dialect.POSTGRES)

    assert (await rich.estimate(query)).confidence == "unknown"


async def test_lists_only_what_the_login_may_read(rich_url: str):
    role = a_name()
    await run_in_postgres(
        rich_url,
        f"CREATE ROLE {role} LOGIN",
        f"GRANT SELECT (body, day) ON moments TO {role}",
        f"GRANT SELECT ON visits TO {role}",
    )
    warehouse = await open_warehouse(with_user(rich_url, role))

    catalog = await warehouse.inspect()

    assert {table.name: [column.name for column in table.columns] for table in catalog.tables} == {
        "moments": ["body", "day"],
        "visits": ["region", "day"],
    }
    await warehouse.close()
    await run_in_postgres(rich_url, f"DROP OWNED BY {role}", f"DROP ROLE {role}")


async def test_warns_of_a_superuser_and_makes_a_role_that_only_reads(rich_url: str):
    role = a_name()
    powerful = await open_warehouse(rich_url)

    warnings = await powerful.role_warnings()
    remedy = warnings.remedy.replace("resona_reader", role)
    await run_in_postgres(rich_url, *remedy.splitlines())
    careful = await open_warehouse(with_user(rich_url, role))

    assert "superuser" in warnings.sentences[0]
    assert await careful.role_warnings() == RoleWarnings()
    assert (await careful.inspect()).tables == (await powerful.inspect()).tables
    await careful.close()
    await powerful.close()
    await run_in_postgres(rich_url, f"DROP OWNED BY {role}", f"DROP ROLE {role}")


async def test_warns_of_a_login_that_may_write(rich_url: str):
    role = a_name()
    await run_in_postgres(
        rich_url, f"CREATE ROLE {role} LOGIN", f"GRANT SELECT, INSERT ON visits TO {role}"
    )
    warehouse = await open_warehouse(with_user(rich_url, role))

    warnings = await warehouse.role_warnings()

    assert f"The login {role} may change 1 table, public.visits among them." in warnings.sentences
    assert "GRANT SELECT ON public.visits TO resona_reader;" in warnings.remedy
    await warehouse.close()
    await run_in_postgres(rich_url, f"DROP OWNED BY {role}", f"DROP ROLE {role}")


async def test_rights_that_were_taken_back_are_told_and_may_be_given_again(rich_url: str):
    role = a_name()
    await run_in_postgres(
        rich_url, f"CREATE ROLE {role} LOGIN", f"GRANT SELECT ON visits TO {role}"
    )
    warehouse = await open_warehouse(with_user(rich_url, role))
    query = unguarded("SELECT count(*) FROM visits", Dialect.POSTGRES)
    await warehouse.inspect()

    await run_in_postgres(rich_url, f"REVOKE SELECT ON visits FROM {role}")
    for ask in (warehouse.fetch(query, max_rows=1), warehouse.estimate(query)):
        with pytest.raises(QueryRejected, match="permission denied for table visits"):
            await ask
    await run_in_postgres(rich_url, f"GRANT SELECT ON visits TO {role}")

    assert (await warehouse.fetch(query, max_rows=1)).rows == ((2,),)
    await warehouse.close()
    await run_in_postgres(rich_url, f"DROP OWNED BY {role}", f"DROP ROLE {role}")


async def test_the_safe_login_gets_no_view_that_an_extension_brought_along(rich_url: str):
    await run_in_postgres(rich_url, "CREATE EXTENSION pg_stat_statements")
    warehouse = await open_warehouse(rich_url)

    remedy = (await warehouse.role_warnings()).remedy

    assert "moments" in remedy
    assert "pg_stat_statements" not in remedy
    await warehouse.close()
    await run_in_postgres(rich_url, "DROP EXTENSION pg_stat_statements")


def with_user(url: str, user: str) -> str:
    return url.replace("postgres@", f"{user}@", 1)
