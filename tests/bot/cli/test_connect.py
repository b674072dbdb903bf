import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot.cli.main import main
from tests.kit.servers import a_name, postgres_database

READER, HUSH = a_name(), "k3pt encrypted/@:"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL)")
        database.commit()
    return path


def listed(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, str]]:
    capsys.readouterr()
    main(["connect", "list", "--json"])
    return {each["name"]: each for each in json.loads(capsys.readouterr().out)}


@pytest.fixture
def library() -> Iterator[str]:
    """Give the address of a database on a server, without the password of its reader."""
    with postgres_database(
        "CREATE TABLE books (id int PRIMARY KEY, title text)",
        f"CREATE ROLE {READER} LOGIN PASSWORD '{HUSH}'",
        f"GRANT SELECT ON books TO {READER}",
        logins=(READER,),
    ) as url:
        parts = urlsplit(url)
        yield parts._replace(netloc=f"{READER}@{parts.netloc.rpartition('@')[2]}").geturl()


def test_what_is_added_and_removed_stands_in_the_audit_log(
    library: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.stdin", io.StringIO(HUSH + "\n"))
    assert main(["connect", "add", "library", library, "--secret-stdin"]) == 0
    assert main(["connect", "remove", "library"]) == 0
    capsys.readouterr()

    main(["audit", "--json", "--connection", "library"])

    said = capsys.readouterr().out
    assert [(entry["deed"], entry["question"]) for entry in map(json.loads, said.splitlines())] == [
        ("disconnected", "connect remove library"),
        ("connected", "connect add library"),
    ]
    assert HUSH not in said


def test_adds_a_database_that_answers(shop: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["connect", "add", "shop", "shop.sqlite", "--description", "The shop"]) == 0

    assert "1 table with 2 columns" in capsys.readouterr().out
    assert listed(capsys)["shop"]["place"] == str(shop)


def test_lists_what_is_there_without_any_secret(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SALES_URL", "postgresql://me:hidden@host/sales")
    monkeypatch.setenv("RESONA_CONNECTIONS__BOOKS__URL", "postgresql://me:hidden@host/books")
    main(["connect", "add", "shop", str(shop)])
    main(["connect", "add", "sales", "--url-env", "SALES_URL", "--no-test"])
    main(["connect", "add", "gone", "--url-env", "GONE_URL", "--no-test"])
    capsys.readouterr()

    assert main(["connect", "list", "--json"]) == 0

    shown = capsys.readouterr().out
    records = {record["name"]: record for record in json.loads(shown)}
    assert records["demo"]["source"] == "built in"
    assert records["books"]["source"] == "settings"
    assert records["shop"]["place"] == str(shop)
    assert records["sales"]["place"] == "$SALES_URL"
    assert records["gone"]["place"] == "$GONE_URL (not set)"
    assert "hidden" not in shown


def test_a_database_that_does_not_answer_is_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "empty.sqlite").write_bytes(b"")

    assert main(["connect", "add", "shop", "empty.sqlite"]) == 5

    assert "no tables" in capsys.readouterr().err
    assert listed(capsys).keys() == {"demo"}


def test_a_failed_change_leaves_the_old_connection(shop: Path, capsys: pytest.CaptureFixture[str]):
    main(["connect", "add", "shop", str(shop)])

    assert main(["connect", "add", "shop", "nowhere.sqlite", "--replace"]) == 5

    assert listed(capsys)["shop"]["place"] == str(shop)


def test_a_connection_is_only_replaced_when_told(shop: Path, capsys: pytest.CaptureFixture[str]):
    main(["connect", "add", "shop", str(shop), "--no-test"])

    assert main(["connect", "add", "shop", "/other.sqlite", "--no-test"]) == 2

    assert "--replace" in capsys.readouterr().err
    assert listed(capsys)["shop"]["place"] == str(shop)


def test_what_is_not_given_stays_when_a_connection_is_replaced(
    shop: Path, capsys: pytest.CaptureFixture[str]
):
    about = ["--description", "The shop", "--mask", "*.amount", "--no-test"]
    main(["connect", "add", "shop", "/old.sqlite", *about])

    main(["connect", "add", "shop", str(shop), "--replace", "--no-test"])
    capsys.readouterr()
    main(["sql", "check", "--connection", "shop", "SELECT amount FROM orders"])

    assert '"amount" IS NULL THEN NULL ELSE' in capsys.readouterr().out
    kept = listed(capsys)["shop"]
    assert (kept["place"], kept["description"]) == (str(shop), "The shop")


@pytest.mark.parametrize("rule", ["--mask", "--hide"])
def test_a_rule_that_names_no_column_is_refused(
    shop: Path, rule: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["connect", "add", "shop", str(shop), rule, "email", "--no-test"]) == 2

    assert "names no column" in capsys.readouterr().err


def test_tests_and_removes(shop: Path, capsys: pytest.CaptureFixture[str]):
    main(["connect", "add", "shop", str(shop)])

    assert main(["connect", "test", "shop"]) == 0
    assert main(["connect", "remove", "shop"]) == 0
    capsys.readouterr()
    assert main(["connect", "remove", "shop"]) == 5
    assert main(["connect", "test", "shop"]) == 5
    assert capsys.readouterr().err.count("shop") >= 2


@pytest.mark.service
def test_a_password_comes_in_unseen_and_is_used_later(
    library: str,
    state_dir: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("sys.stdin", io.StringIO(HUSH + "\n"))

    assert main(["connect", "add", "library", library, "--secret-stdin"]) == 0
    assert main(["connect", "test", "library"]) == 0
    assert main(["ask", "--connection", "library", "how many books are there?"]) == 0

    said = capsys.readouterr()
    assert HUSH not in said.out + said.err
    assert HUSH not in json.dumps(listed(capsys))
    assert not [
        each
        for each in state_dir.iterdir()
        if each.is_file() and HUSH.encode() in each.read_bytes()
    ]


def test_a_password_in_an_address_is_refused_with_what_to_do(capsys: pytest.CaptureFixture[str]):
    assert main(["connect", "add", "shop", "postgresql://me:hidden@host/shop"]) == 2

    told = capsys.readouterr().err
    assert "--secret-stdin" in told
    assert "hidden" not in told


def test_a_name_of_the_settings_cannot_be_added(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RESONA_CONNECTIONS__SHOP__URL", str(shop))

    assert main(["connect", "add", "shop", str(shop)]) == 2

    assert "stands in the settings" in capsys.readouterr().err


def test_keys_can_be_changed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    main(["connect", "new-key"])
    main(["connect", "new-key"])
    old, new = capsys.readouterr().out.split()
    monkeypatch.setenv("RESONA_SECRET_KEYS", old)
    monkeypatch.setattr("sys.stdin", io.StringIO(HUSH + "\n"))
    main(["connect", "add", "shop", "postgresql://me@host/shop", "--secret-stdin", "--no-test"])

    monkeypatch.setenv("RESONA_SECRET_KEYS", f"{new},{old}")
    assert main(["connect", "change-keys"]) == 0
    assert "1 passwords" in capsys.readouterr().out
    monkeypatch.setenv("RESONA_SECRET_KEYS", new)
    assert listed(capsys)["shop"]["place"] == "postgresql://me@host/shop"
    monkeypatch.setenv("RESONA_SECRET_KEYS", old)
    assert "cannot be read" in listed(capsys)["shop"]["place"]
