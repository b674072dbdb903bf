"""The figures of an evaluation, and a line for each question."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bot.evaluation.evaluate import Outcome
from core.domain.answer import Usage
from core.domain.chat import Json


def figures(outcomes: Sequence[Outcome]) -> dict[str, Json]:
    """Return the figures by name; shares lie between 0 and 1, None where there is nothing to share.

    n: questions
    execution_accuracy: share of all whose rows are the right ones and no column more
    lenient_accuracy: the same, further columns allowed
    answered_share: share of all that got an answer (no question back, no refusal, no failure)
    accuracy_answered: share of the answered ones that are right
    false_rejects: questions whose every right statement the guard refused
    seconds_p50: median time to the end of the answer
    tokens, cost_usd: of the model, all questions together
    """
    n = len(outcomes)
    answered = [each for each in outcomes if each.status == "answered"]
    right = sum(each.right for each in outcomes)
    usage = sum((each.usage for each in outcomes), Usage())
    return {
        "n": n,
        "execution_accuracy": _share(right, n),
        "lenient_accuracy": _share(sum(each.lenient for each in outcomes), n),
        "answered_share": _share(len(answered), n),
        "accuracy_answered": _share(right, len(answered)),
        "false_rejects": sum(each.gold_refused for each in outcomes),
        "seconds_p50": round(median(each.seconds for each in outcomes), 3) if outcomes else None,
        "tokens": usage.input_tokens + usage.output_tokens,
        "cost_usd": round(usage.usd, 6),
    }


def details(outcomes: Sequence[Outcome]) -> list[dict[str, Json]]:
    """Return one record a question."""
    return [
        {
            "id": each.question.id,
            "db": each.question.db,
            "category": each.question.category,
            "question": each.question.question,
            "status": each.status,
            "right": each.right,
            "lenient": each.lenient,
            "gold_refused": each.gold_refused,
            "seconds": round(each.seconds, 3),
            "sql": list(each.sql),
            "reason": each.reason,
        }
        for each in outcomes
    ]


def figure_lines(found: dict[str, Json]) -> list[str]:
    width = max(map(len, found))
    return [f"{name:<{width}}  {_written(value)}" for name, value in found.items()]


def detail_line(outcome: Outcome) -> str:
    """Return the outcome in one line; `~` is right but for further columns."""
    mark = "+" if outcome.right else "~" if outcome.lenient else "-"
    question = " ".join(outcome.question.question.split())
    return (
        f"{mark} {outcome.question.id:<10} {outcome.status:<13} {outcome.seconds:6.2f} s  "
        f"{question}"
    )


def _share(part: int, total: int) -> float | None:
    return round(part / total, 4) if total else None


def _written(value: Json) -> str:
    return "-" if value is None else str(value)
