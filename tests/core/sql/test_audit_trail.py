import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import aclosing, closing
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

import pytest

from adapters.inmemory.audit_log import InMemoryAuditLog
from adapters.warehouses.sqlite.warehouse import SqliteWarehouse
from core.domain.audit import AuditEntry, Deed
from core.domain.connection import Connection, Thresholds
from core.domain.errors import ApprovalNeeded, NotPossible, QueryRejected
from core.domain.ids import ActorId, ConnectionName
from core.domain.query import Dialect
from core.sql.gateway import QueryGateway
from core.sql.guard import Guard
from tests.conformance.audit_log import every
from tests.kit.children import until_one_works
from tests.kit.patience import PATIENCE
from tests.kit.trail import NOW, trail


@dataclass(frozen=True, slots=True)
class Door:
    gateway: QueryGateway
    log: InMemoryAuditLog

    async def entry(self) -> AuditEntry:
        [only] = await every(self.log)
        return only


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
        connection.executemany("INSERT INTO orders VALUES (?)", [(i,) for i in range(100)])
        connection.commit()
    warehouse, log = SqliteWarehouse(path), InMemoryAuditLog()
    gateway = QueryGateway(
        warehouse=warehouse,
        guard=Guard(catalog=await warehouse.inspect()),
        connection=Connection(name=ConnectionName("shop"), dialect=Dialect.SQLITE),
        audit=trail(log, decided_by=ActorId("bob")),
    )
    yield Door(gateway, log)
    await warehouse.close()


async def test_a_query_that_ran_is_written_down(door: Door):
    await door.gateway.fetch("SELECT id FROM orders WHERE id < 3")

    entry = await door.entry()
    [ran] = door.gateway.executed
    assert (entry.deed, entry.rows, entry.sql) == (Deed.RAN, 3, ran.sql)
    assert entry.query_hash == door.gateway.guard.judge("SELECT id FROM orders WHERE id < 3").hash
    assert (entry.actor, entry.actor_name, entry.workspace) == ("ann", "Ann", "acme")
    assert (entry.thread, entry.run, entry.connection) == ("here", "r", "shop")
    assert (entry.question, entry.at) == ("how many?", NOW)
    assert entry.seconds is not None
    assert entry.decided_by is None


async def test_a_query_that_the_database_rejects_is_written_down(door: Door):
    with pytest.raises(QueryRejected):
        await door.gateway.fetch("SELECT no_such_column FROM orders")

    entry = await door.entry()
    assert (entry.deed, entry.rows, entry.note) == (Deed.FAILED, None, "QueryRejected")


async def test_a_query_that_broke_is_not_taken_for_one_that_was_stopped(door: Door):
    query = door.gateway.guard.check("SELECT id FROM orders", max_rows=10)

    with pytest.raises(ZeroDivisionError):
        async with door.gateway.audit.of(query, estimate=None, approved=False):
            raise ZeroDivisionError

    entry = await door.entry()
    assert (entry.deed, entry.note) == (Deed.FAILED, "ZeroDivisionError")


async def test_a_query_that_was_stopped_is_written_down(door: Door):
    long = """
        SELECT COUNT(*) FROM orders AS a
        JOIN orders AS b ON b.id >= a.id JOIN orders AS c ON c.id >= a.id
        JOIN orders AS d ON d.id >= a.id JOIN orders AS e ON e.id >= a.id
        JOIN orders AS f ON f.id >= a.id
    """
    unasked = Thresholds(rows=inf, intermediate_rows=inf, bytes=inf, usd=inf)
    free = replace(door.gateway, connection=replace(door.gateway.connection, thresholds=unasked))

    running = asyncio.create_task(free.fetch(long))
    async with asyncio.timeout(PATIENCE):
        await until_one_works()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert (await door.entry()).deed is Deed.STOPPED


async def test_what_a_person_approved_is_written_down_with_who_did(door: Door):
    strict = replace(
        door.gateway,
        connection=replace(door.gateway.connection, thresholds=Thresholds(rows=1)),
    )
    with pytest.raises(ApprovalNeeded) as caught:
        await strict.fetch("SELECT id FROM orders")
    asked = await every(door.log)

    await strict.for_call(caught.value.approval).fetch("SELECT id FROM orders")

    entry = await door.entry()
    assert asked == ()
    assert entry.decided_by == "bob"
    assert entry.query_hash == caught.value.approval.query_hash
    assert entry.estimate == caught.value.approval.estimate


async def test_no_rows_without_a_record(door: Door):
    door.log.full = True

    with pytest.raises(NotPossible, match="nothing of what was read may be shown"):
        await door.gateway.fetch("SELECT id FROM orders")

    assert door.gateway.executed == []


async def test_a_rejection_is_still_one_when_it_cannot_be_written_down(door: Door):
    door.log.full = True

    with pytest.raises(QueryRejected):
        await door.gateway.fetch("SELECT no_such_column FROM orders")


async def test_a_whole_result_is_written_down_with_its_rows(door: Door):
    batches = [batch async for batch in door.gateway.stream("SELECT id FROM orders", batch_rows=30)]

    entry = await door.entry()
    assert len(batches) > 1
    assert (entry.deed, entry.rows) == (Deed.RAN, 100)


async def test_a_whole_result_that_is_left_early_is_written_down(door: Door):
    async with aclosing(door.gateway.stream("SELECT id FROM orders", batch_rows=30)) as batches:
        await anext(batches)

    assert (await door.entry()).deed is Deed.STOPPED


async def test_a_whole_result_without_a_record_ends_in_an_error(door: Door):
    door.log.full = True

    with pytest.raises(NotPossible, match="nothing of what was read"):
        async for _ in door.gateway.stream("SELECT id FROM orders", batch_rows=30):
            pass


async def test_what_the_guard_refuses_is_not_a_query(door: Door):
    with pytest.raises(NotPossible):
        await door.gateway.fetch("DELETE FROM orders")
    await door.gateway.estimate("SELECT id FROM orders")

    assert await every(door.log) == ()
