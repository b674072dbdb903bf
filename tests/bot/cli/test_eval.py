import json
from pathlib import Path

import pytest

from bot.cli.main import main
from bot.demo.make import make_demo

QUESTIONS = [
    {
        "id": "right",
        "db": "books",
        "question": "how many orders are there",
        "gold": "SELECT count(*) FROM orders",
    },
    {
        "id": "wrong",
        "db": "books",
        "question": "how many orders are there",
        "gold": ["SELECT 7 FROM regions LIMIT 1"],
        "order_matters": True,
    },
    {
        "id": "refused",
        "db": "books",
        "question": "how many products are there",
        "gold": "DELETE FROM products",
    },
]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    make_demo(tmp_path / "databases" / "books.sqlite")
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in QUESTIONS), encoding="utf-8")
    return path


def test_counts_what_came_out_right(questions: Path, capsys: pytest.CaptureFixture[str]):
    code = main(["eval", str(questions), "--db-dir", "databases", "--json", "--details"])

    found = json.loads(capsys.readouterr().out)
    assert code == 0
    assert {key: found[key] for key in ("n", "answered_share", "false_rejects")} == {
        "n": 3,
        "answered_share": 1.0,
        "false_rejects": 1,
    }
    assert (
        found["execution_accuracy"] == found["accuracy_answered"] == pytest.approx(1 / 3, abs=1e-4)
    )
    assert found["tokens"] >= 0
    assert found["cost_usd"] == 0
    assert [(each["id"], each["right"], each["gold_refused"]) for each in found["details"]] == [
        ("right", True, False),
        ("wrong", False, False),
        ("refused", False, True),
    ]


def test_prints_a_line_a_question_and_a_line_a_figure(
    questions: Path, capsys: pytest.CaptureFixture[str]
):
    main(["eval", str(questions), "--db-dir", "databases", "--details", "--limit", "2"])

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("+ right")
    assert lines[1].startswith("- wrong")
    assert lines[2].split() == ["n", "2"]


def test_asks_one_connection_for_all(questions: Path, capsys: pytest.CaptureFixture[str]):
    main(["eval", str(questions), "--connection", "databases/books.sqlite", "--limit", "1"])

    assert "execution_accuracy  1.0" in capsys.readouterr().out


@pytest.mark.parametrize("db", ["nowhere", "../databases/books", ""])
def test_a_database_that_is_not_in_the_folder_is_named(
    db: str, questions: Path, capsys: pytest.CaptureFixture[str]
):
    questions.write_text(json.dumps({**QUESTIONS[0], "db": db}), encoding="utf-8")

    assert main(["eval", str(questions), "--db-dir", "databases"]) == 2
    assert "databases holds no database file" in capsys.readouterr().err
