import json
from pathlib import Path
from typing import Any
from xml.parsers import expat

import pytest

from bot.cli.main import main
from tests.kit.demo import made_demo

pytestmark = pytest.mark.usefixtures("demo")

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
    (tmp_path / "databases").mkdir()
    (tmp_path / "databases" / "books.sqlite").symlink_to(made_demo())
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

    assert ["execution_accuracy", "1.0"] in [
        line.split() for line in capsys.readouterr().out.splitlines()
    ]


@pytest.mark.parametrize("db", ["nowhere", "../databases/books", ""])
def test_a_database_that_is_not_in_the_folder_is_named(
    db: str, questions: Path, capsys: pytest.CaptureFixture[str]
):
    questions.write_text(json.dumps({**QUESTIONS[0], "db": db}), encoding="utf-8")

    assert main(["eval", str(questions), "--db-dir", "databases"]) == 2
    assert "databases holds no database file" in capsys.readouterr().err


ASKED = ["--connection", "databases/books.sqlite"]
ORDERS = "how many orders are there"
COUNTED = {"question": ORDERS, "gold": "SELECT count(*) FROM orders"}


def write(path: Path, *entries: object) -> str:
    path.write_text("\n".join(json.dumps(each) for each in entries), encoding="utf-8")
    return str(path)


def reported(
    capsys: pytest.CaptureFixture[str], *words: str, code: int = 0
) -> tuple[dict[str, Any], str]:
    capsys.readouterr()
    assert main(["eval", *words, "--json", "--details"]) == code
    said = capsys.readouterr()
    return json.loads(said.out), said.err


def right(found: dict[str, Any]) -> dict[str, bool]:
    return {each["id"]: each["right"] for each in found["details"]}


def test_what_cannot_be_asked_is_named_and_the_others_are_asked(
    questions: Path, capsys: pytest.CaptureFixture[str]
):
    file = write(
        questions,
        {"id": "a", **COUNTED},
        {"id": "a", **COUNTED},
        {"id": "b", "question": ORDERS},
        {"id": "c", "question": ORDERS, "gold": "SELECT count(*) FROM nowhere"},
        {"id": "d", "question": ORDERS, "gold": "SELECT json('{') FROM orders"},
        {"id": "e", "question": ORDERS * 1_000, "expect": 1},
    )

    found, said = reported(capsys, file, *ASKED, code=2)

    assert right(found) == {"a": True}
    assert found["n"] == 1
    lines = said.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "line 2",
        "line 3",
        "question 'c'",
        "question 'd'",
        "question 'e'",
    ]
    assert "no gold statement that runs: There is no table 'nowhere'" in lines[2]
    assert "no gold statement that runs" in lines[3]
    assert found["problems"] == lines


def test_without_a_database_the_connection_of_each_question_is_asked(
    questions: Path, capsys: pytest.CaptureFixture[str]
):
    file = write(
        questions,
        {"id": "a", "db": "demo", **COUNTED},
        {"id": "b", **COUNTED},
        {"id": "c", "db": "dmeo", **COUNTED},
    )

    found, said = reported(capsys, file, code=2)

    assert right(found) == {"a": True, "b": True}
    assert "question 'c': There is no connection 'dmeo'. The nearest: demo." in said


def test_a_connection_that_cannot_be_used_is_said_of_each_question(
    questions: Path, capsys: pytest.CaptureFixture[str]
):
    file = write(questions, {"id": "a", **COUNTED}, {"id": "b", **COUNTED})

    found, said = reported(capsys, file, "--connection", "databases/none.sqlite", code=2)

    assert found["n"] == 0
    assert found["execution_accuracy"] is None
    assert [line.split(":")[0] for line in said.splitlines()] == ["question 'a'", "question 'b'"]


def test_what_is_right_may_be_values_words_or_the_way_it_ends(
    questions: Path, capsys: pytest.CaptureFixture[str]
):
    file = write(
        questions,
        {"id": "figure", "question": ORDERS, "expect": 51724},
        {"id": "other figure", "question": ORDERS, "expect": 51725},
        {"id": "rows", "question": "orders by status", "expect": [["a", 1]]},
        {"id": "words", "question": "which tables are there", "says": ["Order_Lines"]},
        {"id": "other words", "question": "which tables are there", "says": ["invoices"]},
        {"id": "refused", "question": "delete all orders", "expect_status": "refused"},
        {"id": "not refused", "question": ORDERS, "expect_status": "refused"},
        {"id": "answered", "question": ORDERS, "expect_status": "answered"},
    )

    found, _ = reported(capsys, file, *ASKED)

    assert right(found) == {
        "figure": True,
        "other figure": False,
        "rows": False,
        "words": True,
        "other words": False,
        "refused": True,
        "not refused": False,
        "answered": True,
    }
    assert found["answered_share"] == 1
    assert found["accuracy_answered"] == pytest.approx(3 / 7, abs=1e-4)


def test_a_question_may_follow_others_in_its_thread(
    questions: Path, capsys: pytest.CaptureFixture[str]
):
    follow = {
        "question": "and in 2025?",
        "gold": "SELECT count(*) FROM orders WHERE ordered_at >= '2025-01-01'",
    }
    file = write(
        questions,
        {"id": "in a thread", "thread": ["how many orders were placed in 2024"], **follow},
        {"id": "alone", **follow},
    )

    found, _ = reported(capsys, file, *ASKED)

    assert right(found) == {"in a thread": True, "alone": False}
    calls = {each["id"]: each["calls"] for each in found["details"]}
    assert calls["in a thread"] > calls["alone"] > 0


