import io
import json
from types import SimpleNamespace

import pytest

from bot.cli.main import main

pytestmark = pytest.mark.usefixtures("demo")


def test_a_statement_that_may_run_is_shown_as_it_would_run(capsys: pytest.CaptureFixture[str]):
    assert main(["sql", "check", "--dialect", "postgres", "SELECT a FROM t -- all"]) == 0

    shown = capsys.readouterr().out
    assert shown.startswith("Allowed.")
    assert "SELECT" in shown
    assert "-- all" not in shown


def test_a_statement_that_may_not_is_refused_with_its_rule(capsys: pytest.CaptureFixture[str]):
    code = main(["sql", "check", "--dialect", "postgresql", "--json", "DELETE FROM t"])

    found = json.loads(capsys.readouterr().out)
    assert code == 4
    assert found["allowed"] is False
    assert found["rule"]
    assert found["reason"]
    assert found["rendered"] == ""
    assert found["estimate"] is None


def test_lines_are_judged_in_bulk_each_on_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    lines = [
        b'{"id": "ok", "dialect": "sqlite", "sql": "SELECT 1"}',
        b'{"id": 7, "dialect": "mysql", "sql": "DROP TABLE t"}',
        b'{"id": "d", "dialect": "klingon", "sql": "SELECT 1"}',
        b'{"id": "none", "sql": "SELECT 1"}',
        b'{"id": "n", "dialect": "sqlite", "sql": 7}',
        b"not json",
        b"[1]",
        b'{"id": "bytes", "dialect": "sqlite", "sql": "\xff"}',
        b"",
        b'{"id": "last", "dialect": "duckdb", "sql": "SELECT 2"}',
    ]
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"\n".join(lines))))

    assert main(["sql", "check", "--jsonl"]) == 0

    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["id"], each["allowed"]) for each in found] == [
        ("ok", True),
        (7, False),
        ("d", False),
        ("none", False),
        ("n", False),
        (None, False),
        (None, False),
        (None, False),
        ("last", True),
    ]
    assert [each["rule"] for each in found[2:8]] == [
        "dialect",
        "dialect",
        "input",
        "input",
        "input",
        "input",
    ]
    assert all(set(each) == {"id", "allowed", "rule", "reason", "rendered"} for each in found)


@pytest.mark.parametrize(
    "words",
    [
        ["sql", "check"],
        ["sql", "check", "--jsonl", "SELECT 1"],
        ["sql", "check", "SELECT 1"],
        ["sql", "check", "--dialect", "klingon", "SELECT 1"],
    ],
)
def test_what_is_missing_or_unknown_is_bad_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
):
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_with_a_connection_its_tables_are_known_and_the_cost_is_estimated(
    capsys: pytest.CaptureFixture[str],
):
    known = main(["sql", "check", "--connection", "demo", "--json", "SELECT name FROM products"])
    found = json.loads(capsys.readouterr().out)
    unknown = main(["sql", "check", "--connection", "demo", "SELECT name FROM employees"])

    assert (known, unknown) == (0, 4)
    assert found["estimate"]["confidence"]
    assert "employees" in capsys.readouterr().out


def test_with_a_connection_an_unknown_column_is_named_with_those_near_it(
    capsys: pytest.CaptureFixture[str],
):
    code = main(["sql", "check", "--connection", "demo", "--json", "SELECT nmae FROM products"])

    found = json.loads(capsys.readouterr().out)
    assert (code, found["allowed"], found["rule"]) == (4, False, "database")
    assert "'nmae'" in found["reason"]
    assert "products.name" in found["reason"]
