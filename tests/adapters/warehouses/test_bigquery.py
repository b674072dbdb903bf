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
from core.domain.connection import Limits
from core.domain.errors import ConnectionUnusable, QueryRejected, TemporarilyUnavailable
from core.domain.query import Ceiling, Dialect
from core.domain.table import ColumnKind
from tests.kit.unguarded import unguarded

URL = "bigquery://my-project/shop?location=EU"
COLUMNS = [
    ("shop", "orders", "id", "INT64", "NO", None),
    ("shop", "orders", "amount", "NUMERIC", "YES", "In euros"),
    ("shop", "orders", "day", "DATE", "YES", None),
    ("shop", "orders", "lines", "ARRAY<STRUCT<sku STRING, n INT64>>", "NO", None),
]
KEYS = [("shop", "orders", "pk", "p", "id", None, None, None)]


class ServiceError(Exception):
    """What Google's client raises: a status and a message."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class Config:
    """The settings of one job, as the driver would send them."""

    def __init__(self, *, use_legacy_sql: bool, labels: dict[str, str], **settings: object) -> None:
        assert not use_legacy_sql
        assert labels == {"application": "resona"}
        self.settings = settings
        self.default_dataset = ""


@dataclass
class Job:
    service: Service
    sql: str
    statement_type: str
    rows: Sequence[tuple[object, ...]]
    total_bytes_processed: int = 1_073_741_824
    referenced_tables: tuple[str, ...] = ("orders", "customers")
    location: str = "EU"
    _properties: dict[str, object] = field(default_factory=dict[str, object])

    def result(self, *, page_size: int, timeout: float, retry: object, job_retry: None) -> Result:
        assert page_size > 0
        assert retry == ("for so many seconds", timeout)
        if "slow" in self.sql:
            self.service.running.set()
            assert self.service.cancelled.wait(10)
            raise ServiceError(499, "Job execution was cancelled")
        return Result(self.rows)


@dataclass(frozen=True)
class Given:
    row: tuple[object, ...]

    def values(self) -> tuple[object, ...]:
        return self.row


@dataclass
class Result:
    rows: Sequence[tuple[object, ...]]

    @property
    def schema(self) -> list[SimpleNamespace]:
        return [
            SimpleNamespace(name=f"c{at}", field_type="INTEGER", mode="NULLABLE")
            for at in range(len(self.rows[0]) if self.rows else 1)
        ]

    def __iter__(self) -> Iterator[Given]:
        for row in self.rows:
            yield Given(row)


@dataclass
class Service:
    """Takes the place of Google's client, and of the service behind it."""

    kind: str = "SELECT"
    accuracy: str = "PRECISE"
    error: Exception | None = None
    jobs: list[tuple[str, dict[str, object]]] = field(
        default_factory=list[tuple[str, dict[str, object]]]
    )
    cancelled_jobs: list[str] = field(default_factory=list[str])
    ids: list[str] = field(default_factory=list[str])
    running: threading.Event = field(default_factory=threading.Event)
    cancelled: threading.Event = field(default_factory=threading.Event)

    def query(
        self,
        query: str,
        *,
        job_config: Config,
        job_id: str,
        timeout: float,
        retry: tuple[str, float],
        job_retry: None,
    ) -> Job:
        assert 0 < retry[1] < 600
        if self.error is not None:
            raise self.error
        self.jobs.append((" ".join(query.split()), job_config.settings))
        self.ids.append(job_id)
        answer: dict[str, object] = {
            "statistics": {"query": {"totalBytesProcessedAccuracy": self.accuracy}}
        }
        return Job(self, query, self.kind, self.rows_of(query), _properties=answer)

    def rows_of(self, query: str) -> Sequence[tuple[object, ...]]:
        for word, rows in (
            ("KEY_COLUMN_USAGE", KEYS),
            ("COLUMN_FIELD_PATHS", COLUMNS),
            ("__TABLES__", [("shop", "orders", False, 2_000_000, 64_000_000, "")]),
            ("SCHEMATA", [("shop",), ("not a name`",)]),
        ):
            if word in query:
                return rows
        return [(at,) for at in range(30)]

    def cancel_job(
        self, job_id: str, *, location: str | None, timeout: float, retry: object
    ) -> None:
        assert retry == ("for so many seconds", timeout)
        self.cancelled_jobs.append(job_id)
        self.cancelled.set()

    def close(self) -> None:
        self.running.clear()


def for_so_many_seconds(seconds: float) -> tuple[str, float]:
    return "for so many seconds", seconds


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Service:
    here = Service()

    def client(*, project: str, location: str) -> Service:
        assert (project, location) == ("my-project", "EU")
        return here

    for name, content in {
        "google.cloud.bigquery": {
            "Client": client,
            "QueryJobConfig": Config,
            "DEFAULT_RETRY": SimpleNamespace(with_timeout=for_so_many_seconds),
        },
        "google.api_core.exceptions": {"GoogleAPIError": ServiceError},
        "google.auth.exceptions": {"GoogleAuthError": PermissionError},
        "requests.exceptions": {"RequestException": OSError},
    }.items():
        module = ModuleType(name)
        module.__dict__.update(content)
        monkeypatch.setitem(sys.modules, name, module)
    return here


async def opened(**limits: float) -> SqlWarehouse:
    return await open_warehouse(URL, limits=Limits(seconds=limits.get("seconds", 20.0)))


