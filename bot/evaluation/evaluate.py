"""Asks every question as a reader would, and compares what came with what is right."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from adapters.inmemory.surface import InMemorySurface
from bot.asking import Addressed, Asked, ask, status_of
from bot.bootstrap import App
from bot.connections import OpenConnection
from bot.evaluation.compare import Rows, same_result
from bot.evaluation.meter import begin_metering, metered
from bot.evaluation.outcome import Outcome
from bot.evaluation.questions import GoldQuestion, Problem
from bot.turn_gate import Declined
from core.domain.answer import Answer
from core.domain.decisions import Decision
from core.domain.errors import ConnectionUnusable, ToolError
from core.domain.ids import ConnectionName, ThreadId, fresh_id
from core.domain.table import Cell
from core.sql.guard import Guard
from core.sql.verdict import Refused

# Rules that say a gold statement is wrong rather than forbidden.
_NO_SUCH_NAME = frozenset({"relation.unknown", "column"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Right:
    """What would be right; `refused` says that the guard let none of the statements run."""

    rows: Sequence[Rows]
    refused: bool = False


async def evaluate(
    app: App,
    questions: Sequence[GoldQuestion],
    *,
    connection_of: Callable[[GoldQuestion], ConnectionName | None],
    take: Callable[[int, Outcome | Problem], None],
    at_once: int = 1,
) -> None:
    """Ask all questions, up to `at_once` at a time.

    `take` is given what became of each, with its place among them, as soon as it is known: what
    it has got stays when the rest is cancelled. A question is a problem where nothing could be
    right: its statements fail, or its database cannot be used.
    """
    counted = metered(app)
    waiting = iter(enumerate(questions))

    async def work() -> None:
        for place, question in waiting:
            take(place, await _outcome(counted, question, connection_of(question)))

    async with asyncio.TaskGroup() as tasks:
        for _ in range(min(at_once, len(questions))):
            tasks.create_task(work())


async def _outcome(
    app: App, question: GoldQuestion, connection: ConnectionName | None
) -> Outcome | Problem:
    where = f"question {question.id!r}"
    try:
        opened = await app.outside.connections.get(connection)
        right = await _right(opened, question)
    except ConnectionUnusable as error:
        return Problem(where, str(error))
    except ToolError as error:
        return Problem(where, f"has no gold statement that runs: {error}")
    meter = begin_metering()
    started = perf_counter()
    try:
        asked = await _asked(app, question, connection)
    except Declined as error:
        return Problem(where, str(error))
    seconds = perf_counter() - started
    answer = asked.view.answer or Answer(text=asked.view.failure)
    status = status_of(asked.view)
    given = await _given_rows(opened, answer) if status == "answered" else None
    as_wanted = status == question.wanted and _says_it(question, answer)
    return Outcome(
        id=question.id,
        db=question.db,
        category=question.category,
        difficulty=question.difficulty,
        question=question.question,
        expect_status=question.wanted,
        status=status,
        right=as_wanted and _is_right(question, right, given, lenient=question.extra_columns),
        lenient=as_wanted and _is_right(question, right, given, lenient=True),
        gold_refused=right is not None and right.refused,
        seconds=round(seconds, 3),
        calls=meter.calls,
        tokens=meter.usage.input_tokens + meter.usage.output_tokens,
        cost_usd=None if meter.usage.cost is None else round(meter.usage.cost, 6),
        sql=tuple(each.sql for each in answer.sql),
        reason=answer.text if status != "answered" else "",
    )


async def _asked(app: App, question: GoldQuestion, connection: ConnectionName | None) -> Asked:
    """Ask what comes before in the thread, then the question itself."""
    to = Addressed(connection=connection, thread=ThreadId(f"evaluation:{fresh_id()}"))
    surface = InMemorySurface()
    for text in question.thread:
        await ask(app, text, surface=surface, decide=_nobody_decides, to=to)
    return await ask(app, question.text, surface=surface, decide=_nobody_decides, to=to)


def _nobody_decides(_decision: Decision) -> None:
    return None


def _says_it(question: GoldQuestion, answer: Answer) -> bool:
    text = answer.text.casefold()
    return all(each.casefold() in text for each in question.says)


def _is_right(
    question: GoldQuestion, right: _Right | None, given: Rows | None, *, lenient: bool
) -> bool:
    if right is None:
        return True  # how it ended is all that counts
    return given is not None and any(
        same_result(rows, given, ordered=question.order_matters, lenient=lenient)
        for rows in right.rows
    )


async def _right(opened: OpenConnection, question: GoldQuestion) -> _Right | None:
    """Return the rows of each gold statement that runs, and those expected.

    None where the way it ends is all that counts.

    Raises:
        ToolError: no statement runs, for another reason than the guard.
    """
    rows: list[Rows] = [question.expect] if question.expect is not None else []
    refused, broken = 0, list[ToolError]()
    for statement in question.gold:
        try:
            rows.append(await _rows(opened, statement))
        except ToolError as error:
            if isinstance(error, Refused) and error.rule not in _NO_SUCH_NAME:
                refused += 1
            else:
                broken.append(error)
    if rows or refused:
        return _Right(rows=rows, refused=not rows)
    if broken:
        raise broken[0]
    return None


async def _given_rows(opened: OpenConnection, answer: Answer) -> Rows | None:
    """Return the whole result: as it was shown, or anew where only its beginning was."""
    table = answer.result.table if answer.result else None
    if table is None:
        return None
    if not table.truncated and table.row_count == len(table.rows):
        return table.rows
    try:
        return await _rows(opened, answer.sql[-1].sql) if answer.sql else None
    except ToolError:
        return None


async def _rows(opened: OpenConnection, statement: str) -> list[tuple[Cell, ...]]:
    """Run a statement as a tool would, but that nobody is asked what it may cost."""
    most = opened.connection.limits.rows
    guarded = Guard(catalog=opened.catalog).check(statement, max_rows=most)
    table = await opened.warehouse.fetch(guarded, max_rows=most)
    return list(table.rows)
