"""Trino's real client against a server that replays its protocol: pages of JSON over HTTP."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from adapters.warehouses.opening import open_warehouse
from core.domain.connection import Limits
from core.domain.errors import QueryRejected, TemporarilyUnavailable
from core.domain.query import Ceiling, Dialect
from core.domain.table import ColumnKind
from tests.kit.unguarded import unguarded

pytest.importorskip("trino", reason="resona[trino] is not installed")

COLUMNS: list[dict[str, object]] = [
    {"name": "n", "type": "bigint", "typeSignature": {"rawType": "bigint", "arguments": []}},
    {
        "name": "price",
        "type": "decimal(12,2)",
        "typeSignature": {
            "rawType": "decimal",
            "arguments": [{"kind": "LONG", "value": 12}, {"kind": "LONG", "value": 2}],
        },
    },
    {"name": "day", "type": "date", "typeSignature": {"rawType": "date", "arguments": []}},
]
PAGES = [[[n, "10.50", "2025-01-03"] for n in range(at, at + 100)] for at in range(0, 300, 100)]


@dataclass
class Server:
    """What was asked of the server, and with which properties of the session."""

    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    cancelled: threading.Event = field(default_factory=threading.Event)
    waiting: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    @property
    def url(self) -> str:
        return f"trino://reader@127.0.0.1:{self.port}/hive/shop"


class Protocol(BaseHTTPRequestHandler):
    server_in_use: ClassVar[Server]

    def do_POST(self) -> None:
        sql = self.rfile.read(int(self.headers["Content-Length"])).decode()
        server = self.server_in_use
        server.asked.append((sql, self.headers.get("X-Trino-Session", "")))
        if sql.startswith("SET SESSION"):
            name, _, value = sql.removeprefix("SET SESSION ").partition(" = ")
            header = {"X-Trino-Set-Session": f"{name}={value.strip(chr(39))}"}
            self.give({"updateType": "SET SESSION"}, header)
        elif "nope" in sql:
            error = {
                "message": "line 1:8: Column 'nope' cannot be resolved",
                "errorName": "COLUMN_NOT_FOUND",
                "errorType": "USER_ERROR",
                "errorCode": 47,
            }
            self.give({"error": error})
        else:
            self.give({"nextUri": self.next("slow" if "slow" in sql else "0")})

    def do_GET(self) -> None:
        page = self.path.rsplit("/", 1)[1]
        if page == "slow":
            self.server_in_use.waiting.set()
            self.server_in_use.cancelled.wait(0.05)
            self.give({"nextUri": self.next("slow")})
            return
        at = int(page)
        more = {"nextUri": self.next(str(at + 1))} if at + 1 < len(PAGES) else {}
        self.give({"columns": COLUMNS, "data": PAGES[at], **more})

    def do_DELETE(self) -> None:
        self.server_in_use.cancelled.set()
        self.send_response(204)
        self.end_headers()

    def next(self, page: str) -> str:
        return f"http://127.0.0.1:{self.server_in_use.port}/v1/statement/executing/q/{page}"

    def give(self, content: dict[str, object], headers: dict[str, str] | None = None) -> None:
        stats = {"state": "RUNNING" if "nextUri" in content else "FINISHED"}
        body = json.dumps({"id": "q", "infoUri": "", "stats": stats, **content}).encode()
        self.send_response(200)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    here = Server()
    handler = type("Replayed", (Protocol,), {"server_in_use": here})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        here.port = http.server_port
        serving = threading.Thread(target=http.serve_forever, daemon=True)
        serving.start()
        yield here
        http.shutdown()
        serving.join()


async def test_reads_page_after_page_with_the_limits_of_the_session(server: Server):
    warehouse = await open_warehouse(server.url, limits=Limits(seconds=7))
    query = unguarded("SELECT n, price, day FROM t", Dialect.TRINO)

    table = await warehouse.fetch(query, max_rows=250, ceiling=Ceiling(bytes=5e9))
    await warehouse.close()

    assert [(c.name, c.kind) for c in table.columns] == [
        ("n", ColumnKind.MEASURE),
        ("price", ColumnKind.MEASURE),
        ("day", ColumnKind.TIME),
    ]
    assert [row[0] for row in table.rows] == [*range(250)]
    assert table.truncated
    assert str(table.rows[0][1:]) == "(Decimal('10.50'), datetime.date(2025, 1, 3))"
    _, session = next(each for each in server.asked if each[0].startswith("SELECT"))
    assert "query_max_run_time=7s" in session
    assert "query_max_scan_physical_bytes=5000000000B" in session


async def test_passes_on_what_the_server_says(server: Server):
    warehouse = await open_warehouse(server.url)

    with pytest.raises(QueryRejected, match="Column 'nope' cannot be resolved"):
        await warehouse.fetch(unguarded("SELECT nope FROM t", Dialect.TRINO), max_rows=1)
    await warehouse.close()


async def test_stopping_deletes_the_query(server: Server):
    warehouse = await open_warehouse(server.url)
    query = unguarded("SELECT slow FROM t", Dialect.TRINO)

    running = asyncio.create_task(warehouse.fetch(query, max_rows=1))
    await asyncio.to_thread(server.waiting.wait, 10)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await warehouse.close()

    assert server.cancelled.is_set()


async def test_time_that_is_over_deletes_the_query(server: Server):
    warehouse = await open_warehouse(server.url, limits=Limits(seconds=0.5))

    with pytest.raises(TemporarilyUnavailable, match="seconds"):
        await warehouse.fetch(unguarded("SELECT slow FROM t", Dialect.TRINO), max_rows=1)
    await warehouse.close()

    assert server.cancelled.is_set()
