from pathlib import Path

import pytest

from bot.asking import Asked
from bot.cli.answer_object import answer_object, exit_code_of, failed_object
from bot.cli.saving import Saved
from core.domain.answer import (
    Answer,
    Conditions,
    ExecutedSql,
    Shown,
    ShownColumn,
    ShownTable,
    Usage,
)
from core.domain.chat import Json
from core.domain.decisions import Approval, Clarification
from core.domain.ids import ArtifactId, DecisionId, QueryHash, RunId
from core.domain.query import CostEstimate
from core.domain.table import ColumnKind
from core.domain.view import MessageView

KEYS = {
    "status",
    "text",
    "question",
    "options",
    "sql",
    "table",
    "charts",
    "files",
    "period",
    "time_zone",
    "filters",
    "assumptions",
    "warnings",
    "connection",
    "model",
    "tokens",
    "cost_usd",
    "seconds",
    "run_id",
}
CLARIFICATION = Clarification(id=DecisionId("d"), question="Which?", options=("A", "B"))
APPROVAL = Approval(
    id=DecisionId("d"),
    reason="It reads a lot.",
    sql="SELECT 1",
    query_hash=QueryHash("0"),
    estimate=CostEstimate(rows=1e9),
)
ANSWER = Answer(
    text="**42**",
    result=Shown(
        id=ArtifactId("a"),
        title="",
        table=ShownTable(
            columns=(ShownColumn(name="n", kind=ColumnKind.MEASURE),), rows=((42,),), row_count=1
        ),
    ),
    sql=(ExecutedSql(sql="SELECT 42 AS n", rows=1, seconds=0.1),),
    conditions=Conditions(period="2024", filters=("region = Spain", "other conditions")),
    assumptions=("a",),
    warnings=("w",),
    connection="demo",
    model="offline/analyst",
    usage=Usage(input_tokens=10, output_tokens=2, usd=0.001),
    seconds=0.12345,
)


def object_of(view: MessageView, saved: Saved | None = None) -> dict[str, Json]:
    return answer_object(
        Asked(RunId("r1"), view), saved or Saved(), connection="shop", model="a model"
    )


def test_an_answer_is_the_whole_object():
    saved = Saved(charts=(Path("out/chart.png"),), files=(Path("out/rows.csv"),))

    found = object_of(MessageView(answer=ANSWER, done=True), saved)

    assert found == {
        "status": "answered",
        "text": "**42**",
        "question": None,
        "options": [],
        "sql": ["SELECT 42 AS n"],
        "table": {"columns": ["n"], "rows": [[42]], "row_count": 1, "truncated": False},
        "charts": ["out/chart.png"],
        "files": ["out/rows.csv"],
        "period": "2024",
        "time_zone": "",
        "filters": ["region = Spain", "other conditions"],
        "assumptions": ["a"],
        "warnings": ["w"],
        "connection": "demo",
        "model": "offline/analyst",
        "tokens": 12,
        "cost_usd": 0.001,
        "seconds": 0.123,
        "run_id": "r1",
    }


def test_a_cost_that_nobody_knows_is_null():
    usage = Usage(input_tokens=10, output_tokens=2, unpriced=True)
    answer = ANSWER.model_copy(update={"usage": usage})

    found = object_of(MessageView(answer=answer, done=True))

    assert (found["tokens"], found["cost_usd"]) == (12, None)


@pytest.mark.parametrize(
    ("view", "status", "code"),
    [
        (MessageView(answer=ANSWER, done=True), "answered", 0),
        (MessageView(answer=Answer(text="No.", refused=True), done=True), "refused", 4),
        (MessageView(decision=CLARIFICATION, done=True), "clarification", 3),
        (MessageView(decision=APPROVAL, done=True), "approval", 3),
        (MessageView(failure="It broke.", done=True), "failed", 5),
    ],
)
def test_each_end_has_its_status_its_exit_code_and_all_keys(
    view: MessageView, status: str, code: int
):
    found = object_of(view)

    assert set(found) == KEYS
    assert found["status"] == status
    assert exit_code_of(view) == code


def test_what_is_asked_back_is_there_with_its_options():
    clarification = object_of(MessageView(decision=CLARIFICATION, done=True))
    approval = object_of(MessageView(decision=APPROVAL, done=True))

    assert (clarification["question"], clarification["options"]) == ("Which?", ["A", "B"])
    assert approval["question"] == "It reads a lot."
    assert approval["options"] == ["approve", "cheaper", "cancel"]
    assert clarification["connection"] == "shop"
    assert clarification["model"] == "a model"


def test_a_question_that_never_ran_has_the_same_shape():
    found = failed_object("Please ask a question.", connection="")

    assert set(found) == KEYS
    assert (found["status"], found["text"]) == ("failed", "Please ask a question.")
    assert found["table"] is None
