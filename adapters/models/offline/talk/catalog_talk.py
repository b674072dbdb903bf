"""Questions about the schema itself: which tables there are, what a table holds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.models.offline.form.world import World
from adapters.models.offline.reading.tokens import tokenize
from adapters.models.offline.world.schema import Column, Table

_TABLES = re.compile(
    r"\b(what|which|list|show|give|tell)\b.*\b(tables?|views?|datasets?)\b.*"
    r"|\b(what|which) (data|information) (do you|is there|are there|can|have|is available)\b.*"
    r"|\b(show|describe|what is|explain)\b.{0,20}\b(schema|database structure|data model)\b.*"
    r"|\bwhat('s| is) in (the|this|my) (database|data|db)\b.*",
    re.IGNORECASE,
)
_NOT_TABLES = re.compile(r"\b(where|with|whose|by|per|for each|as (a )?table)\b", re.IGNORECASE)
_DESCRIBE = re.compile(
    r"^\W*(?:please\s+)?(?:describe|explain|desc|structure of|schema of|columns? (?:of|in|does)"
    r"|(?:what|which) (?:columns?|fields?|attributes?) "
    r"(?:are in|does|do|has|have|are there in|in|are available in)"
    r"|(?:list|show)(?: me)?(?: all)?(?: the)? (?:columns?|fields?) (?:of|in|for)"
    r"|what(?:'s| is) in|what does|tell me about)"
    r"\s+(?:the\s+)?(?:table\s+)?(?P<name>[\w\s.\"]+?)"
    r"(?:\s+(?:tables?|contain|have|hold|look like|mean))*\W*$",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"^\W*(?:please\s+)?(?:what does|what is|explain|describe|what(?:'s| is) the meaning of)"
    r"\s+(?:the\s+)?(?:columns?|fields?)\s+(?P<name>[\w\s\"]+?)"
    r"(?:\s+(?:means?|stands? for|holds?|contains?|for|about))*\W*$",
    re.IGNORECASE,
)
_MOST_TABLES, _MOST_COLUMNS = 30, 40
_SHORT = 0.9


def catalog_answer(question: str, world: World) -> str | None:
    """Return an answer about the schema; None when the question is about the data."""
    described = _described(question, world)
    if described is not None:
        return _describe(described, world)
    columns = _columns_named(question, world)
    if columns:
        return "\n".join(f"{each.table}.{_column(each)}" for each in columns[:_MOST_TABLES])
    if _TABLES.fullmatch(question.strip().rstrip("?.! ")) and not _NOT_TABLES.search(question):
        return _list(world.schema.tables)
    return None


def _described(question: str, world: World) -> Table | None:
    found = _DESCRIBE.match(question.strip())
    if found is None:
        return None
    name = found["name"].strip().strip('"')
    table = world.schema.table(name)
    if table is not None:
        return table
    meanings = [m for m in world.lexicon.meanings(tokenize(name)) if m.column is None]
    return meanings[0].table if meanings and meanings[0].score >= _SHORT else None


def _columns_named(question: str, world: World) -> list[Column]:
    """Return the columns of `what does the column discount mean`, of whatever tables."""
    found = _MEANS.match(question.strip())
    meanings = world.lexicon.meanings(tokenize(found["name"])) if found is not None else ()
    return [m.column for m in meanings if m.column is not None and m.score >= _SHORT]


def _list(tables: Sequence[Table]) -> str:
    if not tables:
        return "This connection has no table that may be read."
    named = [f"{table.name} ({len(table.columns)} columns)" for table in tables[:_MOST_TABLES]]
    more = f" and {len(tables) - _MOST_TABLES} more" if len(tables) > _MOST_TABLES else ""
    one = "1 table" if len(tables) == 1 else f"{len(tables)} tables"
    first = tables[0]
    return (
        f"There are {one}: {', '.join(named)}{more}.\n"
        f"Suggestion: Describe {first.name}\n"
        f"Suggestion: How many {first.name} are there?"
    )


def _describe(table: Table, world: World) -> str:
    lines = [f"{table.name} has {len(table.columns)} columns:"]
    lines += [f"- {_column(column)}" for column in table.columns[:_MOST_COLUMNS]]
    if len(table.columns) > _MOST_COLUMNS:
        lines.append(f"- and {len(table.columns) - _MOST_COLUMNS} more")
    others = sorted({join.right.table for join in world.joins.joins_from(table.name)})
    if others:
        lines.append(f"It joins with {', '.join(others)}.")
    lines.append(f"Suggestion: How many {table.name} are there?")
    return "\n".join(lines)


def _column(column: Column) -> str:
    parts = [f"{column.name} ({column.type.lower() or 'no type'}"]
    parts.append(", primary key" if column.primary else "")
    parts.append(f", points at {column.target[0]}.{column.target[1]}" if column.target else "")
    values = ", ".join(column.values[:6])
    parts.append(f"; values such as {values}" if values and column.is_text else "")
    comment = f": {column.comment}" if column.comment else ""
    return "".join(parts) + ")" + comment
