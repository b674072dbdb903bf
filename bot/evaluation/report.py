"""The figures of an evaluation, in all and by groups, and a line for each question."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from bot.evaluation.outcome import Outcome
from core.domain.chat import Json

_SHORT = ("execution_accuracy", "answered_share", "accuracy_answered", "seconds_p50", "tokens")
_ORDER = ("easy", "medium", "hard")


def figures(outcomes: Sequence[Outcome]) -> dict[str, Json]:
    """Return the figures by name; shares lie between 0 and 1, None where there is nothing to share.

    n: questions
    execution_accuracy: share of all that came out right: the right rows and no column more, or
        asked back or refused where that was wanted
    lenient_accuracy: the same, further columns allowed
    answered_share: share of those to be answered that got an answer (no question back, no
        refusal, no failure)
    accuracy_answered: share of the answered ones that are right
    false_rejects: questions whose every right statement the guard refused
    seconds_p50, seconds_p95: time to the end of the answer
    calls_a_question, tokens, cost_usd: of the model; the latter of all questions together,
        None where a cost is not known
    """
    n = len(outcomes)
    answered = [each for each in outcomes if each.is_answered]
    wanted = [each for each in outcomes if each.is_to_be_answered]
    seconds = sorted(each.seconds for each in outcomes)
    return {
        "n": n,
        "execution_accuracy": _share(_right(outcomes), n),
        "lenient_accuracy": _share(sum(each.lenient for each in outcomes), n),
        "answered_share": _share(sum(each.is_answered for each in wanted), len(wanted)),
        "accuracy_answered": _share(_right(answered), len(answered)),
        "false_rejects": sum(each.gold_refused for each in outcomes),
        "seconds_p50": _percentile(seconds, 0.5),
        "seconds_p95": _percentile(seconds, 0.95),
        "calls_a_question": _share(sum(each.calls for each in outcomes), n),
        "tokens": sum(each.tokens for each in outcomes),
        "cost_usd": _cost(outcomes),
    }


def _cost(outcomes: Sequence[Outcome]) -> float | None:
    """Add up what the questions cost; None where nobody knows what one of them did."""
    known = [each.cost_usd for each in outcomes if each.cost_usd is not None]
    return round(math.fsum(known), 6) if len(known) == len(outcomes) else None


def by_difficulty(outcomes: Sequence[Outcome]) -> dict[str, Json]:
    """Return the figures of each difficulty that the questions name."""
    return _grouped(outcomes, {each.id: each.difficulty for each in outcomes})


def by_category(outcomes: Sequence[Outcome]) -> dict[str, Json]:
    """Return the figures of each category that the questions name."""
    return _grouped(outcomes, {each.id: each.category for each in outcomes})


def details(outcomes: Iterable[Outcome]) -> list[Json]:
    """Return one record a question."""
    return [each.model_dump(mode="json") for each in outcomes]


def figure_lines(found: dict[str, Json]) -> list[str]:
    width = max(map(len, found))
    return [f"{name:<{width}}  {_written(value)}" for name, value in found.items()]


def group_lines(head: str, groups: dict[str, Json]) -> list[str]:
    """Return a small table, a group a line; nothing where there is no group."""
    if not groups:
        return []
    rows: list[tuple[str, ...]] = [(head, "n", *_SHORT)]
    for name, found in groups.items():
        if isinstance(found, dict):
            rows.append((name, *(_written(found[key]) for key in ("n", *_SHORT))))
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "",
        *(
            "  ".join(
                cell.rjust(width) if at else cell.ljust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ),
    ]


def detail_line(outcome: Outcome) -> str:
    """Return the outcome in one line; `~` is right but for further columns."""
    mark = "+" if outcome.right else "~" if outcome.lenient else "-"
    question = " ".join(outcome.question.split())
    return f"{mark} {outcome.id:<10} {outcome.status:<13} {outcome.seconds:6.2f} s  {question}"


def _grouped(outcomes: Sequence[Outcome], group_of: dict[str, str]) -> dict[str, Json]:
    names = {group for group in group_of.values() if group}
    ordered = sorted(names, key=lambda name: (_place(name), name))
    return {
        name: figures([each for each in outcomes if group_of[each.id] == name]) for name in ordered
    }


def _place(name: str) -> int:
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)


def _right(outcomes: Iterable[Outcome]) -> int:
    return sum(each.right for each in outcomes)


def _share(part: int, total: int) -> float | None:
    return round(part / total, 4) if total else None


def _percentile(ordered: Sequence[float], share: float) -> float | None:
    """Return the smallest value that this share of them does not exceed."""
    if not ordered:
        return None
    return round(ordered[max(math.ceil(share * len(ordered)) - 1, 0)], 3)


def _written(value: Json) -> str:
    return "-" if value is None else str(value)
