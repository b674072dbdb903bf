"""Files of questions as spreadsheets save them."""

from pathlib import Path

import pytest

from bot.evaluation.questions import load_questions
from core.domain.errors import SettingsInvalid

HEAD = ("id", "db", "question", "gold", "order_matters")
ROW = ("b1", "shop", "How much did Zürich buy; and Genf?", "SELECT COUNT(*), 1 FROM t", "WAHR")


def written(mark: str) -> str:
    cells = (f'"{cell}"' if mark in cell else cell for cell in ROW)
    return f"{mark.join(HEAD)}\r\n{mark.join(cells)}\r\n"


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_any_mark_between_cells_and_any_letters_are_read(mark: str, encoding: str, tmp_path: Path):
    file = tmp_path / "questions.csv"
    file.write_bytes(written(mark).encode(encoding))

    questions = load_questions(file)

    [question] = questions.good
    assert questions.problems == ()
    assert (question.id, question.db, question.question) == ROW[:3]
    assert question.gold == (ROW[3],)
    assert question.order_matters


@pytest.mark.parametrize(("said", "meant"), [("FALSCH", False), ("vrai", True), ("false", False)])
def test_truths_are_read_in_other_languages(said: str, meant: object, tmp_path: Path):
    file = tmp_path / "questions.csv"
    file.write_text(f"id,question,gold,order_matters\n1,How many?,SELECT 1,{said}\n")

    [question] = load_questions(file).good

    assert question.order_matters is meant


def test_a_word_that_is_no_truth_is_a_problem_of_its_line(tmp_path: Path):
    file = tmp_path / "questions.csv"
    file.write_text("id,question,gold,order_matters\n1,How many?,SELECT 1,perhaps\n")

    [problem] = load_questions(file).problems

    assert problem.where == "line 2"
    assert "order_matters" in problem.reason


def test_a_missing_file_is_told_as_such(tmp_path: Path):
    with pytest.raises(SettingsInvalid, match="No such file"):
        load_questions(tmp_path / "nowhere.yaml")
