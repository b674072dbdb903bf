"""Which meanings of a question are still open once thread, memory and catalog have been heard."""

from __future__ import annotations

import re

from core.agent.intent import Ambiguity, Intent
from core.agent.prompt import Reading
from core.context import ExecutionContext
from core.domain.catalog import Catalog
from core.memory.words import asked_words
from core.toolkit.family import Family

_NEVER_ASKED = frozenset(
    {Family.CONVERSATIONAL, Family.META, Family.EXPLORE, Family.MEMORY, Family.RESEARCH}
)
_NAME = re.compile(r"\w+(?:\.\w+)+|\w*_\w+")


def read(intent: Intent, ctx: ExecutionContext) -> Reading:
    """Part the ambiguities of an intent into those that are settled already and open ones."""
    settled: list[str] = []
    open_: list[Ambiguity] = []
    for ambiguity in intent.ambiguities:
        meant = _settled_by(ambiguity, ctx)
        if meant is None:
            open_.append(ambiguity)
        else:
            settled.append(f"{ambiguity.question} {meant}")
    return Reading(intent=intent, settled=tuple(settled), open=tuple(open_))


def to_ask(reading: Reading, *, sure: float) -> Ambiguity | None:
    """Return what the reader has to be asked; None where one can go on."""
    intent = reading.intent
    if intent.confidence >= sure or intent.primary in _NEVER_ASKED:
        return None
    return next(iter(reading.open), None)


def _settled_by(ambiguity: Ambiguity, ctx: ExecutionContext) -> str | None:
    last = ctx.thread.exchanges[-1:]
    said = (
        ctx.turn.question,
        *(text for each in last for text in (each.question, *each.answer.assumptions)),
        ctx.memory,
    )
    for text in said:
        words = set(asked_words(text))
        named = [each for each in ambiguity.options if _is_named(each, words)]
        if len(named) == 1:
            return named[0]
    return _only_existing(ambiguity, ctx.catalog)


def _is_named(option: str, words: set[str]) -> bool:
    own = set(asked_words(option))
    return bool(own) and own <= words


def _only_existing(ambiguity: Ambiguity, catalog: Catalog) -> str | None:
    """Where the options are names of tables and columns, return the only one that exists."""
    if not all(_NAME.fullmatch(option) for option in ambiguity.options):
        return None
    existing = [option for option in ambiguity.options if _exists(option, catalog)]
    return existing[0] if len(existing) == 1 else None


def _exists(name: str, catalog: Catalog) -> bool:
    table, _, column = name.rpartition(".")
    known = catalog.table(table) if table else None
    if known is not None:
        return known.column(column) is not None
    return catalog.table(name) is not None or any(each.column(name) for each in catalog.tables)
