from functools import reduce

from core.delivery.fold import fold
from core.domain.answer import Answer, Shown
from core.domain.decisions import Clarification
from core.domain.events import (
    ArtifactMade,
    Event,
    PlanChanged,
    Progress,
    TextWithdrawn,
    TextWritten,
    ToolCallFinished,
    ToolCallStarted,
    TurnFailed,
    TurnFinished,
    TurnPaused,
    TurnStarted,
)
from core.domain.ids import ArtifactId, DecisionId, RunId, TaskId, ThreadId, ToolCallId, TurnId
from core.domain.plan import TaskLine, TaskState
from core.domain.view import MessageView

TURN = TurnId("t")
STARTED = TurnStarted(
    turn_id=TURN, run_id=RunId("r"), thread_id=ThreadId("here"), question="how many?"
)


def started(call: str, title: str) -> ToolCallStarted:
    return ToolCallStarted(turn_id=TURN, call_id=ToolCallId(call), tool="run_query", title=title)


def finished(call: str, *, ok: bool = True) -> ToolCallFinished:
    return ToolCallFinished(
        turn_id=TURN,
        call_id=ToolCallId(call),
        tool="run_query",
        ok=ok,
        summary=f"{call} is done",
        sql=("SELECT 1",),
        seconds=0.5,
    )


def written(text: str) -> TextWritten:
    return TextWritten(turn_id=TURN, text=text)


def view_after(*events: Event) -> MessageView:
    return reduce(fold, events, MessageView())


def test_progress_replaces_the_words_before():
    view = view_after(STARTED, Progress(turn_id=TURN, text="The model is busy"))

    assert view.status == "The model is busy"
    assert not view.done


def test_text_grows_piece_by_piece():
    view = view_after(STARTED, written("42 "), written("orders."))

    assert (view.text, view.status) == ("42 orders.", "")


def test_withdrawn_text_is_gone():
    view = view_after(STARTED, written("Let me look"), TextWithdrawn(turn_id=TURN))

    assert view.text == ""
    assert view.status == "Thinking"


def test_steps_that_run_at_once_are_told_apart():
    view = view_after(
        STARTED, started("a", "Orders"), started("b", "Customers"), finished("b", ok=False)
    )

    assert [(step.title, step.state) for step in view.steps] == [
        ("Orders", "running"),
        ("Customers", "failed"),
    ]
    assert (view.steps[1].summary, view.steps[1].sql) == ("b is done", ("SELECT 1",))
    assert view.steps[1].seconds == 0.5


def test_a_call_made_again_under_its_old_id_leaves_the_first_line_alone():
    view = view_after(
        STARTED,
        started("a", "First"),
        finished("a"),
        started("a", "Second"),
        finished("a", ok=False),
    )

    assert [step.state for step in view.steps] == ["done", "failed"]


def test_a_thing_shown_again_replaces_its_older_form():
    first, second = (
        Shown(id=ArtifactId("x"), title="Draft"),
        Shown(id=ArtifactId("y"), title="Other"),
    )
    final = first.model_copy(update={"title": "Final"})

    view = view_after(
        STARTED, *(ArtifactMade(turn_id=TURN, shown=each) for each in (first, second, final))
    )

    assert [each.title for each in view.shown] == ["Final", "Other"]


def test_the_answer_is_what_counts_in_the_end():
    shown = Shown(id=ArtifactId("z"), title="Orders")
    answer = Answer(text="42 orders.", shown=(shown,))

    view = view_after(STARTED, written("About 40"), TurnFinished(turn_id=TURN, answer=answer))

    assert (view.text, view.answer, view.shown) == ("42 orders.", answer, (shown,))
    assert view.done


def test_a_question_back_ends_the_run():
    asked = Clarification(id=DecisionId("d"), question="By what?", options=("revenue", "units"))

    view = view_after(STARTED, TurnPaused(turn_id=TURN, decision=asked))

    assert view.decision == asked
    assert view.done


def test_a_failure_shows_its_reason_and_no_half_an_answer():
    view = view_after(
        STARTED, written("About"), TurnFailed(turn_id=TURN, reason="No model.", error_id="e")
    )

    assert (view.failure, view.text, view.done) == ("No model.", "", True)


def test_nothing_that_comes_late_changes_an_answer():
    done = view_after(STARTED, TurnFinished(turn_id=TURN, answer=Answer(text="42")))

    assert fold(done, written("!")) is done


def test_a_plan_is_shown_as_it_stands_and_says_what_is_under_way():
    tasks = tuple(
        TaskLine(id=TaskId(name), title=name.title(), state=state)
        for name, state in (("left", TaskState.DONE), ("tickets", TaskState.RUNNING))
    )

    view = fold(fold(MessageView(), STARTED), PlanChanged(turn_id=TURN, tasks=tasks))

    assert view.plan == tasks
    assert view.status == "Tickets"
