import orjson
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack import views
from adapters.slack.blocks.answer import full_answer
from adapters.slack.doors import PastRun
from core.domain.answer import Answer, Conditions, ExecutedSql
from core.domain.ids import RunId, ToolCallId
from core.domain.view import StepView
from tests.kit.slack_rules import block_errors

MAIN = ExecutedSql(sql="SELECT 42", rows=1, seconds=0.1)
LOOK_UP = ExecutedSql(sql="SELECT DISTINCT status", rows=3, seconds=0.1, purpose="look_up")


def shown(conditions: Conditions) -> str:
    answer = Answer(text="42 orders.", connection="demo", conditions=conditions)
    rendered = full_answer(answer, RunId("r"), {})
    assert not block_errors(list(rendered.blocks), files=set())
    return orjson.dumps(list(rendered.blocks)).decode()


def test_the_line_of_an_answer_says_period_and_filters():
    filters = ("region = <!channel>", "status in a, b", "n > 1", "other conditions")

    words = shown(Conditions(period="2025", filters=filters))

    line = "demo · 2025 · region = &lt;!channel&gt; · status in a, b · n &gt; 1 · and 1 more · "
    assert line in words


@given(st.text(max_size=400), st.lists(st.text(max_size=400), max_size=5))
def test_slack_takes_conditions_of_any_text(period: str, filters: list[str]):
    shown(Conditions(period=period, filters=tuple(filters)))


def test_the_window_shows_the_statement_of_the_answer_first_and_look_ups_last():
    answer = Answer(text="42", sql=(LOOK_UP, MAIN))
    steps = (
        StepView(call_id=ToolCallId("c"), title="Ran the query", summary="1 row", state="done"),
    )

    past = PastRun(question="q", answer=answer, steps=steps)
    window = orjson.dumps(views.sql_and_steps(past)).decode()

    parts = ("SELECT 42", "Ran the query", "1 look-up", "SELECT DISTINCT")
    places = [window.index(each) for each in parts]
    assert places == sorted(places)
