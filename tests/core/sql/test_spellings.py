"""Spellings that the parser reads or writes in its own way: what runs means what was written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from urllib.parse import urlsplit

import duckdb
import pymysql
import pytest

from core.domain.query import Dialect
from core.sql.guard import Guard
from tests.kit.servers import mariadb_database, mariadb_port

KEYED = """'{"a.b": 1, "a": {"b": 2}, "a-b": 3, "a b": 4, "0": 5}'"""


def rendered(sql: str, dialect: Dialect) -> str:
    verdict = Guard.without_catalog(dialect).judge(sql)
    assert verdict.allowed, verdict.reason
    return verdict.sql


@pytest.mark.parametrize("key", ["'a.b'", "'a-b'", "'a b'", "'a'", "'$.a.b'", "'$.\"a.b\"'"])
@pytest.mark.parametrize("arrow", ["->", "->>"])
def test_a_key_is_looked_up_whole(key: str, arrow: str):
    from_text = f"SELECT p {arrow} {key} FROM (SELECT {KEYED} AS p) AS t"
    from_json = from_text.replace("' AS p", "'::JSON AS p")

    with closing(sqlite3.connect(":memory:")) as database:
        meant = database.execute(from_text).fetchall()
        runs = database.execute(rendered(from_text, Dialect.SQLITE)).fetchall()
    with duckdb.connect() as other:
        meant_there = other.execute(from_json).fetchall()
        runs_there = other.execute(rendered(from_json, Dialect.DUCKDB)).fetchall()

    assert runs == meant
    assert runs_there == meant_there
    assert meant[0][0] is not None


@pytest.mark.parametrize(
    "value",
    [
        "json_array_length(p -> 'l')",
        "json_array_length(p -> 'd' -> 'e')",
        "json_array_length(p -> k)",
        "count(p -> 'l') + max(len(p ->> 'l'))",
        "list_transform([1, 2], x -> x + 1)",
        "list_transform([1, 2], lambda x : x + 1)",
        "list_filter([p], x -> (x ->> 'k') = 'v')",
        "list_reduce([1, 2, 3], (a, b) -> a * b)",
        "list_transform([p], x -> json_array_length(x -> 'l'))",
    ],
)
def test_an_arrow_is_a_look_up_where_no_lambda_is_taken(value: str):
    data = """'{"l": [1, 2, 3], "d": {"e": [1]}, "k": "v"}'"""
    asked = f"SELECT {value} FROM (SELECT {data}::JSON AS p, 'l' AS k) AS t GROUP BY ALL"

    with duckdb.connect() as database:
        database.execute("SET lambda_syntax = 'ENABLE_SINGLE_ARROW'")
        meant = database.execute(asked).fetchall()
        runs = database.execute(rendered(asked, Dialect.DUCKDB)).fetchall()

    assert runs == meant


def fetched(url: str, sql: str) -> object:
    database = urlsplit(url).path.removeprefix("/")
    connection = pymysql.connect(
        host="127.0.0.1", port=mariadb_port(url), user="root", database=database
    )
    with connection, connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


@pytest.mark.service
def test_patterns_are_written_as_mariadb_knows_them():
    columns = (
        "name REGEXP '^A', name NOT REGEXP 'n$', name RLIKE CONCAT('^', 'B'), "
        "1 = (name REGEXP 'A'), NOT name REGEXP 'x' AND name REGEXP 'n'"
    )
    asked = f"SELECT {columns} FROM people WHERE name REGEXP 'n|o' ORDER BY name"

    with mariadb_database(
        "CREATE TABLE people (name VARCHAR(9))",
        "INSERT INTO people VALUES ('Ann'), ('Bob'), ('Li')",
    ) as url:
        meant = fetched(url, asked)
        runs = fetched(url, rendered(asked, Dialect.MYSQL))

    assert runs == meant == ((1, 0, 0, 1, 1), (0, 1, 1, 0, 0))


def test_the_name_of_a_function_stands_without_quotes():
    verdict = Guard.without_catalog(Dialect.POSTGRES).judge('SELECT "make_date"(1, 2, 3)')

    assert not verdict.allowed
    assert "without quotes" in verdict.reason
