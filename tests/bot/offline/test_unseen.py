import sqlite3
from contextlib import closing
from pathlib import Path

import orjson
import pytest

from bot.cli.main import main

UNSEEN = Path(__file__).parents[2] / "fixtures" / "unseen"


def test_the_level_holds_on_databases_of_other_shapes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESONA_STATE_DIR", str(tmp_path / "state"))
    for script in UNSEEN.glob("*.sql"):
        with closing(sqlite3.connect(tmp_path / f"{script.stem}.sqlite")) as database:
            database.executescript(script.read_text(encoding="utf-8"))
            database.commit()

    code = main(["eval", str(UNSEEN / "questions.jsonl"), "--db-dir", str(tmp_path), "--json"])

    found = orjson.loads(capsys.readouterr().out)
    assert code == 0
    assert found["n"] == 72
    assert found["execution_accuracy"] >= 0.88
    assert found["accuracy_answered"] >= 0.90
