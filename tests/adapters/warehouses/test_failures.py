from __future__ import annotations

import pymysql
import pytest
from sqlalchemy.exc import TimeoutError as NoFreeConnection

from adapters.warehouses.duckdb import warehouse as duckdb
from adapters.warehouses.mysql import failures as mysql
from adapters.warehouses.postgres import driver
from adapters.warehouses.postgres import failures as postgres
from adapters.warehouses.sqlite import warehouse as sqlite
from core.domain.errors import QueryRejected, TemporarilyUnavailable, ToolError


def said_by_postgres(state: str, words: str = "words") -> Exception:
    error = driver.ServerError(words)
    error.__dict__["sqlstate"] = state
    return error


def said_by_mysql(number: int) -> Exception:
    return pymysql.err.OperationalError(number, "words")


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (said_by_postgres("57014"), TemporarilyUnavailable, "stopped after 3 seconds"),
        (TimeoutError(), TemporarilyUnavailable, "stopped after 3 seconds"),
        (NoFreeConnection(), TemporarilyUnavailable, "busy with other queries for 3 seconds"),
        (said_by_postgres("40P01"), TemporarilyUnavailable, "words"),
        (said_by_postgres("53300"), TemporarilyUnavailable, "words"),
        (said_by_postgres("42703"), QueryRejected, "words"),
        (driver.DriverError("gone"), TemporarilyUnavailable, "was lost"),
        (ConnectionResetError("gone"), TemporarilyUnavailable, "was lost"),
        (ValueError("year 10000"), QueryRejected, "Cast it to text"),
    ],
)
def test_postgres_says_whether_to_try_again(error: Exception, kind: type[ToolError], words: str):
    translated = postgres.translated(error, 3.0)

    assert type(translated) is kind
    assert words in translated.advice


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (said_by_mysql(1969), TemporarilyUnavailable, "stopped after 3 seconds"),
        (said_by_mysql(3024), TemporarilyUnavailable, "stopped after 3 seconds"),
        (TimeoutError(), TemporarilyUnavailable, "stopped after 3 seconds"),
        (NoFreeConnection(), TemporarilyUnavailable, "busy with other queries for 3 seconds"),
        (said_by_mysql(1205), TemporarilyUnavailable, "words"),
        (said_by_mysql(2013), TemporarilyUnavailable, "words"),
        (said_by_mysql(1054), QueryRejected, "words"),
        (ConnectionResetError("gone"), TemporarilyUnavailable, "was lost"),
        (ValueError("no date"), QueryRejected, "Cast it to text"),
    ],
)
def test_mysql_says_whether_to_try_again(error: Exception, kind: type[ToolError], words: str):
    translated = mysql.translated(error, 3.0)

    assert type(translated) is kind
    assert words in translated.advice


def because_of(cause: Exception) -> ToolError:
    error = TemporarilyUnavailable("words")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("advice", "sentence"),
    [
        (postgres.advice(because_of(said_by_postgres("28P01"))), "refuses the user name"),
        (postgres.advice(because_of(said_by_postgres("3D000"))), "does not exist"),
        (postgres.advice(because_of(said_by_postgres("XX000"))), "Ask its administrator"),
        (postgres.advice(because_of(ConnectionRefusedError())), "cannot be reached"),
        (postgres.advice(TemporarilyUnavailable("words")), "cannot be read: words"),
        (mysql.advice(because_of(said_by_mysql(1045))), "refuses the user name"),
        (mysql.advice(because_of(said_by_mysql(1049))), "does not exist"),
        (mysql.advice(because_of(said_by_mysql(2003))), "cannot be reached"),
        (mysql.advice(because_of(said_by_mysql(1290))), "cannot be read: words"),
        (sqlite.advice(QueryRejected("database is locked")), "locked by another program"),
        (sqlite.advice(QueryRejected("file is not a database")), "is no SQLite database"),
        (sqlite.advice(QueryRejected("unable to open database file")), "Check that it exists"),
        (sqlite.advice(QueryRejected("database disk image is malformed")), "restore it"),
        (duckdb.advice(QueryRejected("Could not set lock on file")), "open for writing"),
        (duckdb.advice(QueryRejected("not a valid DuckDB database")), "is no DuckDB database"),
        (duckdb.advice(QueryRejected('Cannot open file "x"')), "Check that it exists"),
        (duckdb.advice(QueryRejected("Corrupt\nmore")), "cannot be read (Corrupt)"),
    ],
)
def test_says_what_to_do_about_a_connection(advice: str, sentence: str):
    assert sentence in advice