async def test_reads_the_catalog_of_a_dataset_without_a_look_into_its_tables(service: Service):
    warehouse = await opened()

    catalog = await warehouse.inspect()
    await warehouse.close()

    orders = catalog.table("orders")
    assert orders is not None
    assert (orders.row_estimate, orders.primary_key) == (2_000_000, ("id",))
    assert [(c.name, c.kind, c.comment) for c in orders.columns] == [
        ("id", ColumnKind.DIMENSION, ""),
        ("amount", ColumnKind.MEASURE, "In euros"),
        ("day", ColumnKind.TIME, ""),
        ("lines", ColumnKind.TEXT, ""),
    ]
    asked = [sql for sql, _ in service.jobs]
    assert all("INFORMATION_SCHEMA" in sql or "__TABLES__" in sql for sql in asked)


async def test_without_a_dataset_all_that_may_be_read_are(service: Service):
    warehouse = await open_warehouse("bigquery://my-project?location=EU")

    catalog = await warehouse.inspect()
    await warehouse.close()

    assert [table.qualified_name for table in catalog.tables] == ["shop.orders"]
    assert "`region-eu`.INFORMATION_SCHEMA.SCHEMATA" in service.jobs[0][0]
    assert not any("not a name" in sql for sql, _ in service.jobs)


async def test_a_job_has_its_ceiling_and_its_time(service: Service):
    warehouse = await opened()
    query = unguarded("SELECT id FROM orders", Dialect.BIGQUERY)

    table = await warehouse.fetch(query, max_rows=10, ceiling=Ceiling(bytes=5e9))
    await warehouse.fetch(query, max_rows=10, ceiling=Ceiling(bytes=1))
    await warehouse.close()

    assert (len(table.rows), table.truncated) == (10, True)
    dry, job, _, small = [settings for _, settings in service.jobs]
    assert dry == {"dry_run": True, "use_query_cache": False}
    assert job == {"job_timeout_ms": 20_000, "maximum_bytes_billed": 5_000_000_000}
    # So much is billed for two tables at least.
    assert small["maximum_bytes_billed"] == 2 * 10 * 1024 * 1024


@pytest.mark.parametrize("kind", ["SCRIPT", "INSERT", "CREATE_TABLE_AS_SELECT", "CALL", ""])
async def test_what_the_dry_run_calls_no_select_never_runs(service: Service, kind: str):
    service.kind = kind
    warehouse = await opened()
    query = unguarded("SELECT id FROM orders", Dialect.BIGQUERY)

    with pytest.raises(QueryRejected, match="Only a SELECT"):
        await warehouse.fetch(query, max_rows=1)
    with pytest.raises(QueryRejected, match="Only a SELECT"):
        await warehouse.estimate(query)
    await warehouse.close()

    assert all(settings.get("dry_run") for _, settings in service.jobs)


@pytest.mark.parametrize(
    ("accuracy", "confidence", "size"),
    [
        ("PRECISE", "exact", 2**30),
        ("UPPER_BOUND", "upper_bound", 2**30),
        ("LOWER_BOUND", "unknown", None),
        ("UNKNOWN", "unknown", None),
    ],
)
async def test_estimates_by_a_dry_run(
    service: Service, accuracy: str, confidence: str, size: int | None
):
    service.accuracy = accuracy
    warehouse = await opened()

    estimate = await warehouse.estimate(unguarded("SELECT id FROM orders", Dialect.BIGQUERY))
    await warehouse.close()

    assert (estimate.confidence, estimate.bytes) == (confidence, size)
    assert estimate.rows == (2_000_000 if size else None)


async def test_stopping_cancels_the_job(service: Service):
    warehouse = await opened()
    query = unguarded("SELECT slow FROM orders", Dialect.BIGQUERY)

    running = asyncio.create_task(warehouse.fetch(query, max_rows=1))
    await asyncio.to_thread(service.running.wait, 10)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await warehouse.close()

    assert service.cancelled_jobs == [service.ids[-1]]


async def test_time_that_is_over_cancels_the_job(service: Service):
    warehouse = await opened(seconds=1.0)

    with pytest.raises(TemporarilyUnavailable, match=r"stopped after 1 seconds"):
        await warehouse.fetch(unguarded("SELECT slow", Dialect.BIGQUERY), max_rows=1)
    await warehouse.close()

    assert service.cancelled_jobs == [service.ids[-1]]


@pytest.mark.parametrize(
    ("error", "raised", "words"),
    [
        (ServiceError(400, "Unrecognized name: nope at [1:8]"), QueryRejected, "Unrecognized name"),
        (ServiceError(503, "backend error"), TemporarilyUnavailable, "backend error"),
        (ServiceError(403, "quota exceeded"), TemporarilyUnavailable, "quota exceeded"),
        (ServiceError(403, "Access Denied: Table x"), QueryRejected, "Access Denied"),
        (ConnectionError("reset"), TemporarilyUnavailable, "reset"),
    ],
)
async def test_passes_on_the_services_words(
    service: Service, error: Exception, raised: type[Exception], words: str
):
    service.error = error
    warehouse = await opened()

    with pytest.raises(raised, match=words):
        await warehouse.fetch(unguarded("SELECT 1", Dialect.BIGQUERY), max_rows=1)
    await warehouse.close()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ServiceError(403, "User does not have bigquery.jobs.create"), "bigquery.jobs.create"),
        (ServiceError(404, "Not found: Dataset"), "does not exist there"),
        (ConnectionError("no route"), "cannot be reached"),
    ],
)
async def test_says_what_is_wrong_with_a_connection(service: Service, error: Exception, words: str):
    service.error = error
    warehouse = await opened()

    with pytest.raises(ConnectionUnusable, match=words):
        await warehouse.inspect()
    await warehouse.close()
