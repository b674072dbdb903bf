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
    """`status` is what is going on now; `answer`, `decision` and `failure` end it, one of them.

    `waited` is for how many seconds nothing has changed; 0 where that is not worth a word.
    """

    status: str = ""
    waited: int = 0
    text: str = ""
    plan: tuple[TaskLine, ...] = ()
    steps: tuple[StepView, ...] = ()
    shown: tuple[Shown, ...] = ()
    answer: Answer | None = None
    decision: Decision | None = None
    failure: str = ""
    done: bool = False

    @property
    def going_on(self) -> str:
        """Return what is going on now in words, and for how long where it takes long."""
        status = self.status or "Writing the answer"
        return f"{status} ({_written(self.waited)} so far)" if self.waited else status


def _written(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
