import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlglot import exp

from adapters.inmemory.clock import SystemClock
from adapters.warehouses.sqlite.warehouse import SqliteWarehouse
from core.domain.connection import Connection, Limits, Prices, Thresholds
from core.domain.decisions import Approval
from core.domain.errors import ApprovalNeeded, NotPossible, QueryRejected
from core.domain.ids import ConnectionName
from core.domain.query import NO_CEILING, Ceiling, Dialect, GuardedQuery
from core.domain.table import Table
from core.sql.gateway import QueryGateway
from core.sql.guard import Guard
from tests.kit.dataset import NO_THRESHOLDS
from tests.kit.trail import trail

CHEAP = Thresholds(rows=10_000, intermediate_rows=100_000)
STRICT = Thresholds(rows=10, intermediate_rows=10)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("door") / "shop.db"
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL)")
        connection.execute("CREATE VIEW big_orders AS SELECT * FROM orders WHERE amount > 50")
        connection.executemany(
            "INSERT INTO orders VALUES (?, ?)", [(i, i * 1.5) for i in range(100)]
        )
        connection.commit()
    return place


@pytest.fixture
async def door(path: Path) -> AsyncIterator[QueryGateway]:
    warehouse = SqliteWarehouse(path)
    try:
        yield QueryGateway(
            warehouse=warehouse,
            guard=Guard(catalog=await warehouse.inspect()),
            connection=Connection(
                name=ConnectionName("shop"),
                dialect=Dialect.SQLITE,
                thresholds=CHEAP,
                limits=Limits(rows=50, export_rows=80),
            ),
            audit=trail(),
        )
    finally:
        await warehouse.close()


def strict(door: QueryGateway) -> QueryGateway:
    return replace(door, connection=replace(door.connection, thresholds=STRICT))


async def test_fetches_what_the_guard_lets_through_and_records_it(door: QueryGateway):
    table = await door.fetch("select id from orders where id < 3")

    assert table.values("id") == (0, 1, 2)
    [ran] = door.executed
    assert ran.sql == "SELECT id FROM orders WHERE id < 3 LIMIT 51"
    assert ran.rows == 3
    assert ran.seconds > 0
    assert ran.read is not None
    assert (ran.read.rows, ran.read.confidence) == (100, "upper_bound")


async def test_no_more_rows_than_the_connection_allows(door: QueryGateway):
    table = await door.fetch("SELECT id FROM orders", max_rows=1_000)

    assert len(table.rows) == 50
    assert table.truncated
    assert not (await door.fetch("SELECT id FROM orders LIMIT 50")).truncated


async def test_the_cap_never_cuts_an_aggregate(door: QueryGateway):
    table = await door.fetch("SELECT count(*) AS n FROM orders", max_rows=1)

    assert table.values("n") == (100,)


async def test_what_is_refused_never_reaches_the_warehouse(door: QueryGateway):
    with pytest.raises(NotPossible, match="load_extension"):
        await door.fetch("SELECT load_extension('x')")

    assert not door.executed


async def test_the_databases_own_words_come_through(door: QueryGateway):
    with pytest.raises(QueryRejected, match="no_such"):
        await door.fetch("SELECT no_such FROM orders")

    assert not door.executed


async def test_asks_before_a_query_above_the_threshold(door: QueryGateway):
    with pytest.raises(ApprovalNeeded) as asked:
        await strict(door).fetch("SELECT id FROM orders")

    approval = asked.value.approval
    assert approval.sql == "SELECT id FROM orders LIMIT 51"
    assert approval.reason.startswith("Reads about 100 rows. Table: orders.")
    assert approval.estimate.rows == 100
    assert not door.executed


async def test_an_approval_lets_that_very_query_through(door: QueryGateway):
    asking = strict(door)
    with pytest.raises(ApprovalNeeded) as asked:
        await asking.fetch("SELECT id FROM orders")

    approved = asking.for_call(asked.value.approval)

    assert len((await approved.fetch("select id from orders")).rows) == 50
    with pytest.raises(ApprovalNeeded):
        await approved.fetch("SELECT amount FROM orders")


async def test_a_query_that_reads_little_is_not_planned_first(door: QueryGateway):
    assert len((await door.fetch("SELECT o.id FROM orders o")).rows) == 50


async def test_a_small_embedded_database_never_waits_for_want_of_a_plan(door: QueryGateway):
    table = await door.fetch(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)"
        " SELECT count(*) AS k FROM n JOIN big_orders ON big_orders.id > n.i"
    )

    assert table.values("k") == (330,)


