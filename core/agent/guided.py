"""A person who wants to be led step by step: the offer to go on, and taking it."""

from __future__ import annotations

import re

from core.agent.intent_keywords import by_keywords
from core.context import ExecutionContext
from core.domain.conversation import Thread

GO_ON = "Go on with the next step"
_MOST_SUGGESTIONS = 3
_YES = re.compile(
    r"(?:yes|yep|ok(?:ay)?|sure|please|ready)?[,. ]*"
    r"(?:go on|go ahead|continue|carry on|proceed|next(?: one| step)?)?"
    r"(?: (?:with|to) the next (?:one|step))?[,. ]*(?:please)?[.! ]*",
    re.IGNORECASE,
)


def is_guided(ctx: ExecutionContext) -> bool:
    """Say whether the question asks to be led, or takes up the offer to go on."""
    question = ctx.turn.question.strip()
    return by_keywords(question).one_at_a_time or (
        _was_offered(ctx.thread) and bool(question) and _YES.fullmatch(question) is not None
    )


def with_offer(text: str, suggestions: tuple[str, ...]) -> tuple[str, ...]:
    """Put the offer before the suggestions where a text ends by asking whether to go on."""
    if not text.rstrip(" *_)\"'").endswith("?"):
        return suggestions
    return (GO_ON, *(each for each in suggestions if each != GO_ON))[:_MOST_SUGGESTIONS]


def _was_offered(thread: Thread) -> bool:
    return any(GO_ON in each.answer.suggestions for each in thread.exchanges[-1:])
