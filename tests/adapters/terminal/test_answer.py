from syrupy.assertion import SnapshotAssertion

from adapters.terminal.answer import Paper, render, render_answer, render_decision
from core.domain.answer import (
    Answer,
    Conditions,
    ExecutedSql,
    Shown,
    ShownColumn,
    ShownTable,
    Usage,
)
from core.domain.decisions import Approval, Clarification
from core.domain.ids import ArtifactId, DecisionId, QueryHash
from core.domain.query import CostEstimate
from core.domain.table import ColumnKind
from core.domain.view import MessageView

RESULT = Shown(
    id=ArtifactId("a1"),
    title="Products",
    table=ShownTable(
        columns=(
            ShownColumn(name="product_name", kind=ColumnKind.DIMENSION),
            ShownColumn(name="revenue", kind=ColumnKind.MEASURE, unit="EUR"),
            ShownColumn(name="share", kind=ColumnKind.MEASURE, unit="share"),
            ShownColumn(name="year", kind=ColumnKind.DIMENSION),
            ShownColumn(name="day", kind=ColumnKind.TIME),
        ),
        rows=(
            ("Network Switch", 1335208.75, 0.0967, 2024, "2024-01-01T00:00:00"),
            ("桌子", 715272, None, 2024, None),
            ("red\x1b[31m\nalert", "12345678901234567.89", 0.5, 2023, "2024-01-01T10:30:00"),
        ),
        row_count=60,
    ),
)
ANSWER = Answer(
    text="**Network Switch** sold best with `EUR` 1,335,208.75.\n\n- one\n- two",
    result=RESULT,
    shown=(RESULT,),
    sql=(ExecutedSql(sql="SELECT 1\nFROM products", rows=60, seconds=0.2),),
    assumptions=("Revenue is net.",),
    warnings=("One line is odd.",),
    suggestions=("By month",),
    connection="demo",
    model="offline/analyst",
    usage=Usage(input_tokens=10, output_tokens=2, usd=0.0042),
    seconds=0.84,
)


def test_an_answer_reads_from_the_finding_down(snapshot: SnapshotAssertion):
    assert render_answer(ANSWER, Paper(width=80)) == snapshot


def test_a_narrow_terminal_cuts_the_widest_columns(snapshot: SnapshotAssertion):
    assert render_answer(ANSWER, Paper(width=48)) == snapshot


def test_nothing_in_an_answer_can_steer_the_terminal():
    text = render_answer(ANSWER.model_copy(update={"text": "a\x1b[2Jb\rc\x9b"}), Paper())

    assert "\x1b" not in text
    assert "\r" not in text
    assert text.startswith("a[2Jbc\n")


def test_bold_is_bold_where_the_terminal_can():
    assert "\x1b[1mNetwork Switch\x1b[0m" in render_answer(ANSWER, Paper(styled=True))


def test_a_clarification_numbers_its_options():
    decision = Clarification(id=DecisionId("d"), question="Which?", options=("Revenue", "Units"))

    assert render_decision(decision, Paper()) == "Which?\n  1. Revenue\n  2. Units"


def test_an_approval_says_what_it_would_read():
    decision = Approval(
        id=DecisionId("d"),
        reason="It reads a lot.",
        sql="SELECT 1",
        query_hash=QueryHash("0"),
        estimate=CostEstimate(rows=82e6, bytes=61e9, seconds=140, usd=0.38),
    )

    text = render_decision(decision, Paper())

    assert "82,000,000 rows read, 61.00 GB read, about 140 s, $0.38" in text
    assert "SELECT 1" in text


def test_an_estimate_that_is_not_known_is_said_to_be_so():
    decision = Approval(
        id=DecisionId("d"),
        reason="It may read a lot.",
        sql="SELECT 1",
        query_hash=QueryHash("0"),
        estimate=CostEstimate(),
    )

    assert "the database does not say" in render_decision(decision, Paper())


def test_a_failure_is_one_sentence():
    view = MessageView(failure="The database did not answer.", done=True)

    assert render(view, Paper()) == "The database did not answer."


def test_a_long_statement_begins_a_line_with_each_clause():
    sql = ExecutedSql(sql="SELECT 'a FROM b' FROM t LEFT JOIN u ON 1 WHERE x", rows=1, seconds=0)

    text = render_answer(Answer(text="", sql=(sql,)), Paper())

    assert "  SELECT 'a FROM b'\n  FROM t\n  LEFT JOIN u ON 1\n  WHERE x\n" in text


def test_a_no_shows_nothing_of_what_was_looked_at_on_the_way():
    sql = ExecutedSql(sql="SELECT name FROM customers", rows=1, seconds=0)

    text = render_answer(Answer(text="That is not in the data.", refused=True, sql=(sql,)), Paper())

    assert "That is not in the data." in text
    assert "SELECT" not in text


def test_the_conditions_of_the_result_stand_beside_the_connection():
    filters = ("region = S\x1b[2Jpain", "a = 1", "b = 2", "other conditions")
    conditions = Conditions(period="Q3 2025", time_zone="UTC", filters=filters)

    text = render_answer(ANSWER.model_copy(update={"conditions": conditions}), Paper())

    line = "demo · Q3 2025 (UTC) · region = S[2Jpain · a = 1 · b = 2 · and 1 more · 60 rows"
    assert line in text


def test_look_ups_are_counted_behind_the_statement_of_the_answer():
    look_up = ExecutedSql(sql="SELECT DISTINCT status", rows=3, seconds=0, purpose="look_up")
    main = ExecutedSql(sql="SELECT 42", rows=1, seconds=0)

    text = render_answer(Answer(text="42", sql=(look_up, main, look_up)), Paper())

    assert "SQL\n  SELECT 42\n\nand 2 look-ups" in text
    assert "DISTINCT" not in text


def test_the_last_line_breaks_between_two_of_its_parts():
    answer = Answer(
        text="2.",
        checked=True,
        read="about 181k rows read",
        connection="the books of the shop",
        model="offline/analyst",
    )

    *_, first, second = render_answer(answer, Paper(width=60)).splitlines()

    assert first == "the books of the shop · about 181k rows read"
    assert second == "figures checked · 0.0 s · offline/analyst · no model cost"


def test_what_there_is_not_leaves_no_gap_on_a_terminal():
    said = render_answer(Answer(text="2."), Paper(styled=True))

    assert "\x1b[2m\x1b[0m" not in said
