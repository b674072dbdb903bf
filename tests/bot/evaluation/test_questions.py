from pathlib import Path

import pytest

from bot.evaluation.questions import load_questions
from core.domain.errors import SettingsInvalid

JSONL = """\
{"id": 1, "db": "shop", "question": "How many?", "gold": ["SELECT 1", "SELECT 2"], "source": "x"}

{"id": "b", "question": "Which?", "gold": "SELECT 3", "order_matters": true, "evidence": "none"}
"""
YAML = """\
- id: a
  question: How many?
  gold: SELECT 1
"""
CSV = """\
id,db,question,gold,order_matters
a,shop,How many?,SELECT 1,false
b,shop,"Which, and why?","[""SELECT 2"", ""SELECT 3""]",true
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_reads_json_lines(tmp_path: Path):
    one, other = load_questions(write(tmp_path, "q.jsonl", JSONL))

    assert (one.id, one.db, one.gold, one.order_matters) == (
        "1",
        "shop",
        ("SELECT 1", "SELECT 2"),
        False,
    )
    assert other.gold == ("SELECT 3",)
    assert other.order_matters
    assert other.text == "Which?\nHint: none"


def test_reads_yaml(tmp_path: Path):
    [only] = load_questions(write(tmp_path, "q.yaml", YAML))

    assert (only.id, only.gold, only.text) == ("a", ("SELECT 1",), "How many?")


def test_reads_csv(tmp_path: Path):
    one, other = load_questions(write(tmp_path, "q.csv", CSV))

    assert one.gold == ("SELECT 1",)
    assert not one.order_matters
    assert other.question == "Which, and why?"
    assert other.gold == ("SELECT 2", "SELECT 3")
    assert other.order_matters


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("q.txt", "", "must end in one of"),
        ("q.jsonl", "", "holds no question"),
        ("q.jsonl", "{", "cannot be read"),
        ("q.jsonl", '{"id": 1}', "Question 1 of"),
        ("q.jsonl", '{"id": 1, "question": "?", "gold": []}', "gold"),
        ("q.yaml", "a: [", "cannot be read"),
        ("q.yaml", "just text", "Question 1 of"),
        ("q.csv", "id,question\n1,How?\n", "gold"),
        ("q.csv", 'id,question,gold\n1,How?,"[broken"\n', "Question 1 of"),
    ],
)
def test_says_what_is_wrong_with_a_file(tmp_path: Path, name: str, text: str, sentence: str):
    with pytest.raises(SettingsInvalid, match=sentence):
        load_questions(write(tmp_path, name, text))
