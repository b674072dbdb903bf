import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copyfile

import pytest

from bot.demo import make
from bot.demo.make import is_current, make_demo
from tests.kit.demo import made_demo


def test_is_the_same_at_every_making(tmp_path: Path):
    first = make_demo(tmp_path / "first.db")
    second = make_demo(tmp_path / "second.db")

    assert first.read_bytes() == second.read_bytes()


def test_leaves_one_whole_file_and_nothing_beside_it(tmp_path: Path):
    path = make_demo(tmp_path / "new" / "demo.db")

    assert [each.name for each in path.parent.iterdir()] == ["demo.db"]
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        assert database.execute("SELECT count(*) FROM order_lines").fetchone()[0] > 100_000


def test_a_making_that_breaks_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = Path(copyfile(made_demo(), tmp_path / "demo.db"))
    before = path.read_bytes()
    path.parent.chmod(0o500)
    monkeypatch.setattr(make, "VERSION", "not a number;")

    with pytest.raises(OSError, match=str(tmp_path)):
        make_demo(path)

    path.parent.chmod(0o700)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["demo.db"]


def test_knows_its_own_version_from_an_older_one_and_from_any_other_file(tmp_path: Path):
    path = Path(copyfile(made_demo(), tmp_path / "demo.db"))
    assert is_current(path)

    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 0")
    assert not is_current(path)

    path.write_bytes(b"no database at all, but long enough to be read as the head of one" * 99)
    assert not is_current(path)
    assert not is_current(tmp_path / "nothing.db")


def test_every_table_and_column_of_the_schema_says_what_it_is():
    with closing(sqlite3.connect(made_demo())) as database:
        statements = database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()

    assert len(statements) == 9
    for name, sql in statements:
        assert "-- " in sql.splitlines()[0], name
