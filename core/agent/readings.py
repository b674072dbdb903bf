"""Which meanings of a question are still open once thread, memory and catalog have been heard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.agent.ambiguities import found_in
from core.agent.answered_before import answer_to, answers_of, as_assumption
from core.agent.defined import settled_by_definition
from core.agent.intent import Ambiguity, Intent
from core.agent.prompt import Reading
from core.context import ExecutionContext
from core.domain.catalog import Catalog, CatalogTable
from core.domain.decisions import Answered
from core.memory.words import words_of
from core.toolkit.family import Family

_NEVER_ASKED = frozenset(
    {Family.CONVERSATIONAL, Family.META, Family.EXPLORE, Family.MEMORY, Family.RESEARCH}
)
_JOINING = frozenset({"of", "the", "a", "an", "by", "in", "per", "for", "all"})
_NAME = re.compile(r"\w+(?:\.\w+)+|\w*_\w+")


def read(intent: Intent, ctx: ExecutionContext, tables: Sequence[CatalogTable] = ()) -> Reading:
    """Part the ambiguities of an intent into those that are settled already and open ones.

    What `tables` themselves leave open in the question counts beside what the model has seen.
    """
    settled: list[str] = []
    assumed: list[str] = []
    open_: list[Ambiguity] = []
    answered = answers_of(ctx.thread)
    found = () if intent.primary in _NEVER_ASKED else found_in(ctx.turn.question, tables)
    for ambiguity in (*intent.ambiguities, *found):
        real = _with_real_options(ambiguity, ctx.catalog)
        defined = settled_by_definition(ambiguity.question, ambiguity.options, ctx)
        if defined is not None:
            settled.append(f"{ambiguity.question} {defined}")
            continue
        said = None if _named_in(ctx.turn.question, real) else _said_before(real, answered)
        meant = said or _settled_by(real, ctx)
        if said is not None:
            assumed.append(as_assumption(ambiguity.question, said))
        if meant is not None:
            settled.append(f"{ambiguity.question} {meant}")
        elif real.options:
            open_.append(real)
    return Reading(intent=intent, settled=tuple(settled), assumed=tuple(assumed), open=tuple(open_))


def to_ask(reading: Reading, *, sure: float) -> Ambiguity | None:
    """Return what the reader has to be asked; None where one can go on."""
    intent = reading.intent
    if intent.confidence >= sure or intent.primary in _NEVER_ASKED:
        return None
    return next(iter(reading.open), None)


def _said_before(ambiguity: Ambiguity, answered: Sequence[Answered]) -> str | None:
    return answer_to(ambiguity.question, ambiguity.options, answered)


def _settled_by(ambiguity: Ambiguity, ctx: ExecutionContext) -> str | None:
    last = ctx.thread.exchanges[-1:]
    said = (
        ctx.turn.question,
        *(text for each in last for text in (each.question, *each.answer.assumptions)),
        ctx.memory,
    )
    named = next((found for text in said if (found := _named_in(text, ambiguity))), None)
    only = ambiguity.options[0] if len(ambiguity.options) == 1 else None
    return named or only


def _named_in(text: str, ambiguity: Ambiguity) -> str | None:
    """Return the one option that a text names."""
    words = set(words_of(text))
    named = [each for each in ambiguity.options if _is_named(each, words)]
    # Where "list price" is named, "price" is only a part of it.
    whole = [each for each in named if not any(_is_part(each, of=other) for other in named)]
    return whole[0] if len(whole) == 1 else None


def _is_named(option: str, words: set[str]) -> bool:
    own = _own_words(option)
    return bool(own) and own <= words


def _own_words(option: str) -> frozenset[str]:
    # "List" may be a command, but in "list price" it is half of a name.
    return frozenset(words_of(option)) - _JOINING


def _is_part(option: str, *, of: str) -> bool:
    return _own_words(option) < _own_words(of)


def _with_real_options(ambiguity: Ambiguity, catalog: Catalog) -> Ambiguity:
    """Leave out the names of tables and columns that do not exist."""
    real = (
        each for each in ambiguity.options if not _NAME.fullmatch(each) or _exists(each, catalog)
    )
    return replace(ambiguity, options=tuple(real))


def _exists(name: str, catalog: Catalog) -> bool:
    table, _, column = name.rpartition(".")
    known = catalog.table(table) if table else None
    if known is not None:
        return known.column(column) is not None
    return catalog.table(name) is not None or any(each.column(name) for each in catalog.tables)
