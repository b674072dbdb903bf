"""Puts the one final answer together: text, the results it speaks of, what ran, what to know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.agent.answer_text import MOST_ASSUMPTIONS, AnswerText
from core.agent.attached import not_read
from core.agent.guided import offered, with_offer
from core.agent.outcome import Done
from core.agent.run_state import RunState
from core.domain.answer import Answer, Conditions, ExecutedSql, Shown
from core.domain.catalog import Catalog
from core.domain.read_rows import read_in_words
from core.domain.table import Table, json_cell
from core.reviewer.conditions import NO_CONDITIONS, common, conditions_of
from core.reviewer.evidence import Evidence
from core.reviewer.figures import Figure, claims
from core.reviewer.unsaid_year import unsaid_years

_SUMMED_UP = 3  # results that a summary without a model tells of
_SHORT_ROW = 8  # columns of a single row that are written out


def choose_results(text: str, done: Sequence[Done]) -> tuple[Done, ...]:
    """Return the results to show with a text, the one it speaks of last.

    That is the newest that holds one of its figures, else the newest with rows; before it stand
    the ones that hold figures which it does not.
    """
    artifacts = [each for each in done if each.declaration is not None]
    if not artifacts:
        return ()
    figures = list(claims(text))
    speaks_of = next(
        (each for each in reversed(artifacts) if _holds_any(each.result.table, figures)),
        next((each for each in reversed(artifacts) if each.result.table.rows), artifacts[-1]),
    )
    evidence = Evidence([speaks_of.result.table])
    open_figures = [figure for figure in figures if not evidence.supports(figure)]
    before = [each for each in artifacts if each is not speaks_of]
    chosen = [speaks_of]
    for each in reversed(before):
        holds = Evidence([each.result.table])
        if any(holds.holds(figure) for figure in open_figures):
            chosen.append(each)
            open_figures = [figure for figure in open_figures if not holds.holds(figure)]
    return tuple(reversed(chosen))


def _holds_any(table: Table, figures: Sequence[Figure]) -> bool:
    evidence = Evidence([table])
    return any(evidence.holds(figure) for figure in figures)


def summarise(done: Sequence[Done]) -> str:
    """Return a text made from the results alone, newest last; empty when there is none."""
    return "\n".join(f"- {line}" for line in _lines(done[-_SUMMED_UP:]))


def _lines(done: Sequence[Done]) -> Iterator[str]:
    for each in done:
        table = each.result.table
        if len(table.rows) == 1 and len(table.columns) <= _SHORT_ROW:
            cells = zip(table.names, table.rows[0], strict=True)
            yield ", ".join(f"{name}: {json_cell(cell)}" for name, cell in cells)
        else:
            yield each.result.finding


def conditions_behind(chosen: Sequence[Done], catalog: Catalog) -> Conditions:
    """Return what the results that a text speaks of are made under: by the last query of each."""
    return common(
        [conditions_of(each.executed[-1].sql, catalog) for each in chosen if each.executed]
    )


def build_answer(
    state: RunState,
    written: AnswerText,
    *,
    shown: tuple[Shown, ...],
    chosen: Sequence[Done] = (),
    conditions: Conditions = NO_CONDITIONS,
    refused: bool = False,
) -> Answer:
    """Return the answer; the last of `shown` is the result that the text speaks of.

    `chosen` are the results that it speaks of: where there are some, what ran for others was
    looked up on the way.
    """
    before = () if refused else state.shown_before
    everything = shown or before
    sql = _with_purposes(state, chosen)
    warnings = [
        warning for each in chosen for warning in each.warnings if warning not in written.text
    ]
    ctx = state.ctx
    files = not_read(ctx.turn.attachments, ctx.connection.name)
    return Answer(
        text=written.text,
        refused=refused,
        checked=bool(chosen) and any(True for _ in claims(written.text)),
        read="" if refused else read_in_words([each for each in sql if each.purpose == "answer"]),
        result=everything[-1] if everything else None,
        shown=everything,
        sql=sql,
        conditions=conditions,
        assumptions=() if refused else _assumptions(state, written, chosen),
        warnings=tuple(dict.fromkeys((*ctx.warnings, *files, *state.warnings, *warnings))),
        suggestions=_suggestions(state, written, refused=refused),
        steps=state.steps,
        answered=state.answered,
        connection=ctx.connection.name,
        model=state.model or ctx.model.name,
        usage=state.spend.usage,
        seconds=round(ctx.seconds_before + state.seconds, 3),
    )


def _with_purposes(state: RunState, chosen: Sequence[Done]) -> tuple[ExecutedSql, ...]:
    if not any(each.executed for each in chosen):
        return state.executed
    spoken_of = {each.call.id for each in chosen}
    now = (
        each if done.call.id in spoken_of else each.model_copy(update={"purpose": "look_up"})
        for done in state.done
        for each in done.executed
    )
    return (*state.before.executed, *now)


def _assumptions(state: RunState, written: AnswerText, chosen: Sequence[Done]) -> tuple[str, ...]:
    """Return what was taken without asking before what the model says that it has assumed."""
    ctx = state.ctx
    ran = [each.sql for done in chosen or state.done for each in done.executed]
    told = (*state.assumed, *written.assumptions)
    said = (*told, *_said_before(state))
    years = unsaid_years(ctx.turn.question, said, ran, ctx.catalog.dialect)
    assumed = (*state.assumed, *years, *written.assumptions)
    return tuple(dict.fromkeys(assumed))[:MOST_ASSUMPTIONS]


def _said_before(state: RunState) -> Iterator[str]:
    """Return where a period may have been named: what was asked back, and the last question."""
    yield from (each.answer for each in state.answered)
    for exchange in state.ctx.thread.exchanges[-1:]:
        yield exchange.question
        yield exchange.answer.conditions.period


def _suggestions(state: RunState, written: AnswerText, *, refused: bool) -> tuple[str, ...]:
    if state.steps.ahead:
        return offered(written.suggestions)
    led = state.guided and not refused
    return with_offer(written.text, written.suggestions) if led else written.suggestions
