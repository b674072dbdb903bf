import json

import pytest
from pydantic import ValidationError

from core.domain.answer import Answer, ExecutedSql, Shown, ShownColumn, ShownTable, Usage
from core.domain.decisions import Approval, Clarification
from core.domain.events import (
    ArtifactMade,
    Event,
    Progress,
    TextWithdrawn,
    TextWritten,
    ToolCallFinished,
    ToolCallStarted,
    TurnFailed,
    TurnFinished,
    TurnPaused,
    TurnStarted,
    dump,
    load,
)
from core.domain.ids import ArtifactId, DecisionId, QueryHash, RunId, ThreadId, ToolCallId, TurnId
from core.domain.query import CostEstimate
from core.domain.table import ColumnKind

TURN = TurnId("t1")
TABLE = ShownTable(
    columns=(ShownColumn(name="Größe", kind=ColumnKind.MEASURE, unit="share"),),
    rows=((0.5,), (None,), ("NaN",), (True,)),
    row_count=4,
)
EVENTS: list[Event] = [
    TurnStarted(turn_id=TURN, run_id=RunId("r1"), thread_id=ThreadId("th"), question="wie viele?"),
    Progress(turn_id=TURN, text="Reading"),
    TextWritten(turn_id=TURN, text="a\nb"),
    TextWithdrawn(turn_id=TURN),
    ToolCallStarted(turn_id=TURN, call_id=ToolCallId("c"), tool="run_query", title="Orders"),
    ToolCallFinished(
        turn_id=TURN, call_id=ToolCallId("c"), tool="run_query", ok=True, summary="4 rows", rows=4
    ),
    ArtifactMade(turn_id=TURN, shown=Shown(id=ArtifactId("a"), title="x", table=TABLE)),
    TurnFinished(
        turn_id=TURN,
        answer=Answer(
            text="4", sql=(ExecutedSql(sql="SELECT 4", rows=1, seconds=0.1),), usage=Usage(usd=0.01)
        ),
    ),
    TurnPaused(
        turn_id=TURN,
        decision=Clarification(id=DecisionId("d"), question="Which?", options=("a", "b")),
    ),
    TurnPaused(
        turn_id=TURN,
        decision=Approval(
            id=DecisionId("d"),
            reason="much",
            sql="SELECT 1",
            query_hash=QueryHash("h"),
            estimate=CostEstimate(rows=1e9),
        ),
    ),
    TurnFailed(turn_id=TURN, reason="Something broke.", error_id="e"),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)
def test_an_event_survives_being_stored_and_sent(event: Event):
    line = dump(event)

    assert load(line) == event
    assert b"\n" not in line


def test_what_is_no_event_is_refused():
    with pytest.raises(ValidationError):
        load('{"kind": "turn_exploded", "turn_id": "t"}')
    with pytest.raises(ValidationError):
        load('{"kind": "progress", "turn_id": "t", "text": "x", "client": "c"}')


def test_an_answer_kept_before_it_had_conditions_still_reads():
    sql = ExecutedSql(sql="SELECT 4", rows=1, seconds=0.1)
    event = TurnFinished(turn_id=TURN, answer=Answer(text="4", sql=(sql,)))
    kept = json.loads(dump(event))
    del kept["answer"]["conditions"], kept["answer"]["sql"][0]["purpose"]

    assert load(json.dumps(kept)) == event
