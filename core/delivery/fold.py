"""From events to the message that a person sees: pure, and complete."""

from dataclasses import replace
from typing import assert_never

from core.domain.answer import Shown
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
from core.domain.plan import TaskLine, TaskState
from core.domain.view import MessageView, StepView


def fold(view: MessageView, event: Event) -> MessageView:
    """Return the view after one more event.

    A view that is done stays as it is, so that nothing that comes late changes an answer.
    """
    if view.done:
        return view
    match event:
        case TurnStarted():
            return replace(view, status="Reading the question")
        case Progress(text=text):
            return replace(view, status=text)
        case PlanChanged(tasks=tasks):
            return replace(view, status=_under_way(tasks), plan=tasks)
        case TextWritten(text=text):
            return replace(view, status="", text=view.text + text)
        case TextWithdrawn():
            return replace(view, status="Thinking", text="")
        case ToolCallStarted():
            step = StepView(call_id=event.call_id, title=event.title)
            return replace(view, status=event.title, steps=(*view.steps, step))
        case ToolCallFinished():
            return replace(view, status="Thinking", steps=_finish(view.steps, event))
        case ArtifactMade(shown=shown):
            return replace(view, shown=_put(view.shown, shown))
        case TurnFinished(answer=answer):
            return replace(
                view, status="", text=answer.text, shown=answer.shown, answer=answer, done=True
            )
        case TurnPaused(decision=decision):
            return replace(view, status="", decision=decision, done=True)
        case TurnFailed(reason=reason):
            return replace(view, status="", text="", failure=reason, done=True)
        case _:
            assert_never(event)


def _under_way(tasks: tuple[TaskLine, ...]) -> str:
    titles = [task.title for task in tasks if task.state is TaskState.RUNNING]
    return "; ".join(titles) or "Thinking"


def _finish(steps: tuple[StepView, ...], event: ToolCallFinished) -> tuple[StepView, ...]:
    return tuple(
        replace(
            step,
            state="done" if event.ok else "failed",
            summary=event.summary,
            sql=event.sql,
            seconds=event.seconds,
        )
        if step.call_id == event.call_id and step.state == "running"
        else step
        for step in steps
    )


def _put(shown: tuple[Shown, ...], newest: Shown) -> tuple[Shown, ...]:
    """Put a thing where its older form stood, or at the end."""
    if all(each.id != newest.id for each in shown):
        return (*shown, newest)
    return tuple(newest if each.id == newest.id else each for each in shown)
