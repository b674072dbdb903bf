"""What tables and views a connection has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from core.domain.catalog import Catalog, CatalogTable
from core.domain.table import Column, ColumnKind, Row, Table
from core.toolkit.args import ToolArgs
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.tool import ToolResult, tool
from core.toolkit.wording import counted

MOST_TABLES = 200


class ListTablesArgs(ToolArgs):
    """Which tables."""

    contains: str = Field(
        default="",
        max_length=100,
        description="Part of a name or comment, whatever the letter case; empty for all tables.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables(ToolResult):
    """One row a table."""

    columns = (
        Column("table", ColumnKind.DIMENSION),
        Column("kind", ColumnKind.DIMENSION),
        Column("rows", ColumnKind.MEASURE, unit="rows"),
        Column("columns", ColumnKind.MEASURE, unit="columns"),
        Column("comment", ColumnKind.TEXT),
    )


@tool(family=Family.EXPLORE)
async def list_tables(args: ListTablesArgs, ctx: ToolContext) -> Tables:
    """List the tables and views that may be read, with their size.

    Use it to see what there is. For the columns of a table use `get_schema`; with a topic in mind
    use `search_schema`.

    Returns one row a table or view, by name, at most 200:
        table: its name as queries write it, with the schema where it is not the default one
        kind: "table" or "view"
        rows: the engine's own estimate; None where it has none
        columns: how many it has
        comment: what its makers say of it; empty where they say nothing
    """
    found = matching(ctx.catalog, args.contains)
    shown = found[:MOST_TABLES]
    return Tables(
        finding=describe(found, args.contains),
        table=Table(
            columns=Tables.columns,
            rows=tuple(as_row(table) for table in shown),
            truncated=len(shown) < len(found),
        ),
        notes=notes(found),
    )


def matching(catalog: Catalog, part: str) -> Sequence[CatalogTable]:
    folded = part.strip().casefold()
    return tuple(
        table
        for table in catalog.tables
        if folded in table.qualified_name.casefold() or folded in table.comment.casefold()
    )


def as_row(table: CatalogTable) -> Row:
    kind = "view" if table.is_view else "table"
    return table.qualified_name, kind, table.row_estimate, len(table.columns), table.comment


def describe(found: Sequence[CatalogTable], part: str) -> str:
    which = f" with {part.strip()!r} in the name or comment" if part.strip() else ""
    if not found:
        return f"There is no table{which}."
    views = sum(table.is_view for table in found)
    tables = len(found) - views
    kinds = [counted(tables, "table")] if tables else []
    kinds += [counted(views, "view")] if views else []
    return f"{' and '.join(kinds)}{which}."


def notes(found: Sequence[CatalogTable]) -> tuple[str, ...]:
    if len(found) > MOST_TABLES:
        return (
            f"Only the first {MOST_TABLES} of {len(found)} are listed; narrow it with `contains`.",
        )
    return ()
