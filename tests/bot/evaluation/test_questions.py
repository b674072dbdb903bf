import json
from pathlib import Path

import pytest

from bot.evaluation.questions import GoldQuestion, Questions, chosen, load_questions
from core.domain.errors import SettingsInvalid

JSONL = """\
{"id": 1, "db": "shop", "question": "How many?", "gold": ["SELECT 1", "SELECT 2"], "source": "x"}

{"id": "b", "question": "Which?", "gold": "SELECT 3", "order_matters": true, "evidence": "none"}
"""
YAML = """\
# A comment.
- id: a
  question: How many?
  gold: SELECT 1
- id: b
  question: and now?
  thread: ["How many?"]
  expect: [[Spain, 1.5], [Italy, 2024-01-01]]
  difficulty: hard
"""
CSV = """\
id,db,question,gold,order_matters,expect,thread
a,shop,How many?,SELECT 1,false,,
b,shop,"Which, and why?","[""SELECT 2"", ""SELECT 3""]",true,,"[""How many?""]"
c,shop,How much?,,,12.5,
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def good(folder: Path, name: str, text: str) -> tuple[GoldQuestion, ...]:
    found = load_questions(write(folder, name, text))
    assert found.problems == ()
    return found.good


def test_reads_json_lines(tmp_path: Path):
    one, other = good(tmp_path, "q.jsonl", JSONL)

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
    one, other = good(tmp_path, "q.yaml", YAML)

    assert (one.id, one.gold, one.text, one.expect) == ("a", ("SELECT 1",), "How many?", None)
    assert other.thread == ("How many?",)
    assert other.difficulty == "hard"
    assert other.expect is not None
    assert [str(cell) for row in other.expect for cell in row] == [
        "Spain",
        "1.5",
        "Italy",
        "2024-01-01",
    ]


def test_reads_csv_where_an_empty_cell_is_no_value(tmp_path: Path):
    one, other, last = good(tmp_path, "q.csv", CSV)

    assert one.gold == ("SELECT 1",)
    assert not one.order_matters
    assert one.thread == ()
    assert other.question == "Which, and why?"
    assert other.gold == ("SELECT 2", "SELECT 3")
    assert other.order_matters
    assert other.thread == ("How many?",)
    assert last.expect == (("12.5",),)
    assert not last.order_matters


@pytest.mark.parametrize(
    ("expect", "rows"),
    [
        (7, ((7,),)),
        (0, ((0,),)),
        (["a", "b"], (("a",), ("b",))),
        ([["a", 1], ["b", None]], (("a", 1), ("b", None))),
        ([], ()),
    ],
)
def test_what_is_expected_may_be_a_figure_a_column_or_rows(
    tmp_path: Path, expect: object, rows: object
):
    line = json.dumps({"id": "a", "question": "?", "expect": expect})

    [only] = good(tmp_path, "q.jsonl", line)

    assert only.expect == rows


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("q.txt", "", "must end in one of"),
        ("q.jsonl", "", "holds no question"),
        ("q.yaml", "# nothing\n", "holds no question"),
        ("q.yaml", "- id: a\n  gold: [", r"cannot be read: line 2, column"),
        ("q.yaml", "- id: a\n  when: 2024-13-45\n", "cannot be read"),
        ("q.yaml", "- !!python/object:os.system x\n", "cannot be read: line 1"),
    ],
)
def test_says_what_is_wrong_with_a_file(tmp_path: Path, name: str, text: str, sentence: str):
    with pytest.raises(SettingsInvalid, match=sentence):
        load_questions(write(tmp_path, name, text))


def test_a_file_that_is_no_text_is_said_to_be_none(tmp_path: Path):
    path = tmp_path / "q.jsonl"
    path.write_bytes(b"\x9f\x00\xff\xfe")

    with pytest.raises(SettingsInvalid, match="not UTF-8"):
        load_questions(path)


@pytest.mark.parametrize(
    ("name", "bad", "where", "reason"),
    [
        ("q.jsonl", "{", "line 2", "is no JSON"),
        ("q.jsonl", "[" * 100_000, "line 2", "is no JSON"),
        ("q.jsonl", "3", "line 2", "does not fit"),
        ("q.jsonl", '{"id": 1}', "line 2", "question"),
        ("q.jsonl", '{"id": "x", "question": "?"}', "line 2", "needs a right answer"),
        ("q.jsonl", '{"id": "x", "question": "?", "gold": []}', "line 2", "needs a right answer"),
        ("q.jsonl", '{"id": "x", "question": "?", "gold": 3}', "line 2", "gold"),
        (
            "q.jsonl",
            '{"id": "x", "question": "?", "expect_status": "right"}',
            "line 2",
            "expect_status",
        ),
        ("q.jsonl", '{"id": "good", "question": "?", "gold": "SELECT 2"}', "line 2", "once more"),
        ("q.yaml", "- just text", "line 4", "does not fit"),
        ("q.yaml", "- id: x\n  question: '?'", "line 4", "needs a right answer"),
        ("q.csv", "x,How?", "line 3", "needs a right answer"),
        ("q.csv", 'x,How?,"[broken"', "line 3", "gold"),
        ("q.csv", "x,How?,SELECT 1,more", "line 3", "more cells"),
    ],
)
def test_an_entry_that_does_not_fit_is_named_and_the_others_stay(
    tmp_path: Path, name: str, bad: str, where: str, reason: str
):
    first = {
        "q.jsonl": '{"id": "good", "question": "How many?", "gold": "SELECT 1"}',
        "q.yaml": "- id: good\n  question: How many?\n  gold: SELECT 1",
        "q.csv": "id,question,gold\ngood,How many?,SELECT 1",
    }

    found = load_questions(write(tmp_path, name, f"{first[name]}\n{bad}\n"))

    assert [each.id for each in found.good] == ["good"]
    [problem] = found.problems
    assert problem.where == where
    assert reason in problem.reason


def test_only_some_may_be_chosen(tmp_path: Path):
    found = load_questions(write(tmp_path, "q.jsonl", JSONL))

    def ids(questions: Questions) -> list[str]:
        return [each.id for each in questions.good]

    assert ids(chosen(found, only=["b"], limit=None)) == ["b"]
    assert ids(chosen(found, only=[], limit=1)) == ["1"]
    with pytest.raises(SettingsInvalid, match="no usable question with the id 'z'"):
        chosen(found, only=["z"], limit=None)
    with pytest.raises(SettingsInvalid, match="whole number"):
        chosen(found, only=[], limit=0)
