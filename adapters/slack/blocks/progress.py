"""What is going on, as a message that is rewritten, and the ends of a run that are no answer."""

from collections.abc import Sequence

from adapters.slack import limits, presses
from adapters.slack.blocks.message import Rendered, sections
from adapters.slack.text import code, cut, literal
from adapters.slack.wire import Object, actions, button, context, fallback, section
from core.domain.decisions import Approval, Choice, Clarification, Decision
from core.domain.ids import RunId
from core.domain.plan import TaskLine, TaskState
from core.domain.view import MessageView, StepView

_MARKS = {"running": ":hourglass_flowing_sand:", "done": ":white_check_mark:", "failed": ":x:"}
_TASK_MARKS = {
    TaskState.WAITING: ":white_circle:",
    TaskState.RUNNING: ":hourglass_flowing_sand:",
    TaskState.DONE: ":white_check_mark:",
    TaskState.MISSING: ":x:",
}
_CHOICES = {
    Choice.APPROVE: (":white_check_mark:", "approved the query"),
    Choice.CHEAPER: (":arrows_counterclockwise:", "wants something cheaper"),
    Choice.CANCEL: (":no_entry_sign:", "cancelled the query"),
}
_LAST_STEPS = 8
_STEP = 240
_QUESTION = 2_500
_SQL = 2_500
_WHO_DECIDES = (
    "For the one who asked, or an approver of this connection. Without an answer it does not run."
)


def progress(view: MessageView, run: RunId) -> Rendered:
    """Return what is going on now, the plan or the last steps, and the button that stops it."""
    status = view.going_on
    lines = [_task(each) for each in view.plan] or _last_steps(view.steps)
    shown: list[Object] = [section(f":hourglass: {cut(literal(status), _STEP)}")]
    if lines:
        shown.append(context("\n".join(lines)))
    shown.append(actions("progress", [button(presses.STOP, "Stop", presses.value(run))]))
    return Rendered(text=fallback(status), blocks=tuple(shown))


def failure(reason: str, run: RunId) -> Rendered:
    """Return why there is no answer, with a button that asks the same question again."""
    again = button(presses.AGAIN, "Ask again", presses.value(run))
    return Rendered(
        text=fallback(reason),
        blocks=(*sections(literal(reason), _QUESTION), actions("failure", [again])),
    )


def moved(view: MessageView) -> Rendered:
    """Return what is left of a progress message whose answer stands below it."""
    steps = len(view.steps)
    text = f"Done after {steps} step{'' if steps == 1 else 's'}; the answer is below."
    return Rendered(text=text, blocks=(context(text),))


def decision(asked: Decision) -> Rendered:
    """Return a question with its buttons."""
    match asked:
        case Clarification():
            return _clarification(asked)
        case Approval():
            return _approval(asked)


def decided(asked: Decision, by: str, given: str | Choice) -> Rendered:
    """Return a question that was answered: its buttons are gone, and everybody sees by whom."""
    question = asked.question if isinstance(asked, Clarification) else asked.reason
    if isinstance(given, Choice):
        mark, words = _CHOICES[given]
        said = f"{by} {words}"
    else:
        mark, said = ":white_check_mark:", f"{by}: {cut(given, _STEP)}"
    return Rendered(
        text=fallback(f"{question} {said}"),
        blocks=(*sections(literal(question), _QUESTION), context(f"{mark} {literal(said)}")),
    )


def _clarification(asked: Clarification) -> Rendered:
    options = [
        button(presses.numbered(presses.OPTION, at), text, presses.value(asked.id, at))
        for at, text in enumerate(asked.options[:5])
    ]
    other = button(presses.OTHER, "Something else…", presses.value(asked.id))
    # A label is cut at 75 characters; what an option really says must still be readable.
    long = [text for text in asked.options if len(text) > limits.BUTTON]
    whole = [context(cut("\n".join(f"• {literal(text)}" for text in long), 2_000))] if long else []
    return Rendered(
        text=fallback(asked.question),
        blocks=(
            *sections(literal(asked.question), _QUESTION),
            *whole,
            actions("decision", [*options, other]),
        ),
    )


def approval_aside(asked: Approval, asker: str, connection: str) -> Rendered:
    """Return a question about cost for somebody who does not read the thread where it came up."""
    lead = f"<@{asker}> needs leave for a costly query on {literal(connection)}. "
    note = f"You see its cost and its statement. What comes of it is for <@{asker}> alone."
    return Rendered(
        text=cut(lead + fallback(asked.reason), limits.UPDATE_TEXT),
        blocks=(section(lead + cut(literal(asked.reason), _QUESTION)), *_to_decide(asked, note)),
    )


def _approval(asked: Approval) -> Rendered:
    return Rendered(
        text=fallback(asked.reason),
        blocks=(*sections(literal(asked.reason), _QUESTION), *_to_decide(asked, _WHO_DECIDES)),
    )


def _to_decide(asked: Approval, note: str) -> tuple[Object, ...]:
    id = presses.value(asked.id)
    choices = [
        button(presses.APPROVE, "Approve", id, style="primary"),
        button(presses.CHEAPER, "Try something cheaper", id),
        button(presses.CANCEL, "Cancel", id, style="danger"),
    ]
    # On a telephone a long statement would push the buttons out of sight.
    return (actions("decision", choices), context(note), *sections(code(asked.sql), _SQL))


def _task(task: TaskLine) -> str:
    """Return a line of the plan; what came of a task is said with its end."""
    finding = f": {task.finding}" if task.finding else ""
    return f"{_TASK_MARKS[task.state]} {cut(literal(task.title + finding), _STEP)}"


def _last_steps(steps: Sequence[StepView]) -> list[str]:
    hidden = len(steps) - _LAST_STEPS
    earlier = [f"_{hidden} earlier steps_"] if hidden > 0 else []
    return [*earlier, *map(_step, steps[-_LAST_STEPS:])]


def _step(step: StepView) -> str:
    summary = f": {step.summary}" if step.summary else ""
    return f"{_MARKS[step.state]} {cut(literal(step.title + summary), _STEP)}"
