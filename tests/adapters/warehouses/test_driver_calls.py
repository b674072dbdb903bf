"""Holds the calls that are made of a service's driver against the real one, where it is installed.

The drivers are extras, so that these tests are skipped where they are not: what the services
would give is replayed in the other tests, and here stands that the drivers take what they are sent.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.replayed import ReplayedConnection, ReplayedCursor, SnowflakeCursor

_ANY = "none"


def found(module: str, *path: str) -> Any:
    """Import what the driver has under a name; skip where it is not installed."""
    try:
        thing: Any = importlib.import_module(module)
    except ImportError as error:
        pytest.skip(f"the driver is not installed or lacks a library: {error}")
    for name in path:
        thing = getattr(thing, name)
    return thing


def takes(call: Callable[..., object], *args: object, **options: object) -> bool:
    inspect.signature(call).bind(*args, **options)
    return True


def test_bigquery():
    client = found("google.cloud.bigquery", "Client")
    job = found("google.cloud.bigquery", "QueryJob")
    config = found("google.cloud.bigquery", "QueryJobConfig")

    made = config(
        use_legacy_sql=False,
        labels={"application": "resona"},
        dry_run=True,
        use_query_cache=False,
        job_timeout_ms=1_000,
        maximum_bytes_billed=10,
    )
    made.default_dataset = "project.shop"

    assert made.to_api_repr()["query"]["maximumBytesBilled"] == "10"
    assert made.to_api_repr()["jobTimeoutMs"] == "1000"
    assert made.to_api_repr()["dryRun"] is True
    assert takes(client, project="p", location="EU")
    assert takes(client.from_service_account_json, "key.json", project="p", location="EU")
    retry = found("google.cloud.bigquery", "DEFAULT_RETRY").with_timeout(1.0)
    asked = {"job_config": made, "job_id": "x", "timeout": 1.0, "retry": retry, "job_retry": None}
    assert takes(client.query, client, "SELECT 1", **asked)
    assert takes(client.cancel_job, client, "x", location=None, timeout=1.0, retry=retry)
    assert takes(job.result, job, page_size=10, timeout=1.0, retry=retry, job_retry=None)
    for name in ("statement_type", "total_bytes_processed", "referenced_tables", "location"):
        assert isinstance(inspect.getattr_static(job, name), property)


def test_bigquery_says_how_exact_a_dry_run_is():
    from_answer = found("google.cloud.bigquery", "QueryJob").from_api_repr
    accuracy_of = found("adapters.warehouses.bigquery.engine", "accuracy_of")
    answer = {
        "jobReference": {"projectId": "p", "jobId": "x"},
        "configuration": {"query": {"query": "SELECT 1"}, "dryRun": True},
        "statistics": {
            "totalBytesProcessed": "1048576",
            "query": {
                "statementType": "SELECT",
                "totalBytesProcessed": "1048576",
                "totalBytesProcessedAccuracy": "LOWER_BOUND",
            },
        },
    }

    anonymous = found("google.auth.credentials", "AnonymousCredentials")()
    client = found("google.cloud.bigquery", "Client")(project="p", credentials=anonymous)

    job = from_answer(answer, client=client)

    assert (job.statement_type, job.total_bytes_processed) == ("SELECT", 1_048_576)
    assert accuracy_of(job) == "LOWER_BOUND"


def test_snowflake():
    connection = found("snowflake.connector", "SnowflakeConnection")
    cursor = found("snowflake.connector.cursor", "SnowflakeCursor")
    error = found("snowflake.connector", "errors", "Error")

    assert issubclass(error, Exception)
    assert takes(cursor.execute_async, None, "SELECT 1", num_statements=1)
    assert takes(cursor.get_results_from_sfqid, None, "id")
    assert takes(cursor.abort_query, None, "id")
    assert takes(connection.get_query_status_throw_if_error, None, "id")
    assert takes(connection.is_still_running, "status")
    same_methods(SnowflakeCursor, cursor)


def test_redshift():
    connect = found("redshift_connector", "connect")
    cursor = found("redshift_connector", "Cursor")

    assert takes(
        connect,
        host="h",
        port=5439,
        user="u",
        password=_ANY,
        database="d",
        ssl=True,
        sslmode="verify-ca",
        timeout=30,
        application_name="resona",
        max_prepared_statements=0,
    )
    # It has no cancel: a second connection asks the server to.
    same_methods(ReplayedCursor, cursor, but=("cancel",))


def test_databricks():
    connect = found("databricks.sql", "connect")
    cursor = found("databricks.sql.client", "Cursor")
    source = inspect.getsource(found("databricks.sql.client"))

    assert takes(
        connect,
        server_hostname="h",
        http_path="/x",
        access_token=_ANY,
        catalog="main",
        schema="default",
        session_configuration={"STATEMENT_TIMEOUT": "30"},
        user_agent_entry="resona",
        enable_telemetry=False,
        _socket_timeout=45,
    )
    source += inspect.getsource(found("databricks.sql.backend.thrift_backend"))
    settings = ("enable_telemetry", "_socket_timeout", "_retry_stop_after_attempts_duration")
    assert all(name in source for name in settings)
    same_methods(ReplayedCursor, cursor)


def test_trino():
    connection = found("trino.dbapi", "Connection")
    cursor = found("trino.dbapi", "Cursor")
    auth = found("trino.auth")

    made = connection(
        host="h",
        port=443,
        user="u",
        source="resona",
        catalog="hive",
        schema=None,
        http_scheme="https",
        auth=auth.BasicAuthentication("u", "p"),
        timezone="UTC",
        request_timeout=30.0,
        max_attempts=2,
    )

    assert made.host == "h"
    assert takes(auth.JWTAuthentication, "token")
    same_methods(ReplayedCursor, cursor)


def test_clickhouse():
    get_client = found("clickhouse_connect", "get_client")
    client = found("clickhouse_connect.driver.httpclient", "HttpClient")

    assert takes(client.query, None, "SELECT 1", settings={})
    assert takes(client.query_row_block_stream, None, "SELECT 1", settings={})
    assert takes(client.command, None, "KILL QUERY WHERE query_id = 'x'")
    assert "query_id" in client.valid_transport_settings
    named = {*inspect.signature(client).parameters, *inspect.signature(get_client).parameters}
    assert named >= {
        *("host", "port", "username", "password", "database", "secure", "client_name"),
        *("connect_timeout", "send_receive_timeout", "query_retries", "autogenerate_session_id"),
        "dedicated_pool",
    }


def test_sqlserver():
    cursor = found("pyodbc", "Cursor")
    connection = found("pyodbc", "Connection")

    assert all(hasattr(connection, name) for name in ("timeout", "rollback", "cursor", "close"))
    same_methods(ReplayedCursor, cursor)


def same_methods(fake: type, real: type, *, but: tuple[str, ...] = ()) -> None:
    """Hold that the real cursor has what the replayed one was asked for."""
    public = {name for name in vars(fake) if not name.startswith("_")} - {"tape", "play", *but}
    public |= {"description", "execute", "fetchmany", "close"}
    assert all(hasattr(real, name) for name in public)
    assert hasattr(ReplayedConnection, "close")