def test_figures_are_given_by_difficulty_and_category(
    questions: Path, capsys: pytest.CaptureFixture[str]
):
    file = write(
        questions,
        {"id": "a", "difficulty": "hard", "category": "count", **COUNTED},
        {"id": "b", "difficulty": "easy", "category": "count", **COUNTED},
        {"id": "c", "difficulty": "easy", "question": ORDERS, "expect": 1},
    )

    found, _ = reported(capsys, file, *ASKED)

    easy, hard = found["by_difficulty"]["easy"], found["by_difficulty"]["hard"]
    assert list(found["by_difficulty"]) == ["easy", "hard"]
    assert (easy["n"], easy["execution_accuracy"]) == (2, 0.5)
    assert (hard["n"], hard["execution_accuracy"]) == (1, 1.0)
    assert found["by_category"]["count"]["n"] == 2
    assert easy["tokens"] + hard["tokens"] == found["tokens"] > 0
    assert found["seconds_p50"] <= found["seconds_p95"]


def test_a_run_is_compared_with_the_one_before(questions: Path, capsys: pytest.CaptureFixture[str]):
    same, gone = {"id": "same", **COUNTED}, {"id": "gone", **COUNTED}
    first = write(questions, same, {"id": "moved", "question": ORDERS, "expect": 1}, gone)
    before, _ = reported(capsys, first, *ASKED)
    second = write(questions, same, {"id": "moved", **COUNTED}, {"id": "new", **COUNTED})

    part, _ = reported(capsys, second, *ASKED, "--only", "moved")
    now, _ = reported(capsys, second, *ASKED)

    assert before["compared"] is None
    assert part["compared"]["better"] == ["moved"]
    assert part["compared"]["gone"] == []
    assert now["compared"]["better"] == ["moved"]
    assert now["compared"]["worse"] == []
    assert now["compared"]["added"] == ["new"]
    assert now["compared"]["gone"] == ["gone"]
    assert now["compared"]["figures"]["execution_accuracy"] == {"before": 0.5, "now": 1.0}


def test_a_run_may_be_compared_with_a_report(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    report, _ = reported(capsys, write(questions, {"id": "a", **COUNTED}), *ASKED)
    (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
    file = write(questions, {"id": "a", "question": ORDERS, "expect": 1})

    code = main(["eval", file, *ASKED, "--baseline", "report.json"])

    assert code == 0
    assert "worse: a" in capsys.readouterr().out


@pytest.mark.parametrize("content", ["[]", "{", '{"n": 1}'])
def test_what_is_no_report_is_not_compared_with(
    content: str, questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "report.json").write_text(content, encoding="utf-8")

    assert main(["eval", str(questions), "--baseline", "report.json"]) == 2
    assert "is no report to compare with" in capsys.readouterr().err
    assert main(["eval", str(questions), "--baseline", "none.json"]) == 2
    assert "There is no file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("floors", "code", "sentence"),
    [
        ("accuracy=0.5,answered=1", 0, ""),
        ("accuracy=0.51", 1, "execution_accuracy is 0.5, and should be at least 0.51."),
        ("accuracy_answered=0.9, answered=1", 1, "accuracy_answered is 0.5"),
        ("accuracy=80", 2, "takes shares from 0 to 1"),
        ("accuracy", 2, "takes shares from 0 to 1"),
        ("speed=1", 2, "--fail-under knows accuracy"),
    ],
)
def test_ends_below_a_floor_with_an_exit_code_of_its_own(
    floors: str, code: int, sentence: str, questions: Path, capsys: pytest.CaptureFixture[str]
):
    file = write(questions, {"id": "a", **COUNTED}, {"id": "b", "question": ORDERS, "expect": 1})

    assert main(["eval", file, *ASKED, "--fail-under", floors]) == code
    assert sentence in capsys.readouterr().err


def test_nothing_answered_reaches_no_floor(questions: Path, capsys: pytest.CaptureFixture[str]):
    file = write(questions, {"id": "a", "question": "delete it", "expect_status": "refused"})

    assert main(["eval", file, *ASKED, "--fail-under", "answered=0.1"]) == 1
    assert "answered_share is not known" in capsys.readouterr().err


def test_writes_what_ci_servers_show_as_tests(questions: Path, tmp_path: Path):
    file = write(
        questions,
        {"id": "a & <b>", **COUNTED},
        {"id": "wrong \u0001", "question": ORDERS, "expect": 1},
        {"id": "ended", "question": "delete it", "expect": 1},
        {"id": "broken", "question": ORDERS},
    )

    main(["eval", file, *ASKED, "--junit", "out/junit.xml"])

    tags = started_tags((tmp_path / "out" / "junit.xml").read_bytes())
    assert [(tag, *each.values())[:2] for tag, each in tags if tag != "property"] == [
        ("testsuite", "questions"),
        ("properties",),
        ("testcase", "questions.questions"),
        ("testcase", "questions.questions"),
        ("failure", "result"),
        ("testcase", "questions.questions"),
        ("failure", "status"),
        ("testcase", "questions"),
        ("error", "question"),
    ]
    assert {tags[0][1][key] for key in ("tests", "failures", "errors")} == {"4", "2", "1"}
    named = [each["name"] for tag, each in tags if tag == "testcase"]
    assert named == ["a & <b>", "wrong \ufffd", "ended", "line 4"]
    assert {each["name"] for tag, each in tags if tag == "property"} >= {"n", "execution_accuracy"}


def started_tags(document: bytes) -> list[tuple[str, dict[str, str]]]:
    found: list[tuple[str, dict[str, str]]] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, attributes: found.append((tag, attributes))
    parser.Parse(document)
    return found
