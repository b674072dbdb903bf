"""Questions whose kind is beyond doubt: no model is asked for it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.agent.intent import Intent
from core.context import ExecutionContext
from core.domain.catalog import CatalogTable
from core.memory.words import words_of
from core.toolkit.family import Family

_COUNT = re.compile(
    r"how many (?P<what>[a-z_]+(?: [a-z_]+){0,2}?)(?: are there| do we have| is there)"
    r"(?: in (?:total|all)| altogether)?",
    re.IGNORECASE,
)
_TABLES = re.compile(
    r"(?:what|which) tables (?:are there|do we have|are available|exist)"
    r"|(?:list|show)(?: me)?(?: all)?(?: the)? tables",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| resona)?"
    r"|(?:thanks|thank you)(?: very much| a lot)?",
    re.IGNORECASE,
)
_LONGEST = 60


def _may_mean_else(ctx: ExecutionContext) -> bool:
    """Say whether what is remembered could give a name another meaning, as joins cannot."""
    return bool(ctx.definitions.named or (ctx.memory.strip() and not ctx.definitions))


def settled(ctx: ExecutionContext, tables: Iterable[CatalogTable]) -> Intent | None:
    """Return the intent of a question that can mean one thing only; None of every other.

    Every word of it has to fit: a greeting, the list of tables, or the number of rows of the one
    table that bears the name, where neither the thread nor memory could give it another meaning.
    """
    question = ctx.turn.question.strip().rstrip("?!. ")
    if len(question) > _LONGEST:
        return None
    if _GREETING.fullmatch(question):
        return Intent(primary=Family.CONVERSATIONAL, confidence=1.0)
    if _TABLES.fullmatch(question):
        return Intent(primary=Family.EXPLORE, confidence=1.0)
    counted = _COUNT.fullmatch(question)
    if counted is None or ctx.thread.exchanges or _may_mean_else(ctx):
        return None
    what = words_of(counted["what"])
    named = [table for table in tables if words_of(table.name) == what]
    return Intent(primary=Family.ANALYZE, confidence=1.0) if len(named) == 1 else None
