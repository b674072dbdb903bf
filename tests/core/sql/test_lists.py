"""The lists of what may be called: fresh, complete, and reviewed when the parser changes."""

import sqlite3
from contextlib import closing

import duckdb
import pytest
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from syrupy.assertion import SnapshotAssertion

from core.domain.query import Dialect
from core.sql.dialects.lists import functions_of, kept_as_written, known_nodes
from tests.kit.sql_functions import DUCKDB, SQLITE
from tests.kit.sql_verbatim import translated


@pytest.mark.parametrize("dialect", list(Dialect))
def test_every_dialect_of_the_project_has_a_list(dialect: Dialect):
    functions = functions_of(dialect)

    assert len(functions.names) > 150
    assert functions.tables <= functions.names
    assert {"count", "sum", "coalesce", "row_number"} <= functions.names
    assert all(name == name.lower() for name in functions.names)


@pytest.mark.no_cover
@pytest.mark.parametrize("dialect", list(Dialect))
def test_what_the_parser_would_translate_is_kept_as_written(dialect: Dialect):
    assert set(translated(dialect)) <= kept_as_written(dialect)


@pytest.mark.parametrize("dialect", list(Dialect))
def test_nothing_that_reaches_out_is_on_a_list(dialect: Dialect):
    marks = (
        "read_", "_file", "file_", "sleep", "secret", "http", "url(", "exec", "system", "setting",
        "_lock", "nextval", "setval", "dblink", "query_to", "load_", "pg_read", "pg_ls",
    )  # fmt: skip
    suspect = {
        name
        for name in functions_of(dialect).names
        if any(mark in name for mark in marks) or name.startswith("xp_")
    }

    assert suspect <= {"parse_filename"}


def test_the_generated_lists_hold_what_the_engines_have_here():
    with closing(sqlite3.connect(":memory:")) as connection:
        names = {row[0].lower() for row in connection.execute(SQLITE)}
    assert {"abs", "strftime", "group_concat"} <= names & functions_of(Dialect.SQLITE).names

    with duckdb.connect() as connection:
        rows = connection.execute(DUCKDB).fetchall()
    assert {"list_sort", "regexp_extract"} <= {str(row[0]) for row in rows} & functions_of(
        Dialect.DUCKDB
    ).names


def test_the_arguments_of_known_nodes_are_reviewed_when_they_change(snapshot: SnapshotAssertion):
    # A new version of the parser may hang new clauses on a class that is known. When this fails,
    # look at what is new before taking it over: each argument is rendered and runs.
    arguments = {each.__name__: sorted(each.arg_types) for each in known_nodes()}

    assert dict(sorted(arguments.items())) == snapshot


def test_nodes_that_change_or_read_something_are_not_known():
    refused = (
        exp.Command, exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Set,
        exp.Copy, exp.Into, exp.Lock, exp.Hint, exp.ReadCSV, exp.ReadParquet, exp.NextValueFor,
        exp.Secret, exp.Parameter, exp.SessionParameter, exp.Placeholder, exp.Operator,
        exp.ObjectIdentifier, exp.Use, exp.Pragma, exp.Attach, exp.Transaction, exp.Commit,
        exp.Describe, exp.Show, exp.Kill, exp.Grant, exp.QueryTransform, exp.MatchRecognize,
    )  # fmt: skip

    assert not set(refused) & known_nodes()


def test_the_parser_has_not_got_another_name_for_a_dialect():
    for dialect in Dialect:
        assert type(Grammar.get_or_raise(dialect)).__name__.lower() == dialect
