"""Ends a task of a plan: held against its results like an answer, and shown by the answer only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.agent.answer_text import AnswerText
from core.agent.answering import build_answer
from core.agent.finishing import Finisher
from core.agent.outcome import Asks, Done
from core.agent.pausing import decision_of
from core.domain.events import End, TurnFinished, TurnPaused


@dataclass(slots=True, kw_only=True)
class TaskFinisher(Finisher):
    """`asking` is the call at which the task has stopped, if it has."""

    asking: Asks | None = field(default=None, init=False)

    async def accept(self, written: AnswerText, chosen: Sequence[Done] | None = None) -> End:
        answer = build_answer(self.state, written, shown=())
        return TurnFinished(turn_id=self.state.ctx.turn.id, answer=answer)

    async def pause(self, asking: Asks) -> End:
        self.asking = asking
        return TurnPaused(turn_id=self.state.ctx.turn.id, decision=decision_of(asking.needed))
