from __future__ import annotations

import socket
import sys

import pytest

from adapters.warehouses.opening import open_warehouse
from core.domain.errors import ConnectionUnusable
from tests.kit.replayed import Tape, installed
from tests.kit.services import DATABRICKS


@pytest.mark.parametrize(
    ("url", "extra"),
    [
        ("bigquery://project/shop", "bigquery"),
        ("snowflake://u:p@account/db", "snowflake"),
        ("redshift://u:p@host/db", "redshift"),
        ("databricks://token:t@host?http_path=/sql/1.0/warehouses/1", "databricks"),
        ("clickhouse://u:p@host/db", "clickhouse"),
        ("trino://u@host/hive", "trino"),
        ("sqlserver://u:p@host/db", "sqlserver"),
    ],
)
async def test_a_missing_driver_is_named(url: str, extra: str, monkeypatch: pytest.MonkeyPatch):
    for name in ("google.cloud.bigquery", "snowflake.connector", "redshift_connector", "pyodbc"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("databricks.sql", "clickhouse_connect", "trino.dbapi"):
        monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(ConnectionUnusable) as caught:
        await open_warehouse(url)

    assert str(caught.value).endswith(f"is not installed. Run: pip install 'resona[{extra}]'")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("snowflake://u:secret@account", "names no database"),
        ("snowflake://u:secret@account/a/b/c", "Write it as snowflake://user"),
        ("databricks://token:secret@host/main", "names no SQL warehouse"),
        ("trino://u:secret@host", "names no database"),
        ("oracle://u:secret@host/db", "cannot open oracle:// yet; it opens bigquery"),
    ],
)
async def test_says_how_a_url_is_written(url: str, words: str, monkeypatch: pytest.MonkeyPatch):
    installed(monkeypatch, Tape(), DATABRICKS.modules)

    with pytest.raises(ConnectionUnusable) as caught:
        await open_warehouse(url)

    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("module", "url"),
    [
        ("trino", "trino://u@127.0.0.1:{port}/hive/shop"),
        ("clickhouse_connect", "clickhouse://u:secret@127.0.0.1:{port}/shop"),
        ("redshift_connector", "redshift://u:secret@127.0.0.1:{port}/shop"),
        (
            "snowflake.connector",
            "snowflake://u:secret@account/db?host=127.0.0.1&port={port}&protocol=http",
        ),
    ],
)
async def test_a_service_that_is_not_there_cannot_be_reached(module: str, url: str):
    pytest.importorskip(module, reason="the driver is not installed")
    with socket.socket() as taken:
        # Bound, but it does not listen.
        taken.bind(("127.0.0.1", 0))
        warehouse = await open_warehouse(url.format(port=taken.getsockname()[1]))

        with pytest.raises(ConnectionUnusable) as caught:
            await warehouse.inspect()
    await warehouse.close()

    assert "cannot be reached" in str(caught.value)
    assert "secret" not in str(caught.value)
