"""ClickHouse through its URL, with a client that replays: what the embedded engine cannot show."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace

import pytest

from adapters.warehouses.opening import open_warehouse
from adapters.warehouses.sql_warehouse import SqlWarehouse
from core.domain.errors import ConnectionUnusable, QueryRejected, TemporarilyUnavailable
from core.domain.query import Ceiling, Dialect
from core.domain.table import Table
from tests.kit.unguarded import unguarded

URL = "clickhouse://reader:s%40cret@db.example/shop"


class DriverError(Exception):
    pass


@dataclass
class Result:
    """Blocks of rows, and the columns, which are not named where there is no block."""

    result_rows: Sequence[Sequence[object]]
    names: Sequence[str]

    @property
    def source(self) -> Result:
        return self

    @property
    def column_names(self) -> Sequence[str]:
        return self.names if self.result_rows else ()

    @property
    def column_types(self) -> Sequence[SimpleNamespace]:
        return [SimpleNamespace(name="Nullable(Int64)") for _ in self.column_names]

    def __enter__(self) -> Iterator[Sequence[Sequence[object]]]:
        half = len(self.result_rows) // 2
        return iter([self.result_rows[:half], self.result_rows[half:]])

    def __exit__(self, *_: object) -> None:
        self.names = ()


@dataclass
class Server:
    readonly: str = "0"
    error: Exception | None = None
    options: dict[str, object] = field(default_factory=dict[str, object])
    asked: list[tuple[str, dict[str, object]]] = field(
        default_factory=list[tuple[str, dict[str, object]]]
    )
    killed: threading.Event = field(default_factory=threading.Event)
    running: threading.Event = field(default_factory=threading.Event)

    @property
    def server_settings(self) -> dict[str, SimpleNamespace]:
        return {"readonly": SimpleNamespace(value=self.readonly)}

    def query(self, query: str, *, settings: dict[str, object]) -> Result:
        self.asked.append((query, settings))
        return Result([("n", "Nullable(Int64)")], ["name", "type"])

    def query_row_block_stream(self, query: str, *, settings: dict[str, object]) -> Result:
        self.asked.append((query, settings))
        if self.error is not None:
            raise self.error
        if "slow" in query:
            self.running.set()
            assert self.killed.wait(10)
            raise DriverError("Code: 394. DB::Exception: Query was cancelled")
        return Result([] if "nothing" in query else [(n,) for n in range(30)], ["n"])

    def command(self, cmd: str) -> None:
        self.asked.append((cmd, {}))
        self.killed.set()

    def close(self) -> None:
        self.running.clear()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    here = Server()

    def get_client(**options: object) -> Server:
        here.options = options
        return here

    for name, content in {
        "clickhouse_connect": {"get_client": get_client},
        "clickhouse_connect.driver.exceptions": {"ClickHouseError": DriverError},
    }.items():
        module = ModuleType(name)
        module.__dict__.update(content)
        monkeypatch.setitem(sys.modules, name, module)
    return here


async def limits_sent(server: Server) -> dict[str, object]:
    warehouse = await open_warehouse(URL)
    query = unguarded("SELECT n FROM t", Dialect.CLICKHOUSE)
    await warehouse.fetch(query, max_rows=10, ceiling=Ceiling(rows=5, bytes=7e9))
    await warehouse.close()
    [(_, settings)] = server.asked
    assert str(settings.pop("query_id", "")).startswith("resona-")
    return settings


async def test_a_query_carries_its_limits(server: Server):
    sent = await limits_sent(server)

    assert sent["readonly"] == 1
    assert sent["max_execution_time"] == "30"
    assert (sent["max_rows_to_read"], sent["max_bytes_to_read"]) == (5, 7_000_000_000)
    assert server.options["secure"] is True
    assert "s@cret" in server.options.values()


async def test_a_profile_that_may_not_set_is_sent_nothing(server: Server):
    server.readonly = "1"

    assert await limits_sent(server) == {}


async def test_a_profile_that_only_reads_is_not_told_to(server: Server):
    server.readonly = "2"

    sent = await limits_sent(server)

    assert "readonly" not in sent
    assert sent["max_rows_to_read"] == 5


async def test_columns_of_nothing_are_asked_for(server: Server):
    table = await fetched("SELECT n FROM nothing")

    assert (table.names, table.rows) == (("n",), ())
    assert [sql for sql, _ in server.asked][1] == "DESCRIBE (SELECT n FROM nothing)"


async def test_stopping_kills_the_query_by_its_id(server: Server):
    warehouse = await open_warehouse(URL)
    query = unguarded("SELECT slow FROM t", Dialect.CLICKHOUSE)

    running = asyncio.create_task(warehouse.fetch(query, max_rows=1))
    await asyncio.to_thread(server.running.wait, 10)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await warehouse.close()

    [(_, settings), (killing, _)] = server.asked
    assert killing == f"KILL QUERY WHERE query_id = '{settings['query_id']}' ASYNC"


@pytest.mark.parametrize(
    ("words", "raised"),
    [
        ("Code: 47. DB::Exception: Unknown identifier", QueryRejected),
        ("Code: 307. DB::Exception: Limit for bytes to read exceeded", QueryRejected),
        ("Code: 159. DB::Exception: Timeout exceeded", TemporarilyUnavailable),
        ("Code: 202. DB::Exception: Too many simultaneous queries", TemporarilyUnavailable),
        ("no route to host", TemporarilyUnavailable),
    ],
)
async def test_sorts_failures_by_who_has_to_act(
    server: Server, words: str, raised: type[Exception]
):
    server.error = DriverError(words)

    with pytest.raises(raised):
        await fetched("SELECT n FROM t")


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("Code: 516. DB::Exception: reader: Authentication failed", "refuses the login"),
        ("Code: 81. DB::Exception: Database shop does not exist", "does not exist there"),
        ("Connection refused", "cannot be reached"),
    ],
)
async def test_says_what_is_wrong_with_a_connection(
    monkeypatch: pytest.MonkeyPatch, server: Server, words: str, advice: str
):
    def refuse(**_: object) -> Server:
        raise DriverError(words)

    monkeypatch.setattr(sys.modules["clickhouse_connect"], "get_client", refuse)
    warehouse = await open_warehouse(URL)

    with pytest.raises(ConnectionUnusable, match=advice):
        await warehouse.inspect()
    await warehouse.close()

    assert server.asked == []


async def fetched(sql: str) -> Table:
    warehouse: SqlWarehouse = await open_warehouse(URL)
    try:
        return await warehouse.fetch(unguarded(sql, Dialect.CLICKHOUSE), max_rows=5)
    finally:
        await warehouse.close()
