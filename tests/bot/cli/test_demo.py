import asyncio
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.demo.make import is_current

ROOT = Path(__file__).parents[3]


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


async def test_a_disk_that_is_full_is_said_and_nothing_is_left_behind(tmp_path: Path):
    # No file may grow beyond this size, which the demo does.
    code = (
        "import resource, sys; from bot.cli.main import main;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000));"
        "sys.exit(main(sys.argv[1:]))"
    )

    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code, "demo", str(tmp_path / "demo.db")),
        cwd=ROOT,
        stderr=asyncio.subprocess.PIPE,
    )
    _, told = await process.communicate()

    assert process.returncode
    assert f"{tmp_path}/demo.db cannot be written" in told.decode()
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("contents", ["a database", "a text"])
def test_what_somebody_else_keeps_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], contents: str
):
    path = tmp_path / "mine.sqlite"
    if contents == "a text":
        path.write_text("mine", encoding="utf-8")
    else:
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE mine (it INTEGER)")
            database.execute("PRAGMA user_version = 1")
    before = path.read_bytes()

    assert main(["demo", str(path)]) == 2

    assert path.read_bytes() == before
    assert "is not the demo database" in capsys.readouterr().err
    assert not is_current(path)
    assert main(["demo", str(path), "--force"]) == 0
    assert is_current(path)


def test_the_questions_that_it_prints_go_to_the_file_that_was_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "what? 100%.sqlite"

    assert main(["demo", str(path)]) == 0

    assert f"resona ask --connection '{path}' \"top 5" in capsys.readouterr().out
    assert is_current(path)
