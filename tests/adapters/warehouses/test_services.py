"""Each service through its own door, from its URL on, with a driver that replays its answers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from adapters.warehouses.opening import open_warehouse
from adapters.warehouses.sql_warehouse import SqlWarehouse
from core.domain.catalog import ForeignKey
from core.domain.connection import Limits
from core.domain.errors import ConnectionUnusable, QueryRejected
from core.domain.query import Ceiling, Dialect
from core.domain.table import ColumnKind
from tests.kit.patience import PATIENCE
from tests.kit.replayed import Answer, DriverError, Tape, installed
from tests.kit.services import (
    ANY,
    DATABRICKS,
    REDSHIFT,
    SERVICES,
    SNOWFLAKE,
    SQLSERVER,
    TRINO,
    ServerOperationError,
    Service,
)
from tests.kit.unguarded import unguarded


@dataclass
class Opened:
    service: Service
    tape: Tape
    warehouse: SqlWarehouse


@pytest.fixture(params=SERVICES, ids=[each.dialect.value for each in SERVICES])
def service(request: pytest.FixtureRequest) -> Service:
    return request.param


async def opened(service: Service, monkeypatch: pytest.MonkeyPatch, *more: Answer) -> Opened:
    tape = service.tape(*more)
    installed(monkeypatch, tape, service.modules, cursor=service.cursor)
    warehouse = await open_warehouse(service.url, limits=Limits(seconds=20))
    return Opened(service, tape, warehouse)


async def test_reads_the_catalog(service: Service, monkeypatch: pytest.MonkeyPatch):
    # A look into a table that cannot be taken leaves the catalog as it was read.
    here = await opened(
        service, monkeypatch, Answer("(?i)LIMIT 300|TOP 300", error=service.said("no"))
    )

    catalog = await here.warehouse.inspect()
    await here.warehouse.close()

    assert catalog.dialect is service.dialect
    assert [table.qualified_name for table in catalog.tables] == [
        "other.events",
        "orders",
        "recent",
    ]
    orders = catalog.table("orders")
    assert orders is not None
    assert (orders.row_estimate, orders.comment) == (1_000_000, "What was bought")
    assert [(c.name, c.kind, c.nullable) for c in orders.columns] == [
        ("id", ColumnKind.DIMENSION, False),
        ("amount", ColumnKind.MEASURE, True),
        ("ordered_on", ColumnKind.TIME, True),
        ("customer_id", ColumnKind.DIMENSION, True),
    ]
    pointing = ForeignKey(
        columns=("customer_id",), to_schema="other", to_table="customers", to_columns=("id",)
    )
    assert orders.primary_key == (("id",) if service.has_keys else ())
    assert orders.foreign_keys == ((pointing,) if service.has_keys else ())
    view = catalog.table("recent")
    assert view is not None
    assert (view.is_view, view.row_estimate) == (True, None)
    assert here.tape.closed == len(here.tape.connected)


async def test_runs_a_query_within_its_session(service: Service, monkeypatch: pytest.MonkeyPatch):
    rows = [(at, f"{at} % :x") for at in range(250)]
    columns = [("n", service.number), ("odd", None)]
    answers = (
        Answer(r"^FETCH FORWARD 100 FROM resona", columns, rows[:100]),
        Answer(r"^FETCH FORWARD", columns, rows[100:]),
        Answer("^SELECT n, odd FROM t$", columns, rows),
    )
    here = await opened(service, monkeypatch, *answers)

    table = await here.warehouse.fetch(
        unguarded("SELECT n, odd FROM t", service.dialect), max_rows=200
    )
    await here.warehouse.close()

    assert table.names == ("n", "odd")
    assert table.rows == tuple(rows[:200])
    assert table.truncated
    asked = here.tape.asked
    [at] = [at for at, each in enumerate(asked) if each.endswith("SELECT n, odd FROM t")]
    assert [each for each in service.before if each in asked[:at]] == [*service.before]
    assert [each for each in service.after if each in asked[at:]] == [*service.after]


async def test_passes_on_the_words_of_a_rejection(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    error = service.said("no column named nope")
    here = await opened(service, monkeypatch, Answer("nope", error=error))
    query = unguarded("SELECT nope FROM t", service.dialect)

    with pytest.raises(QueryRejected, match="no column named nope"):
        await here.warehouse.fetch(query, max_rows=1)
    await here.warehouse.close()


async def test_nothing_but_a_select_is_sent(service: Service, monkeypatch: pytest.MonkeyPatch):
    here = await opened(service, monkeypatch)

    for sql in ("DELETE FROM t", "COMMIT; DROP TABLE t", "EXPLAIN ANALYZE SELECT 1", "CALL p()"):
        with pytest.raises(QueryRejected, match="Only a SELECT"):
            await here.warehouse.fetch(unguarded(sql, service.dialect), max_rows=1)
    await here.warehouse.close()

    assert here.tape.asked == []
    assert here.tape.connected == []


async def test_stopping_ends_the_query_in_the_service(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    if service is SNOWFLAKE:
        pytest.skip("its driver does not wait in a call: see test_snowflake_aborts_by_id")
    answer = Answer("slow", waits=True)
    here = await opened(service, monkeypatch, answer)
    query = unguarded("SELECT slow FROM t", service.dialect)
    if service is REDSHIFT:
        watch_cancel(here.tape)

    running = asyncio.create_task(here.warehouse.fetch(query, max_rows=1))
    await asyncio.to_thread(here.tape.running.wait, PATIENCE)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await here.warehouse.close()

    assert here.tape.cancelled.is_set()
    # What was stopped is closed, never used again.
    assert here.tape.closed == len(here.tape.connected)


def watch_cancel(tape: Tape) -> None:
    """Let Redshift's cancel, a statement on a second connection, end what waits."""

    class Cancelling(list[str]):
        def append(self, statement: str, /) -> None:
            super().append(statement)
            if "pg_cancel_backend(77)" in statement:
                tape.cancelled.set()

    tape.asked = Cancelling()


