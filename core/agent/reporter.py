"""Says what goes on in a turn, as events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from core.domain.answer import ExecutedSql, Shown
from core.domain.chat import ToolCall
from core.domain.events import (
    ArtifactMade,
    Event,
    PlanChanged,
    Progress,
    TextWithdrawn,
    TextWritten,
    ToolCallFinished,
    ToolCallStarted,
)
from core.domain.ids import TurnId
from core.domain.plan import TaskLine


@dataclass(slots=True)
class Reporter:
    """Knows whether text stands that may have to be withdrawn."""

    turn: TurnId
    tell: Callable[[Event], None]
    _text_stands: bool = field(default=False, init=False)

    def progress(self, text: str) -> None:
        self.tell(Progress(turn_id=self.turn, text=text))

    def planned(self, tasks: tuple[TaskLine, ...]) -> None:
        self.tell(PlanChanged(turn_id=self.turn, tasks=tasks))

    def without_text(self) -> Reporter:
        """Return a reporter for a part of the run, whose text is not the answer's."""
        return Reporter(self.turn, self._tell_no_text)

    def _tell_no_text(self, event: Event) -> None:
        if not isinstance(event, TextWritten | TextWithdrawn):
            self.tell(event)

    def write(self, text: str) -> None:
        if text:
            self._text_stands = True
            self.tell(TextWritten(turn_id=self.turn, text=text))

    def withdraw(self) -> bool:
        """Take back all text so far, and return whether there was any."""
        if not self._text_stands:
            return False
        self._text_stands = False
        self.tell(TextWithdrawn(turn_id=self.turn))
        return True

    def started(self, call: ToolCall, title: str) -> None:
        self.tell(ToolCallStarted(turn_id=self.turn, call_id=call.id, tool=call.name, title=title))

    def finished(
        self,
        call: ToolCall,
        *,
        ok: bool,
        summary: str,
        executed: tuple[ExecutedSql, ...] = (),
        rows: int | None = None,
        seconds: float = 0.0,
    ) -> None:
        self.tell(
            ToolCallFinished(
                turn_id=self.turn,
                call_id=call.id,
                tool=call.name,
                ok=ok,
                summary=summary,
                sql=tuple(each.sql for each in executed),
                rows=rows,
                seconds=seconds,
            )
        )

    def made(self, shown: Shown) -> None:
        self.tell(ArtifactMade(turn_id=self.turn, shown=shown))
