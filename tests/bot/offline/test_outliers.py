import sqlite3
from contextlib import closing
from pathlib import Path
from statistics import quantiles

import orjson
import pytest

from bot.cli.main import main
from tests.kit.demo import made_demo, place_demo


def test_outliers_are_found_by_the_tool_and_told_with_its_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESONA_STATE_DIR", str(tmp_path / "state"))
    place_demo(tmp_path / "state")

    code = main(["ask", "--json", "are there any outliers in refund amounts"])

    told = orjson.loads(capsys.readouterr().out)
    with closing(sqlite3.connect(f"file:{made_demo()}?mode=ro", uri=True)) as demo:
        amounts = [float(row[0]) for row in demo.execute("SELECT amount FROM refunds")]
    low, _, high = quantiles(amounts, n=4, method="inclusive")
    far = sum(not low - 1.5 * (high - low) <= each <= high + 1.5 * (high - low) for each in amounts)
    assert code == 0
    assert told["text"].startswith(f"{far} of {len(amounts):,} values of amount are odd")
    assert "1.5 spreads of the middle half" in told["text"]
    assert told["table"]["columns"] == ["row", "value", "side", "distance"]
