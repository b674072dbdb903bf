"""A message as any platform could show it."""

from dataclasses import dataclass

from core.domain.answer import Answer, Shown
from core.domain.decisions import Decision
from core.domain.ids import ToolCallId
from core.domain.plan import TaskLine


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One tool call as a line that changes in place."""

    call_id: ToolCallId
    title: str
    state: str = "running"
    summary: str = ""
    sql: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageView:
    """`status` is what is going on now; `answer`, `decision` and `failure` end it, one of them."""

    status: str = ""
    text: str = ""
    plan: tuple[TaskLine, ...] = ()
    steps: tuple[StepView, ...] = ()
    shown: tuple[Shown, ...] = ()
    answer: Answer | None = None
    decision: Decision | None = None
    failure: str = ""
    done: bool = False
