"""Questions back that a person of the thread has answered already: nobody is asked twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import orjson

from core.agent.defined import settled_by_definition
from core.agent.outcome import Asks
from core.agent.run_state import RunState
from core.domain.conversation import Thread
from core.domain.decisions import Answered
from core.domain.errors import ClarificationNeeded
from core.memory.words import words_of

_ALIKE = 2  # options that two questions share


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAnswer:
    """An answer as the call that asks is given it; `assumption` tells the reader that it was taken.

    It is "" where the person has said it in this very turn.
    """

    text: str
    assumption: str


def known_answer(asking: Asks, state: RunState) -> KnownAnswer | None:
    """Return what a person has said to the question of a call, now or before, or a definition."""
    if not isinstance(asking.needed, ClarificationNeeded):
        return None
    asked = asking.needed.clarification
    said = answer_to(asked.question, asked.options, state.answered)
    if said is not None:
        return KnownAnswer(text=_as_result(said), assumption="")
    whole = (state.whole or state).ctx
    defined = settled_by_definition(asked.question, asked.options, whole)
    if defined is not None:
        return KnownAnswer(text=_as_definition(defined), assumption="")
    said = answer_to(asked.question, asked.options, answers_of(whole.thread))
    if said is None:
        return None
    return KnownAnswer(text=_as_result(said), assumption=as_assumption(asked.question, said))


def answers_of(thread: Thread) -> tuple[Answered, ...]:
    """Return what persons were asked in a thread and have said, the newest first."""
    found = [each for exchange in thread.exchanges for each in exchange.answer.answered]
    return tuple(reversed(found))


def answer_to(question: str, options: Sequence[str], known: Iterable[Answered]) -> str | None:
    """Return what was said to the same question: an option of it, or words of the person's own.

    A question is the same where it offers what was chosen beside another of the options of then,
    in whatever order and words around; words of one's own answer only the very same question.
    """
    for each in known:
        chosen = _among(each.answer, options)
        if chosen is not None and _shared(options, each.options) >= _ALIKE:
            return chosen
        if _is_same(question, options, each):
            return each.answer
    return None


def as_assumption(question: str, answer: str) -> str:
    """Return the sentence by which a reader learns that an earlier answer was taken."""
    asked, mark, _ = question.strip().partition("?")
    return f"{asked}{mark} {answer.strip()}, as answered before in this thread"


def _as_result(said: str) -> str:
    finding = f"The reader answered: {said}"
    note = "It was asked and answered before in this thread: go on with it."
    return orjson.dumps({"finding": finding, "notes": [note]}).decode()


def _as_definition(said: str) -> str:
    note = "The data team has defined it, so the reader is not asked: go on with it."
    return orjson.dumps({"finding": said, "notes": [note]}).decode()


def _is_same(question: str, options: Sequence[str], before: Answered) -> bool:
    same = _plain(question) == _plain(before.question)
    return same and set(map(_plain, options)) == set(map(_plain, before.options))


def _among(answer: str, options: Sequence[str]) -> str | None:
    exact = [each for each in options if _plain(each) == _plain(answer)]
    alike = [each for each in options if _are_alike(each, answer)]
    return exact[0] if exact else alike[0] if len(alike) == 1 else None


def _shared(options: Sequence[str], others: Sequence[str]) -> int:
    return sum(any(_are_alike(each, other) for other in others) for each in options)


def _are_alike(one: str, other: str) -> bool:
    """Say whether two options mean the same: "revenue" and "total revenue"."""
    if _plain(one) == _plain(other):
        return True
    words, others = set(words_of(one)), set(words_of(other))
    return bool(words and others) and (words <= others or others <= words)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?.! ")
