import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.saved_connections import load


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL)")
        database.commit()
    return path


def test_adds_a_database_that_answers(
    shop: Path, state_dir: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["connect", "add", "shop", "shop.sqlite", "--description", "The shop"]) == 0

    assert "1 tables with 2 columns" in capsys.readouterr().out
    assert load(state_dir)["shop"].url == str(shop)


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
    tmp_path: Path, state_dir: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "empty.sqlite").write_bytes(b"")

    assert main(["connect", "add", "shop", "empty.sqlite"]) == 5

    assert "no tables" in capsys.readouterr().err
    assert load(state_dir) == {}


def test_a_failed_change_leaves_the_old_connection(shop: Path, state_dir: Path):
    main(["connect", "add", "shop", str(shop)])

    assert main(["connect", "add", "shop", "nowhere.sqlite"]) == 5

    assert load(state_dir)["shop"].url == str(shop)


def test_tests_and_removes(shop: Path, capsys: pytest.CaptureFixture[str]):
    main(["connect", "add", "shop", str(shop)])

    assert main(["connect", "test", "shop"]) == 0
    assert main(["connect", "remove", "shop"]) == 0
    capsys.readouterr()
    assert main(["connect", "remove", "shop"]) == 5
    assert main(["connect", "test", "shop"]) == 5
    assert capsys.readouterr().err.count("shop") >= 2
