from pathlib import Path

import orjson
import pytest

from bot.cli.main import main

EVAL = Path(__file__).parents[2] / "fixtures" / "eval"


def test_the_offline_analyst_keeps_its_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESONA_STATE_DIR", str(tmp_path / "state"))

    file, databases = EVAL / "questions_sqlite.jsonl", EVAL / "sqlite"
    code = main(["eval", str(file), "--db-dir", str(databases), "--json"])

    found = orjson.loads(capsys.readouterr().out)
    assert code == 0
    assert found["n"] == 193
    assert found["false_rejects"] == 0
    assert found["execution_accuracy"] >= 0.85
    assert found["answered_share"] >= 0.93
    assert found["accuracy_answered"] >= 0.90
