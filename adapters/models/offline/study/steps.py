"""The steps of a study: statements to run, what they gave, and what is said then."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adapters.models.offline.form.frame import NotUnderstood
from adapters.models.offline.talk.moves import Ask, Call, Move, Say
from adapters.models.offline.talk.situation import Situation, ToolAnswer

RUN_QUERY = "run_query"


def queried(
    situation: Situation,
    asked: dict[str, str],
    tell: Callable[[Sequence[ToolAnswer]], str],
    notes: Sequence[str],
) -> Move:
    """Run the statements side by side, each with its title, and then tell what they gave."""
    answers = done(situation, RUN_QUERY, list(asked))
    if answers is None:
        refuse_unless(situation, RUN_QUERY)
        return Ask(tuple(Call(RUN_QUERY, {"sql": s, "title": t}) for s, t in asked.items()))
    failed = next((each.error for each in answers if each.error), "")
    if failed:
        raise NotUnderstood("The queries that I made for this question could not be run.")
    return said(tell(answers), notes)


def done(situation: Situation, tool: str, statements: list[str]) -> list[ToolAnswer] | None:
    """Return the answers to these statements in their order; None where one was not run yet."""
    by_sql = {answer.text("sql"): answer for answer in situation.answers_of(tool)}
    if not all(sql in by_sql for sql in statements):
        return None
    return [by_sql[sql] for sql in statements]


def refuse_unless(situation: Situation, tool: str) -> None:
    if not situation.offers(tool):
        raise NotUnderstood("I cannot run a query for this now.")


def said(text: str, notes: Sequence[str]) -> Say:
    read = "Read by the offline analyst, by rules"
    lines = [text, f"Assumption: {read}", *(f"Assumption: {each}" for each in notes)]
    return Say("\n".join(lines))
