"""Takes a question apart into tasks, each a question that the offline analyst understands."""

from __future__ import annotations

from dataclasses import dataclass, field

import orjson

from adapters.models.offline.study.phrases import (
    Pair,
    Why,
    is_churn,
    pair_of,
    parts_of_analysis,
    together_with,
    why_of,
)

PLANS = "You plan the work of a data analyst"
_MOST_TASKS = 8
_PRONOUNS = frozenset({"it", "that", "this", "they", "those", "these"})
_A_FIGURE = 2  # words
_CORRELATE = "correlate_query"
_ANALYSIS = ("analyze", "analyse", "examine", "investigate", "study", "explore", "look into")


@dataclass(frozen=True, slots=True)
class Step:
    """A task of a plan; `needs` are the ids of the tasks before it."""

    id: str
    title: str
    question: str
    needs: tuple[str, ...] = ()
    tools: tuple[str, ...] = field(default=())


def is_complex(question: str) -> bool:
    """Say whether a question takes several tasks that build on each other."""
    return len(steps_of(question)) > 1


def plan_reply(question: str, *, again: bool) -> str:
    """Return the plan as JSON; there is no second way where the first one failed."""
    steps = () if again else steps_of(question)
    tasks = [
        {
            "id": step.id,
            "title": step.title,
            "question": step.question,
            "families": ["analyze"],
            "tools": list(step.tools),
            "needs": list(step.needs),
        }
        for step in steps
    ]
    return orjson.dumps({"tasks": tasks}).decode()


def steps_of(question: str) -> tuple[Step, ...]:
    """Return the tasks of a question, none where one task does it."""
    compared = together_with(question)
    if compared is not None:
        return _compared(*compared)
    why = why_of(question)
    if why is not None and why.figure.lower() in _PRONOUNS:
        return ()
    if why is not None:
        return _explained(why)
    pair = pair_of(question)
    if pair is not None and _is_analysis(question, pair):
        return _related(pair)
    parts = parts_of_analysis(question)
    return tuple(
        Step(f"part_{at}", _title(part), _asked(part))
        for at, part in enumerate(parts[:_MOST_TASKS])
    )


def _is_analysis(question: str, pair: Pair) -> bool:
    """Say whether more than the one coefficient is wanted: what goes into it, too."""
    begins = question.strip().lower().startswith(_ANALYSIS)
    return begins or any(is_churn(each) for each in (pair.first, pair.second))


def _related(pair: Pair) -> tuple[Step, ...]:
    """Look at both figures, and then at the two together; who left comes before what they did."""
    tail = f" {pair.tail}" if pair.tail else ""
    one, other = pair.first, pair.second
    if is_churn(other) and not is_churn(one):
        one, other = other, one
    if is_churn(one):
        # Not the words "churn rate", which may be defined: who left within the period is wanted.
        one = "churn"
        first = Step("left", _title(f"churn rate{tail}"), f"churn{tail}")
        second = Step("theirs", _title(f"{other} by churn{tail}"), f"{other} by churn{tail}")
    else:
        first = Step("first", _title(f"{one}{tail}"), f"overall {one}{tail}")
        second = Step("second", _title(f"{other}{tail}"), f"overall {other}{tail}")
    return (first, second, _correlation(one, other, pair, needs=(first.id, second.id)))


def _correlation(
    one: str, other: str, pair: Pair, *, needs: tuple[str, ...], id_: str = "related"
) -> Step:
    unit = f" by {pair.unit}" if pair.unit else ""
    tail = f" {pair.tail}" if pair.tail else ""
    return Step(
        id_,
        _title(f"{one} against {other}{tail}"),
        f"correlation between {one} and {other}{unit}{tail}",
        needs,
        (_CORRELATE,),
    )


def _compared(firsts: tuple[str, ...], last: str, tail: str) -> tuple[Step, ...]:
    """Look at each figure alone, and relate all but the last to the last."""
    with_tail = f" {tail}" if tail else ""
    firsts = firsts[: (_MOST_TASKS - 1) // 2]
    alone = [
        Step(f"figure_{at}", _title(f"{each}{with_tail}"), f"overall {each}{with_tail}")
        for at, each in enumerate((*firsts, last))
    ]
    together = [
        _correlation(
            each,
            last,
            Pair(each, last, "", tail),
            needs=(own.id, alone[-1].id),
            id_=f"pair_{own.id}",
        )
        for own, each in zip(alone, firsts, strict=False)
    ]
    return (*alone, *together)


def _explained(why: Why) -> tuple[Step, ...]:
    """See whether it changed at all, and which groups made the change."""
    tail = f" {why.tail}" if why.tail else ""
    word, verb = {True: ("drop", "fall"), False: ("rise", "rise"), None: ("change", "change")}[
        why.falls
    ]
    changed = Step("change", _title(f"{why.figure}{tail}"), f"did {why.figure} {verb}{tail}")
    drivers = f"what drove the {word} in {why.figure}{tail}"
    return (changed, Step("drivers", _title(f"what made the {word}"), drivers))


def _asked(figure: str) -> str:
    """Ask for one figure where words name a figure only, and say nothing of groups."""
    return figure if len(figure.split()) > _A_FIGURE else f"overall {figure}"


def _title(text: str) -> str:
    return text[:1].upper() + text[1:]
