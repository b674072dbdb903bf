from pathlib import Path

import pytest

from bot.cli.main import main
from bot.demo.make import is_current


def test_makes_the_demo_once_and_says_what_to_ask(
    state_dir: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["demo"]) == 0
    path = state_dir / "demo.sqlite"
    made = path.stat().st_mtime_ns
    assert main(["demo"]) == 0

    assert is_current(path)
    assert path.stat().st_mtime_ns == made
    assert 'resona ask "top 5 products by revenue in 2024"' in capsys.readouterr().out


def test_makes_it_elsewhere_and_anew(tmp_path: Path):
    path = tmp_path / "other" / "demo.sqlite"
    main(["demo", str(path)])
    made = path.stat().st_mtime_ns

    assert main(["demo", str(path), "--force"]) == 0

    assert path.stat().st_mtime_ns != made


def test_a_place_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "file").write_text("", encoding="utf-8")

    assert main(["demo", str(tmp_path / "file" / "demo.sqlite")]) == 5
    assert "Give another path" in capsys.readouterr().err