async def test_snowflake_aborts_by_id(monkeypatch: pytest.MonkeyPatch):
    here = await opened(SNOWFLAKE, monkeypatch, Answer("slow", ANY, [(1,)]))
    here.tape.endless = True

    query = unguarded("SELECT slow FROM t", Dialect.SNOWFLAKE)

    running = asyncio.create_task(here.warehouse.fetch(query, max_rows=1))
    await asyncio.to_thread(here.tape.running.wait, PATIENCE)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await here.warehouse.close()

    assert "abort query-0" in here.tape.asked
    assert here.tape.closed == 1


async def test_no_word_holds_the_secret(service: Service, monkeypatch: pytest.MonkeyPatch):
    refused = DriverError("08001", "no route to s3")
    here = await opened(service, monkeypatch, Answer(".", error=refused))

    with pytest.raises(ConnectionUnusable) as caught:
        await here.warehouse.inspect()
    await here.warehouse.close()

    assert "cret" not in str(caught.value)
    assert "s@cr" in repr(here.tape.connected)


async def test_trino_is_told_what_a_query_may_read(monkeypatch: pytest.MonkeyPatch):
    here = await opened(TRINO, monkeypatch, Answer("^SELECT 1", ANY, [(1,)]))
    query = unguarded("SELECT 1", Dialect.TRINO)

    await here.warehouse.fetch(query, max_rows=1, ceiling=Ceiling(bytes=5e9))
    await here.warehouse.fetch(query, max_rows=1, ceiling=Ceiling(bytes=5e9))
    await here.warehouse.fetch(query, max_rows=1)
    await here.warehouse.close()

    assert [each for each in here.tape.asked if "scan" in each] == [
        "SET SESSION query_max_scan_physical_bytes = '5000000000B'",
        "RESET SESSION query_max_scan_physical_bytes",
    ]


async def test_sqlserver_plans_in_a_session_that_runs_nothing(monkeypatch: pytest.MonkeyPatch):
    here = await opened(SQLSERVER, monkeypatch, Answer("^SELECT 1", ANY, [("<no plan/>",)]))

    await here.warehouse.estimate(unguarded("SELECT 1", Dialect.TSQL))
    await here.warehouse.close()

    at = here.tape.asked.index("SELECT 1")
    assert here.tape.asked[at - 1] == "SET SHOWPLAN_XML ON"
    assert here.tape.asked[at + 1 : at + 3] == ["SET SHOWPLAN_XML OFF", "rollback()"]


async def test_a_session_that_was_ended_meanwhile_is_replaced(monkeypatch: pytest.MonkeyPatch):
    here = await opened(DATABRICKS, monkeypatch, Answer("^SELECT 1", ANY, [(1,)]))
    query = unguarded("SELECT 1", Dialect.DATABRICKS)
    await here.warehouse.fetch(query, max_rows=1)
    gone = Answer("^SELECT 1", error=ServerOperationError("Invalid SessionHandle: 42"))
    here.tape.answers.insert(0, gone)
    forget = Forgetting(here.tape, gone)
    here.tape.asked = forget

    table = await here.warehouse.fetch(query, max_rows=1)
    await here.warehouse.close()

    assert table.rows == ((1,),)
    assert len(here.tape.connected) == 2


class Forgetting(list[str]):
    """Takes an answer away once it was given."""

    def __init__(self, tape: Tape, answer: Answer) -> None:
        super().__init__()
        self._tape, self._answer = tape, answer

    def append(self, statement: str, /) -> None:
        super().append(statement)
        if len(self) > 1 and self._answer in self._tape.answers:
            self._tape.answers.remove(self._answer)
