import json
import sqlite3
from contextlib import closing
from pathlib import Path
from statistics import fmean

import pytest

from bot.cli.main import main

QUESTION = "total revenue by month in 2025"


def test_answers_a_question_about_the_demo(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    code = main(["ask", QUESTION, "--json", "--out", str(tmp_path / "out")])

    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert code == 0, found
    assert captured.err == ""
    assert found["status"] == "answered"
    assert found["table"]["row_count"] == 12
    assert [str(row[0])[:10] for row in found["table"]["rows"]][:2] == ["2025-01-01", "2025-02-01"]
    assert found["table"]["rows"][0][1] == pytest.approx(1_251_410.03)
    assert found["connection"] == "demo"
    assert (found["period"], found["time_zone"], found["filters"]) == ("2025", "", [])
    assert found["sql"]
    assert found["charts"]
    assert all(Path(path).read_bytes()[1:4] == b"PNG" for path in found["charts"])
    assert all(Path(path).parent == tmp_path / "out" for path in found["charts"] + found["files"])


@pytest.mark.usefixtures("demo")
def test_answers_in_text_on_a_pipe(capsys: pytest.CaptureFixture[str]):
    code = main(["ask", *QUESTION.split()])

    shown = capsys.readouterr().out
    assert code == 0
    assert "1,251,410.03" in shown
    assert "demo · 2025 · 12 rows" in shown
    assert "\n  FROM " in shown
    assert "Chart: " in shown
    assert "\x1b" not in shown


def test_steps_are_taken_two_at_a_time_in_a_thread_by_name(capsys: pytest.CaptureFixture[str]):
    steps = "1. how many orders are there 2. how many customers are there 3. total revenue in 2025"

    assert main(["ask", "--thread", "mine", steps]) == 0
    first = capsys.readouterr().out
    assert main(["ask", "--thread", "mine", "continue"]) == 0
    second = capsys.readouterr().out

    assert "1. How many orders are there" in first
    assert "2. How many customers are there" in first
    assert "Next: 3. Total revenue in 2025. Shall I go on?" in first
    assert "Ask next: Go on with the next step" in first
    assert "3. Total revenue in 2025" in second
    assert "Go on with" not in second


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([""], "Please ask a question"),
        (["x" * 20_000], "20,000 characters"),
    ],
)
def test_a_question_that_is_none_is_bad_usage(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["ask", *words]) == 2
    assert sentence in capsys.readouterr().err

    assert main(["ask", "--json", *words]) == 2
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "failed"
    assert sentence in found["text"]


@pytest.mark.parametrize(
    ("connection", "sentence"),
    [
        ("nowhere", "no connection 'nowhere'"),
        ("./nowhere.sqlite", "nowhere.sqlite"),
        ("./empty.sqlite", "no tables"),
        ("./junk.sqlite", "no SQLite database"),
        ("postgresql://127.0.0.1:1/shop", "cannot be reached"),
    ],
)
def test_a_connection_that_cannot_be_used_is_told_in_a_sentence(
    connection: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "empty.sqlite").write_bytes(b"")
    (tmp_path / "junk.sqlite").write_bytes(b"no database at all" * 1_000)

    code = main(["ask", "how many orders are there", "--json", "--connection", connection])

    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert code == 5
    assert found["status"] == "failed"
    assert sentence in found["text"]
    assert "Traceback" not in captured.err


@pytest.mark.usefixtures("demo")
def test_a_place_for_files_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "file").write_text("", encoding="utf-8")

    assert main(["ask", QUESTION, "--out", str(tmp_path / "file" / "out")]) == 5
    assert str(tmp_path / "file") in capsys.readouterr().err


def test_words_of_the_demo_mean_what_its_data_team_says(
    capsys: pytest.CaptureFixture[str], state_dir: Path
):
    code = main(["ask", "average order value by month in 2024", "--json"])
    found = json.loads(capsys.readouterr().out)

    with closing(sqlite3.connect(state_dir / "demo.sqlite")) as demo:
        rows = demo.execute("SELECT ordered_at, status, order_total FROM orders").fetchall()
    totals: dict[str, list[float]] = {}
    for at, status, total in rows:
        if at.startswith("2024") and status != "cancelled":
            totals.setdefault(at[:7], []).append(total)
    assert code == 0
    assert {row[0][:7]: row[1] for row in found["table"]["rows"]} == {
        month: pytest.approx(fmean(each)) for month, each in totals.items()
    }
    assert found["assumptions"][1] == (
        "As the data team defines it, average order value is AVG(order_total) of orders where"
        " status <> 'cancelled'"
    )


@pytest.mark.usefixtures("demo")
def test_own_definitions_take_the_place_of_the_demos(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    words = tmp_path / "words.yaml"
    words.write_text("metrics: {gross: {table: orders, expression: MAX(order_total)}}\nx: y\n")
    monkeypatch.setenv("RESONA_DEFINITIONS", str(words))

    assert main(["ask", "gross", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    with closing(sqlite3.connect(tmp_path / "state" / "demo.sqlite")) as demo:
        [highest] = demo.execute("SELECT MAX(order_total) FROM orders").fetchone()
    assert found["table"]["rows"] == [[highest]]
    assert "Not all of the data team's definitions could be read" in found["warnings"][0]
    assert main(["ask", "AOV", "--json"]) == 4
