"""Asks every question as a reader would, and compares what came with what is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from adapters.inmemory.surface import InMemorySurface
from bot.asking import ask, status_of
from bot.bootstrap import App
from bot.connections import OpenConnection
from bot.evaluation.compare import Rows, same_result
from bot.evaluation.questions import GoldQuestion
from core.domain.answer import Answer, Usage
from core.domain.decisions import Decision
from core.domain.errors import ToolError
from core.domain.ids import ConnectionName
from core.domain.table import Cell
from core.sql.guard import Guard
from core.sql.verdict import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one question.

    status: as in `ask --json`
    right, lenient: the rows are the right ones; the latter also beside further columns
    gold_refused: the guard did not let any right statement run, so that no answer could be right
    """

    question: GoldQuestion
    status: str
    right: bool
    lenient: bool
    gold_refused: bool
    seconds: float
    usage: Usage
    sql: tuple[str, ...]
    reason: str


async def evaluate(
    app: App,
    questions: Sequence[GoldQuestion],
    *,
    connection_of: Callable[[GoldQuestion], ConnectionName | None],
    tell: Callable[[int], None],
) -> list[Outcome]:
    """Return one outcome a question, in their order; `tell` hears how many are done."""
    outcomes: list[Outcome] = []
    for question in questions:
        outcomes.append(await _outcome(app, question, connection_of(question)))
        tell(len(outcomes))
    return outcomes


async def _outcome(app: App, question: GoldQuestion, connection: ConnectionName | None) -> Outcome:
    started = perf_counter()
    asked = await ask(
        app,
        question.text,
        surface=InMemorySurface(),
        decide=_nobody_decides,
        connection=connection,
    )
    seconds = perf_counter() - started
    found = await app.outside.connections.get(connection)
    gold, refused = await _gold_rows(found, question)
    answer = asked.view.answer or Answer(text=asked.view.failure)
    status = status_of(asked.view)
    given = await _given_rows(found, answer) if status == "answered" else None
    return Outcome(
        question=question,
        status=status,
        right=_is_right(question, gold, given, lenient=False),
        lenient=_is_right(question, gold, given, lenient=True),
        gold_refused=refused,
        seconds=seconds,
        usage=answer.usage,
        sql=tuple(each.sql for each in answer.sql),
        reason=answer.text if status != "answered" else "",
    )


def _nobody_decides(_decision: Decision) -> None:
    return None


def _is_right(
    question: GoldQuestion, gold: Sequence[Rows], given: Rows | None, *, lenient: bool
) -> bool:
    return given is not None and any(
        same_result(rows, given, ordered=question.order_matters, lenient=lenient) for rows in gold
    )


async def _gold_rows(found: OpenConnection, question: GoldQuestion) -> tuple[list[Rows], bool]:
    """Return the rows of each gold statement that runs, and whether the guard refused them all."""
    rows: list[Rows] = []
    refused = 0
    for statement in question.gold:
        try:
            rows.append(await _rows(found, statement))
        except Refused:
            refused += 1
        except ToolError:
            continue
    return rows, refused == len(question.gold)


async def _given_rows(found: OpenConnection, answer: Answer) -> Rows | None:
    """Return the whole result: as it was shown, or anew where only its beginning was."""
    table = answer.result.table if answer.result else None
    if table is None:
        return None
    if not table.truncated and table.row_count == len(table.rows):
        return table.rows
    try:
        return await _rows(found, answer.sql[-1].sql) if answer.sql else None
    except ToolError:
        return None


async def _rows(found: OpenConnection, statement: str) -> list[tuple[Cell, ...]]:
    """Run a statement as a tool would, but that nobody is asked what it may cost."""
    most = found.connection.limits.rows
    guarded = Guard(catalog=found.catalog).check(statement, max_rows=most)
    table = await found.warehouse.fetch(guarded, max_rows=most)
    return list(table.rows)
