"""Google's real client against a server that replays the service's REST answers."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from adapters.warehouses.opening import open_warehouse
from core.domain.connection import Limits
from core.domain.errors import QueryRejected
from core.domain.query import Ceiling, Dialect
from tests.kit.unguarded import unguarded

pytest.importorskip("google.cloud.bigquery", reason="resona[bigquery] is not installed")

SCHEMA = {
    "fields": [
        {"name": "n", "type": "INTEGER", "mode": "NULLABLE"},
        {"name": "price", "type": "NUMERIC", "mode": "NULLABLE"},
        {"name": "day", "type": "DATE", "mode": "NULLABLE"},
        {"name": "tags", "type": "STRING", "mode": "REPEATED"},
    ]
}
ROWS = 5_000


@dataclass
class Server:
    jobs: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    cancelled: list[str] = field(default_factory=list[str])
    pages: list[int] = field(default_factory=list[int])
    waiting: threading.Event = field(default_factory=threading.Event)
    port: int = 0


class Protocol(BaseHTTPRequestHandler):
    server_in_use: ClassVar[Server]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.partition("?")[0].endswith("/cancel"):
            job = self.path.partition("?")[0].split("/")[-2]
            self.server_in_use.cancelled.append(job)
            self.give({"job": self.job(job)})
            return
        asked: dict[str, Any] = json.loads(body)
        sql = asked["configuration"]["query"]["query"]
        if "nope" in sql:
            self.give({"error": {"code": 400, "message": "Unrecognized name: nope"}}, 400)
            return
        name = asked["jobReference"]["jobId"]
        self.server_in_use.jobs[name] = asked
        self.give(self.job(name))

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        name = place.path.rsplit("/", 1)[1]
        slow = "slow" in self.server_in_use.jobs[name]["configuration"]["query"]["query"]
        if "/queries/" not in place.path:
            self.give(self.job(name))
        elif slow and name not in self.server_in_use.cancelled:
            self.server_in_use.waiting.set()
            self.give({"jobReference": self.reference(name), "jobComplete": False})
        else:
            self.give(self.results(name, parse_qs(place.query)))

    def results(self, name: str, asked: dict[str, list[str]]) -> dict[str, Any]:
        start = int(asked.get("pageToken", ["0"])[0])
        size = int(asked.get("maxResults", [str(ROWS)])[0])
        sql = self.server_in_use.jobs[name]["configuration"]["query"]["query"]
        of_catalog = "INFORMATION_SCHEMA" in sql or "__TABLES__" in sql
        end = 0 if of_catalog else min(ROWS, start + size)
        if size:
            self.server_in_use.pages.append(size)
        rows = [
            {"f": [{"v": str(n)}, {"v": "10.50"}, {"v": "2025-01-03"}, {"v": [{"v": "a"}]}]}
            for n in range(start, end)
        ]
        more = {"pageToken": str(end)} if 0 < end < ROWS else {}
        return {
            "jobReference": self.reference(name),
            "jobComplete": True,
            "schema": SCHEMA,
            "totalRows": "0" if of_catalog else str(ROWS),
            "rows": rows,
            **more,
        }

    def reference(self, name: str) -> dict[str, str]:
        return {"projectId": "my-project", "jobId": name, "location": "EU"}

    def job(self, name: str) -> dict[str, Any]:
        configuration = self.server_in_use.jobs[name]["configuration"]
        done = "slow" not in configuration["query"]["query"] or configuration.get("dryRun")
        return {
            "id": f"my-project:EU.{name}",
            "jobReference": self.reference(name),
            "configuration": {"jobType": "QUERY", **configuration},
            "status": {"state": "DONE" if done else "RUNNING"},
            "statistics": {
                "totalBytesProcessed": "1048576",
                "query": {
                    "statementType": "SELECT",
                    "totalBytesProcessed": "1048576",
                    "totalBytesProcessedAccuracy": "PRECISE",
                    "referencedTables": [
                        {"projectId": "my-project", "datasetId": "shop", "tableId": "orders"}
                    ],
                },
            },
        }

    def give(self, content: dict[str, Any], status: int = 200) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    here = Server()
    handler = type("Replayed", (Protocol,), {"server_in_use": here})
    anonymous = pytest.importorskip("google.auth.credentials").AnonymousCredentials

    def login(**_: object) -> tuple[object, str]:
        return anonymous(), "my-project"

    monkeypatch.setattr("google.auth.default", login)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        here.port = http.server_port
        monkeypatch.setenv("BIGQUERY_EMULATOR_HOST", f"http://127.0.0.1:{here.port}")
        serving = threading.Thread(target=http.serve_forever, daemon=True)
        serving.start()
        yield here
        http.shutdown()
        serving.join()


URL = "bigquery://my-project/shop?location=EU"


async def test_runs_a_job_within_its_ceiling_and_reads_it_page_by_page(server: Server):
    warehouse = await open_warehouse(URL, limits=Limits(seconds=9))
    query = unguarded("SELECT n, price, day, tags FROM orders", Dialect.BIGQUERY)

    table = await warehouse.fetch(query, max_rows=4_500, ceiling=Ceiling(bytes=5e9))
    await warehouse.close()

    assert table.rows[0] == (0, Decimal("10.50"), date(2025, 1, 3), ["a"])
    assert [row[0] for row in table.rows] == [*range(4_500)]
    assert table.truncated
    assert max(server.pages) <= 2_000
    dry, job = server.jobs.values()
    assert dry["configuration"]["dryRun"] is True
    assert "dryRun" not in job["configuration"]
    assert job["configuration"]["jobTimeoutMs"] == "9000"
    assert job["configuration"]["query"]["maximumBytesBilled"] == "5000000000"
    assert job["configuration"]["query"]["useLegacySql"] is False
    assert job["configuration"]["query"]["defaultDataset"]["datasetId"] == "shop"


async def test_estimates_by_a_dry_run_alone(server: Server):
    warehouse = await open_warehouse(URL)

    estimate = await warehouse.estimate(unguarded("SELECT n FROM unknown", Dialect.BIGQUERY))
    await warehouse.close()

    assert (estimate.bytes, estimate.confidence) == (1_048_576, "exact")
    assert [*server.jobs.values()][-1]["configuration"]["dryRun"] is True


@pytest.mark.usefixtures("server")
async def test_passes_on_what_the_service_says():
    warehouse = await open_warehouse(URL)

    with pytest.raises(QueryRejected, match="Unrecognized name: nope"):
        await warehouse.fetch(unguarded("SELECT nope FROM t", Dialect.BIGQUERY), max_rows=1)
    await warehouse.close()


async def test_stopping_cancels_the_job(server: Server):
    warehouse = await open_warehouse(URL)
    query = unguarded("SELECT slow FROM orders", Dialect.BIGQUERY)

    running = asyncio.create_task(warehouse.fetch(query, max_rows=1))
    await asyncio.to_thread(server.waiting.wait, 10)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await warehouse.close()

    assert server.cancelled == [[*server.jobs][-1]]
