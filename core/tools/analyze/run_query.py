"""Any SELECT, through the guard and the cost gate."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping

from pydantic import Field

from core.domain.artifact import Sheet
from core.domain.catalog import Catalog, CatalogColumn
from core.domain.table import Column, ColumnKind, Table, json_cell
from core.toolkit.args import ToolArgs
from core.toolkit.column_kinds import are_dates, with_kinds
from core.toolkit.context import ToolContext
from core.toolkit.family import Family
from core.toolkit.headings import with_units
from core.toolkit.lineage import origins
from core.toolkit.tool import ToolResult, tool

LONG_STATEMENT = 5_000


class RunQueryArgs(ToolArgs):
    """The statement, and what to call its result."""

    sql: str = Field(
        min_length=1,
        max_length=100_000,
        description="One SELECT (CTEs and set operations allowed) in the connection's dialect.",
    )
    title: str = Field(
        default="",
        max_length=120,
        description="What the result shows, as a short heading in the asker's language.",
    )


@tool(family=Family.ANALYZE, artifact=Sheet(), always_on=True)
async def run_query(args: RunQueryArgs, ctx: ToolContext) -> ToolResult:
    """Run one SELECT and return its rows.

    Use it for every figure that no other tool gives. Aggregate and filter in SQL, name each
    column for the reader, and sort by time or by size; only known tables can be read, and nothing
    can be changed.

    Returns the statement's own columns, in its own order of rows; cut off at the connection's row
    cap, which the result says. NULLs stay empty.

    Raises:
        NotPossible: the statement is refused or the database rejected it; the advice says why.
        ApprovalNeeded: it would cost more than may be spent unasked.
        TemporarilyUnavailable: no answer in time.
    """
    fetched = await ctx.fetch(args.sql)
    # What ran is read by others, too, and is taken apart once.
    known = await _origins(ctx.queries.executed[-1].sql, ctx.catalog)
    table = with_units(with_kinds(fetched, known))
    return ToolResult(finding=describe(table), table=table, notes=tuple(remarks(table, known)))


async def _origins(sql: str, catalog: Catalog) -> Mapping[str, CatalogColumn]:
    """Follow the columns back, in a thread where the text is long: reading it takes its time."""
    if len(sql) > LONG_STATEMENT:
        return await asyncio.to_thread(origins, sql, catalog)
    return origins(sql, catalog)


def describe(table: Table) -> str:
    names = ", ".join(table.names)
    match len(table.rows):
        case 0:
            return f"No rows: {names}."
        case 1:
            return f"1 row: {names}."
        case count if table.truncated:
            return f"The first {count:,} rows of more: {names}."
        case count:
            return f"{count:,} rows: {names}."


def remarks(table: Table, known: Mapping[str, CatalogColumn]) -> Iterator[str]:
    """Say what the rows do not show at a glance: where they begin and end, and what is odd."""
    if not table.rows:
        yield "No row fits the statement's conditions."
        return
    if table.truncated:
        yield "There are more rows than may be returned; aggregate or filter for the whole."
    if len(table.rows) > 1:
        yield from _ends(table)
    yield from _empty_columns(table)
    yield from _dates_as_text(table, known)


def _ends(table: Table) -> Iterator[str]:
    axis = next((each for each in table.columns if each.kind is ColumnKind.TIME), table.columns[0])
    values = table.values(axis.name)
    yield f"{axis.name}: first {json_cell(values[0])}, last {json_cell(values[-1])}."


def _empty_columns(table: Table) -> Iterator[str]:
    for column in table.columns:
        missing = sum(cell is None for cell in table.values(column.name))
        if missing == len(table.rows):
            yield f"{column.name} is NULL in every row."
        elif missing:
            yield f"{column.name} is NULL in {missing:,} of {len(table.rows):,} rows."


def _dates_as_text(table: Table, known: Mapping[str, CatalogColumn]) -> Iterator[str]:
    for column in table.columns:
        origin = known.get(column.name)
        if origin and _is_text(origin) and _holds_dates(column, table):
            yield f"{column.name} holds dates as text; comparing it with text compares letters."


def _is_text(column: CatalogColumn) -> bool:
    return any(word in column.type.casefold() for word in ("char", "text", "string", "clob"))


def _holds_dates(column: Column, table: Table) -> bool:
    texts = [cell for cell in table.values(column.name) if cell is not None]
    return are_dates([cell for cell in texts if isinstance(cell, str)]) and column.kind is (
        ColumnKind.TIME
    )
