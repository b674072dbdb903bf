"""Goes on with a run once the person has decided."""

from __future__ import annotations

from core.agent.conversation_loop import ConversationLoop
from core.agent.pausing import cheaper_text, clarified_text, unapproved_text
from core.domain.chat import AssistantMessage, ToolCall
from core.domain.decisions import Answered, Approval, Choice, Clarified, DecisionAnswer
from core.domain.events import End
from core.domain.paused import PausedRun

CANCELLED = "Cancelled, as you asked: the query did not run."
_CHOSE_NOTHING = "The reader chose none of the options."


async def go_on_after(loop: ConversationLoop, paused: PausedRun, answer: DecisionAnswer) -> End:
    """Give the answer to the call that asked, and let the loop go on."""
    if isinstance(answer, Clarified):
        return await loop.run_after_text(paused.call, _clarified(paused, answer))
    match answer.choice:
        case Choice.CANCEL:
            return loop.finisher.end_with(CANCELLED)
        case Choice.APPROVE:
            return await _approved(loop, paused)
        case Choice.CHEAPER:
            return await loop.run_after_text(paused.call, _cheaper(paused))


def answered_now(paused: PausedRun, answer: DecisionAnswer) -> tuple[Answered, ...]:
    """Return what this answer tells the thread: something where a question was asked."""
    asked = paused.decision
    if isinstance(asked, Approval) or not isinstance(answer, Clarified):
        return ()
    said = answer.text.strip()
    return (Answered(question=asked.question, options=asked.options, answer=said),)


async def _approved(loop: ConversationLoop, paused: PausedRun) -> End:
    decision = paused.decision
    if isinstance(decision, Approval):
        return await loop.run_after_approval(_call_of(paused), decision)
    return await loop.run_after_text(paused.call, unapproved_text(_CHOSE_NOTHING))


def _cheaper(paused: PausedRun) -> str:
    decision = paused.decision
    if isinstance(decision, Approval):
        return cheaper_text(decision)
    return unapproved_text(_CHOSE_NOTHING)


def _clarified(paused: PausedRun, answer: Clarified) -> str:
    if isinstance(paused.decision, Approval):
        return unapproved_text(f"The reader did not approve the query but wrote: {answer.text}")
    return clarified_text(answer)


def _call_of(paused: PausedRun) -> ToolCall:
    return next(
        call
        for message in reversed(paused.messages)
        if isinstance(message, AssistantMessage)
        for call in message.tool_calls
        if call.id == paused.call
    )
