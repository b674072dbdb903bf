"""Stops a run until a person has decided, with all that is needed to go on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import orjson

from core.agent.config import AgentConfig
from core.agent.run_state import RunState
from core.agent.tool_format import error_text
from core.domain.answer import Shown
from core.domain.decisions import Approval, Clarified, Decision
from core.domain.errors import ApprovalNeeded, ClarificationNeeded, ReaderNeeded
from core.domain.events import TurnPaused
from core.domain.ids import ToolCallId
from core.domain.paused import PausedRun


def decision_of(needed: ReaderNeeded) -> Decision:
    """Return the question that only the reader can answer."""
    match needed:
        case ClarificationNeeded():
            return needed.clarification
        case ApprovalNeeded():
            return needed.approval
        case _:
            raise TypeError(f"{type(needed).__name__} says nothing that a reader could decide")


async def pause(
    state: RunState,
    call: ToolCallId,
    decision: Decision,
    *,
    shown: Sequence[Shown],
    config: AgentConfig,
) -> TurnPaused:
    """Keep the run under its decision; the conversation ends before the result of `call`."""
    ctx = state.ctx
    await ctx.paused.keep(
        PausedRun(
            decision=decision,
            turn=ctx.turn,
            connection=ctx.connection.name,
            call=call,
            messages=tuple(state.messages),
            expires_at=ctx.clock.now() + timedelta(hours=config.decision_hours),
            so_far=state.so_far(shown),
        )
    )
    return TurnPaused(turn_id=ctx.turn.id, decision=decision)


def clarified_text(answer: Clarified) -> str:
    """Return the reader's answer as the result of the call that asked."""
    return orjson.dumps({"finding": f"The reader answered: {answer.text.strip()}"}).decode()


def cheaper_text(approval: Approval) -> str:
    """Tell the model that the reader wants the same for less."""
    return error_text(
        f"The reader does not want to spend that much ({approval.reason}) The query did not run."
        " Find a cheaper way: filter by period or partition, read fewer columns or tables, use a"
        " summary table or a stated sample; say in the answer what was left out."
    )


def unapproved_text(what: str) -> str:
    """Tell the model what the reader did instead of choosing."""
    return error_text(f"{what} Go on as that suggests, or with the most usual reading.")
