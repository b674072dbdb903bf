"""A person who wants to be led step by step: the offer to go on, and taking it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.agent.step_list import is_stepwise
from core.context import ExecutionContext
from core.domain.answer import NO_STEPS, Steps
from core.domain.conversation import Thread

GO_ON = "Go on with the next step"
ALL_DONE = "All the steps are done. What would you like to know next?"
STEPS_AT_ONCE = 2
_MOST_SUGGESTIONS = 3
_LONGEST_HEAD = 100
_ON = (
    r"(?:go on|go ahead|continue|carry on|keep going|proceed|next(?: (?:one|steps?))?)"
    r"(?: (?:with|to) (?:the |your )?(?:next|rest|others?|remaining)(?: (?:ones?|steps?))?)?"
)
_YES = re.compile(
    r"(?:(?:yes|yeah|yep|y|ok(?:ay)?|sure|ready|please|do it|and|then|now|let'?s)\b[,.! ]*)*"
    rf"(?P<on>{_ON})?(?:[,.! ]*(?:please|then|now))?[,.! ]*",
    re.IGNORECASE,
)


def is_guided(ctx: ExecutionContext) -> bool:
    """Say whether the question asks to be led, or takes up the offer to go on."""
    question = ctx.turn.question.strip()
    return is_stepwise(question) or (_was_offered(ctx.thread) and _takes_up(question))


def steps_taken_up(ctx: ExecutionContext) -> Steps:
    """Return the steps that a thread has left open, where the question is to go on with them.

    "Yes" answers what was said last; "continue" may come after other questions.
    """
    said = _YES.fullmatch(ctx.turn.question.strip())
    if said is None or not said.group():
        return NO_STEPS
    look_at = ctx.thread.exchanges if said["on"] else ctx.thread.exchanges[-1:]
    led = (each.answer.steps for each in reversed(look_at) if each.answer.steps != NO_STEPS)
    steps = next(led, NO_STEPS)
    return steps if steps.ahead else NO_STEPS


def asks_for_more(ctx: ExecutionContext) -> bool:
    """Say whether a thread whose steps are all done is asked to go on."""
    said = _YES.fullmatch(ctx.turn.question.strip())
    led = [each.answer.steps for each in ctx.thread.exchanges if each.answer.steps.done]
    return said is not None and bool(said["on"]) and bool(led) and not led[-1].ahead


def with_offer(text: str, suggestions: tuple[str, ...]) -> tuple[str, ...]:
    """Put the offer before the suggestions where a text ends by asking whether to go on."""
    return offered(suggestions) if text.rstrip(" *_)\"'").endswith("?") else suggestions


def offered(suggestions: tuple[str, ...]) -> tuple[str, ...]:
    return (GO_ON, *(each for each in suggestions if each != GO_ON))[:_MOST_SUGGESTIONS]


def section(number: int, step: str, text: str) -> str:
    """Return what is told of one step."""
    return f"**{number}. {head(step)}**\n{text}"


def told(sections: Sequence[str], steps: Steps) -> str:
    """Return the text of a turn that has led a person so far, with what comes next."""
    if not steps.ahead:
        return "\n\n".join(sections)
    number, left = len(steps.done) + 1, len(steps.ahead)
    more = f" ({left} steps are left)" if left > 1 else ""
    return "\n\n".join(
        (*sections, f"Next: **{number}. {head(steps.ahead[0])}**{more}. Shall I go on?")
    )


def head(step: str) -> str:
    """Return a step as a heading: one line, not too long."""
    flat = " ".join(step.split()).replace("*", "")
    flat = flat[:1].upper() + flat[1:]
    return flat if len(flat) <= _LONGEST_HEAD else flat[: _LONGEST_HEAD - 1].rstrip() + "…"


def _takes_up(question: str) -> bool:
    return bool(question) and _YES.fullmatch(question) is not None


def _was_offered(thread: Thread) -> bool:
    return any(GO_ON in each.answer.suggestions for each in thread.exchanges[-1:])
