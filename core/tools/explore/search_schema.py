"""Tables and columns by what they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from core.domain.table import Column, ColumnKind, Row, Table
from core.memory.definitions import spelled_out
from core.toolkit import schema_search
from core.toolkit.args import ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.schema_search import Hit
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted

MOST_COLUMNS = 8


class SearchSchemaArgs(ToolArgs):
    """What to look for."""

    words: str = Field(
        min_length=1,
        max_length=500,
        description="What the table is about: words of the question, or the question itself.",
    )
    at_most: int = Field(default=8, ge=1, le=30, description="How many tables.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaHits(ToolResult):
    """One row a table."""

    columns = (
        Column("table", ColumnKind.DIMENSION),
        Column("columns", ColumnKind.TEXT),
        Column("rows", ColumnKind.MEASURE, unit="rows"),
        Column("comment", ColumnKind.TEXT),
    )


@tool(family=Family.EXPLORE, always_on=True)
async def search_schema(args: SearchSchemaArgs, ctx: ToolContext) -> SchemaHits:
    """Find tables and columns by what they are about, among however many there are.

    Use it first when the tables are not known; then `get_schema` for those that fit. Names,
    comments and known values are searched; abbreviations and common synonyms are understood.

    Returns one row a table, the best first:
        table: as queries write it
        columns: those that fit, best first, joined by ", "; empty where only the table's name does
        rows: the engine's own estimate; None where it has none
        comment: what its makers say of it; empty where they say nothing
    """
    words = spelled_out(ctx.definitions, args.words)
    hits = schema_search.search_schema(ctx.catalog, words, at_most=args.at_most)
    return SchemaHits(
        finding=describe(hits, args.words),
        table=Table(columns=SchemaHits.columns, rows=tuple(map(as_row, hits))),
    )


def as_row(hit: Hit) -> Row:
    names = ", ".join(column.name for column in hit.columns[:MOST_COLUMNS])
    return hit.table.qualified_name, names, hit.table.row_estimate, hit.table.comment


def describe(hits: Sequence[Hit], words: str) -> str:
    if not hits:
        return f"No table has to do with {words!r}; `list_tables` shows what there is."
    names = ", ".join(hit.table.qualified_name for hit in hits[:3])
    return f"{counted(len(hits), 'table fits', 'tables fit')}; best: {names}."
