"""The one object that `ask --json` prints; other programs build on its shape."""

from __future__ import annotations

from bot.asking import Asked, status_of
from bot.cli.exits import ANSWERED, FAILED, REFUSED, UNDECIDED
from bot.cli.saving import Saved
from core.domain.answer import Answer, ShownTable, Usage
from core.domain.chat import Json
from core.domain.decisions import Approval, Choice, Clarification, Decision
from core.domain.ids import RunId
from core.domain.view import MessageView

_EXITS = {
    "answered": ANSWERED,
    "clarification": UNDECIDED,
    "approval": UNDECIDED,
    "refused": REFUSED,
    "failed": FAILED,
}


def exit_code_of(view: MessageView) -> int:
    return _EXITS[status_of(view)]


def answer_object(asked: Asked, saved: Saved, *, connection: str, model: str) -> dict[str, Json]:
    """Return the object; every key is always there.

    `connection` and `model` stand in where the run ended without an answer that names them.
    """
    view = asked.view
    answer = view.answer or Answer(
        text=view.failure or view.text, connection=connection, model=model
    )
    question, options = _asked_back(view.decision)
    return {
        "status": status_of(view),
        "text": answer.text,
        "question": question,
        "options": list(options),
        "sql": [each.sql for each in answer.sql],
        "table": _table(answer.result.table if answer.result else None),
        "charts": [str(path) for path in saved.charts],
        "files": [str(path) for path in saved.files],
        "period": answer.conditions.period,
        "time_zone": answer.conditions.time_zone,
        "filters": list(answer.conditions.filters),
        "assumptions": list(answer.assumptions),
        "warnings": list(answer.warnings),
        "connection": answer.connection or connection,
        "model": answer.model or model,
        "tokens": tokens_of(answer.usage),
        "cost_usd": cost_of(answer.usage),
        "seconds": round(answer.seconds, 3),
        "run_id": asked.run,
    }


def failed_object(reason: str, *, connection: str) -> dict[str, Json]:
    """Return the object of a question that did not become a run."""
    asked = Asked(RunId(""), MessageView(failure=reason, done=True))
    return answer_object(asked, Saved(), connection=connection, model="")


def tokens_of(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens


def cost_of(usage: Usage) -> float | None:
    """Return the dollars of an object; None where nobody knows them."""
    return None if usage.cost is None else round(usage.cost, 6)


def _asked_back(decision: Decision | None) -> tuple[str | None, tuple[str, ...]]:
    match decision:
        case Clarification():
            return decision.question, decision.options
        case Approval():
            return decision.reason, tuple(Choice)
        case None:
            return None, ()


def _table(table: ShownTable | None) -> dict[str, Json] | None:
    if table is None:
        return None
    return {
        "columns": [column.name for column in table.columns],
        "rows": [list(row) for row in table.rows],
        "row_count": table.row_count,
        "truncated": table.truncated,
    }