async def test_estimates_without_running_or_asking(door: QueryGateway):
    estimate = await strict(door).estimate("SELECT * FROM orders")

    assert estimate.rows == 100
    assert not door.executed


async def test_streams_all_rows_up_to_the_cap_of_exports(door: QueryGateway):
    batches = [batch async for batch in door.stream("SELECT id FROM orders", batch_rows=30)]

    assert [len(batch.rows) for batch in batches] == [30, 30, 20]
    assert [each.rows for each in door.executed] == [80]


async def test_a_stream_that_is_closed_early_ends(door: QueryGateway):
    stream = door.stream("SELECT id FROM orders", batch_rows=10)

    async for batch in stream:
        assert len(batch.rows) == 10
        break
    await stream.aclose()

    assert not door.executed
    assert len((await door.fetch("SELECT id FROM orders")).rows) == 50


async def test_what_was_approved_to_be_fetched_may_be_exported(door: QueryGateway):
    asking = strict(door)
    with pytest.raises(ApprovalNeeded) as asked:
        await asking.fetch("SELECT id FROM orders")
    approved = asking.for_call(asked.value.approval)

    batches = [batch async for batch in approved.stream("SELECT id FROM orders", batch_rows=100)]

    assert sum(len(batch.rows) for batch in batches) == 80
    with pytest.raises(ApprovalNeeded):
        async for _ in asking.stream("SELECT id FROM orders", batch_rows=100):
            pass


async def test_calls_at_the_same_time_know_their_own_statements(door: QueryGateway):
    one, other = door.for_call(), door.for_call()

    await asyncio.gather(one.fetch("SELECT 1 AS a"), other.fetch("SELECT 2 AS b"))

    assert [each.sql for each in one.executed] == ["SELECT 1 AS a LIMIT 51"]
    assert [each.sql for each in other.executed] == ["SELECT 2 AS b LIMIT 51"]
    assert not door.executed


async def test_a_long_statement_is_judged_all_the_same(door: QueryGateway):
    ids = [exp.Literal.number(i) for i in range(5_000)]
    query = exp.select("COUNT(*) AS n").from_("orders").where(exp.column("id").isin(*ids))

    table = await door.fetch(query.sql("sqlite"))

    assert table.values("n") == (100,)


class ToldWarehouse(SqliteWarehouse):
    """Remembers what each query was allowed to read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.ceilings: list[Ceiling] = []

    async def fetch(
        self, query: GuardedQuery, *, max_rows: int, ceiling: Ceiling = NO_CEILING
    ) -> Table:
        self.ceilings.append(ceiling)
        return await super().fetch(query, max_rows=max_rows, ceiling=ceiling)


async def test_the_engine_is_told_what_a_query_may_read(door: QueryGateway, path: Path):
    warehouse = ToldWarehouse(path)
    unasked = replace(door, warehouse=warehouse)
    asking = strict(unasked)

    await unasked.fetch("SELECT id FROM orders")
    with pytest.raises(ApprovalNeeded) as asked:
        await asking.fetch("SELECT id FROM orders")
    await asking.for_call(asked.value.approval).fetch("SELECT id FROM orders")
    await warehouse.close()

    assert [each.rows for each in warehouse.ceilings] == [CHEAP.rows, 200]
    assert warehouse.ceilings[0].bytes == CHEAP.bytes


async def test_a_connections_own_history_tells_how_long_it_usually_takes(door: QueryGateway):
    connection = replace(
        door.connection,
        thresholds=replace(NO_THRESHOLDS, seconds=1e-9),
        prices=Prices(usd_per_hour=3_600.0),
    )
    watched = replace(door.audit, clock=SystemClock())
    timed = replace(door, connection=connection, audit=watched)
    [first, *_] = [await asked_about(timed) for _ in range(9)]

    last = await asked_about(timed)

    assert first.estimate.seconds is None
    assert "does not say the seconds" in first.reason
    assert last.estimate.seconds is not None
    assert last.estimate.usd == pytest.approx(last.estimate.seconds)
    assert "usually in under" in last.reason


async def asked_about(door: QueryGateway) -> Approval:
    """Ask for a query, have it approved, and let it run, so that it is in the history."""
    with pytest.raises(ApprovalNeeded) as asked:
        await door.fetch("SELECT id FROM orders")
    await door.for_call(asked.value.approval).fetch("SELECT id FROM orders")
    return asked.value.approval
