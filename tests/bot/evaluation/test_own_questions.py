from pathlib import Path

import orjson
import pytest

from bot.cli.main import main
from bot.demo.questions import EVALUATION
from bot.evaluation.questions import load_questions
from core.toolkit.family import Family
from tests.kit.demo import place_demo


def test_the_questions_on_the_demo_data_cover_what_is_asked():
    found = load_questions(EVALUATION)

    assert found.problems == ()
    assert len(found.good) >= 60
    assert {each.difficulty for each in found.good} == {"easy", "medium", "hard"}
    by_category = [each.category for each in found.good]
    families = (Family.EXPLORE, Family.ANALYZE, Family.TIME, Family.SEGMENT, Family.QUALITY)
    for category in (*families, Family.COMPARE, "follow-up", "refuse", "clarify"):
        assert by_category.count(category) >= 5


def test_the_offline_analyst_keeps_its_level_on_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESONA_STATE_DIR", str(tmp_path / "state"))
    place_demo(tmp_path / "state")

    floors = "accuracy=0.85,answered=0.88,accuracy_answered=0.93"
    code = main(["eval", "--json", "--fail-under", floors])

    found = orjson.loads(capsys.readouterr().out)
    assert code == 0, found
    assert found["problems"] == []
    assert found["false_rejects"] == 0
