"""Snowflake's real connector against a server that replays the service's answers over HTTP."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from adapters.warehouses.opening import open_warehouse
from core.domain.connection import Limits
from core.domain.errors import QueryRejected
from core.domain.query import Dialect
from core.domain.table import ColumnKind
from tests.kit.unguarded import unguarded

pytest.importorskip("snowflake.connector", reason="resona[snowflake] is not installed")

QUERY = "01b2c3d4-0000-4000-8000-000000000001"
COLUMNS = [
    {"name": "N", "type": "fixed", "scale": 0, "precision": 38, "nullable": True},
    {"name": "PRICE", "type": "fixed", "scale": 2, "precision": 12, "nullable": True},
    {"name": "DAY", "type": "date", "nullable": True},
    {"name": "ODD", "type": "text", "length": 20, "byteLength": 80, "nullable": True},
]
# A date travels as the days since 1970.
ROWS = [[str(n), "10.50", "20091", "100% :x"] for n in range(250)]


@dataclass
class Server:
    asked: list[tuple[str, dict[str, Any]]] = field(
        default_factory=list[tuple[str, dict[str, Any]]]
    )
    session: dict[str, Any] = field(default_factory=dict[str, Any])
    aborted: threading.Event = field(default_factory=threading.Event)
    waiting: threading.Event = field(default_factory=threading.Event)
    sql: str = ""
    port: int = 0

    @property
    def url(self) -> str:
        return (
            "snowflake://reader:none@org-account/DEV/SHOP?warehouse=SMALL&role=READER"
            f"&host=127.0.0.1&port={self.port}&protocol=http"
        )


class Protocol(BaseHTTPRequestHandler):
    server_in_use: ClassVar[Server]

    def do_POST(self) -> None:
        server, place, asked = self.server_in_use, self.path.partition("?")[0], self.body()
        server.asked.append((place, asked))
        if place.endswith("login-request"):
            server.session = asked["data"].get("SESSION_PARAMETERS", {})
            self.give({"data": _LOGGED_IN})
        elif place.endswith("query-request"):
            server.sql = asked["sqlText"]
            self.give({"code": "333334", "data": {"queryId": QUERY, "getResultUrl": "/x"}})
        else:
            if place.endswith("abort-request"):
                server.aborted.set()
            self.give({"data": {}})

    def do_GET(self) -> None:
        if "/monitoring/queries/" in self.path:
            self.give({"data": {"queries": [self.status()]}})
        else:
            self.give({"data": {**_RESULT, "rowset": ROWS, "total": len(ROWS)}})

    def status(self) -> dict[str, str]:
        server = self.server_in_use
        if "nope" in server.sql:
            words = "SQL compilation error: invalid identifier 'NOPE'"
            return {"status": "FAILED_WITH_ERROR", "errorCode": "904", "errorMessage": words}
        if "slow" in server.sql and not server.aborted.is_set():
            server.waiting.set()
            return {"status": "RUNNING", "errorCode": "", "errorMessage": ""}
        return {"status": "SUCCESS", "errorCode": "", "errorMessage": ""}

    def body(self) -> dict[str, Any]:
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            text = gzip.decompress(text)
        return json.loads(text) if text else {}

    def give(self, content: dict[str, Any]) -> None:
        body = json.dumps({"success": True, "code": None, "message": None, **content}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


_LOGGED_IN: dict[str, object] = {
    "token": "t",
    "masterToken": "m",
    "sessionId": 1,
    "parameters": [],
    "validityInSeconds": 3600,
    "masterValidityInSeconds": 14400,
    "sessionInfo": {"databaseName": "DEV", "schemaName": "SHOP", "warehouseName": "SMALL"},
}
_RESULT: dict[str, object] = {
    "queryId": QUERY,
    "queryResultFormat": "json",
    "rowtype": COLUMNS,
    "parameters": [],
    "returned": len(ROWS),
    "statementTypeId": 4096,
    "version": 1,
    "sqlState": "00000",
}


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


async def test_reads_what_was_sent_as_one_statement(server: Server):
    warehouse = await open_warehouse(server.url, limits=Limits(seconds=20))
    query = unguarded("SELECT n, price, day, odd FROM t", Dialect.SNOWFLAKE)

    table = await warehouse.fetch(query, max_rows=200)
    await warehouse.close()

    assert [(c.name, c.kind) for c in table.columns][:3] == [
        ("N", ColumnKind.MEASURE),
        ("PRICE", ColumnKind.MEASURE),
        ("DAY", ColumnKind.TIME),
    ]
    assert table.rows[0] == (0, Decimal("10.50"), date(2025, 1, 3), "100% :x")
    assert (len(table.rows), table.truncated) == (200, True)
    [sent] = [asked for place, asked in server.asked if place.endswith("query-request")]
    assert sent["sqlText"] == query.sql
    assert sent["parameters"]["MULTI_STATEMENT_COUNT"] == 1
    assert server.session["STATEMENT_TIMEOUT_IN_SECONDS"] == "20"
    assert server.session["TIMEZONE"] == "UTC"


async def test_passes_on_what_the_service_says(server: Server):
    warehouse = await open_warehouse(server.url)

    with pytest.raises(QueryRejected, match="invalid identifier 'NOPE'"):
        await warehouse.fetch(unguarded("SELECT nope FROM t", Dialect.SNOWFLAKE), max_rows=1)
    await warehouse.close()


async def test_stopping_aborts_the_query(server: Server):
    warehouse = await open_warehouse(server.url)
    query = unguarded("SELECT slow FROM t", Dialect.SNOWFLAKE)

    running = asyncio.create_task(warehouse.fetch(query, max_rows=1))
    await asyncio.to_thread(server.waiting.wait, 10)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await warehouse.close()

    assert server.aborted.is_set()
